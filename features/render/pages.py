"""``/-/render``: the form that has a page's scripts run in a browser of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from winnow.feature import Context
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import RENDER

_TEMPLATE: Final = page_template(__package__, "render.html")


def pages(_context: Context) -> Mapping[str, OwnPage]:
    return {RENDER: render_form}


async def render_form(request: OwnRequest) -> OwnResponse:
    """The address is shown and sent by the reader: no link of a page starts a browser."""
    only(request, "GET", "HEAD")
    return shown(form_page(request.query.get("url", ""), request.token))


def form_page(url: str, token: str) -> HtmlPage:
    """The form for the page at ``url``; ``token`` proves that it is ours."""
    return page_of(_TEMPLATE, url=url, token=token)
