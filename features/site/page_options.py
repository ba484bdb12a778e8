"""``/-/options?url=``: all that can be done with one page. Changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from winnow.jobs.job_types import Workers
from winnow.jobs.page_jobs import ParametersJob
from winnow.jobs.results import MethodParameter
from winnow.jobs.small_gateway import SMALL_PATH
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.checked_values import web_address
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks

OPTIONS_PATH: Final = "/-/options"
_TEMPLATE: Final = page_template(__package__, "options.html")


@dataclass
class MethodParameters:
    """``methods``: those that a reader may choose; workers tell their parameters."""

    methods: tuple[str, ...]
    workers: Workers
    _parameters: tuple[MethodParameter, ...] = field(default=(), repr=False)

    async def of(self, method: str) -> tuple[MethodParameter, ...]:
        """Those of a method; asked for once; none while the workers are busy."""
        if not self._parameters:
            try:
                self._parameters = await self.workers.run(ParametersJob(self.methods))
            except TransformError:
                return ()
        name = method.partition(":")[0]
        return tuple(each for each in self._parameters if each.method == name)


async def page_options(request: OwnRequest) -> OwnResponse:
    """Raises ClientFaultError for what is no address of a page."""
    only(request, "GET", "HEAD")
    page = parse_url(request.query.get("url", "")).url
    return shown(options_page(page, request.token))


def options_page(page: str, token: str) -> HtmlPage:
    """``token`` lets the client open the page by our own pages, private ones too."""
    return page_of(
        _TEMPLATE,
        page=web_address(page),
        links=ChoiceLinks(gateway=True),
        in_parts=SMALL_PATH + quote(page, safe="/:?#[]@!$&'()*+,;=%~"),
        fields={"url": page, "token": token},
        actions=ChoiceAction,
        request_of=ChoiceRequest,
    )
