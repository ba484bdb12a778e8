"""``/-/options?url=``: all that can be done with one page. Changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from winnow.jobs.results import MethodParameter
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.options_page import options_page

Parameters = tuple[MethodParameter, ...]


async def none_declared(_methods: tuple[str, ...]) -> Parameters:
    """No method declares a parameter."""
    return ()


@dataclass
class PageOptions:
    """``methods``: those that a reader may choose; ``declared`` tells their parameters, or raises
    TransformError."""

    methods: tuple[str, ...]
    declared: Callable[[tuple[str, ...]], Awaitable[Parameters]] = none_declared
    _parameters: Parameters = field(default=(), repr=False)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """Raises ClientFaultError for what is no address of a page."""
        only(request, "GET", "HEAD")
        page = parse_url(request.query.get("url", "")).url
        method = request.query.get("value", "")
        return shown(options_page(page, self.methods, await self._all(), request.token, method))

    async def _all(self) -> Parameters:
        """The parameters, asked for once; none while the workers are busy."""
        if not self._parameters:
            try:
                self._parameters = await self.declared(self.methods)
            except TransformError:
                return ()
        return self._parameters
