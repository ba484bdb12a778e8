"""The form that has a page's scripts run. Pure."""

from __future__ import annotations

from typing import Final

from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import HtmlPage, page_of

RENDER_PATH: Final = "/-/render"
_TEMPLATE: Final = page_template(__package__, "render.html")


def render_page(url: str, token: str) -> HtmlPage:
    """The form for the page at ``url``; ``token`` proves that it is ours."""
    return page_of(_TEMPLATE, url=url, token=token)
