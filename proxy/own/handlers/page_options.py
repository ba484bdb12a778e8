"""``/-/options?url=``: all that can be done with one page. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.options_page import options_page


@dataclass(frozen=True)
class PageOptions:
    """``methods``: those that a reader may choose."""

    methods: tuple[str, ...]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """Raises ClientFaultError for what is no address of a page."""
        only(request, "GET", "HEAD")
        page = parse_url(request.query.get("url", "")).url
        return shown(options_page(page, self.methods, request.token))
