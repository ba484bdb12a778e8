"""``/-/render``: the form that has a page's scripts run in a browser of ours."""

from __future__ import annotations

from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.errors.script_page import render_page


async def render_form(request: OwnRequest) -> OwnResponse:
    """The address is shown and sent by the reader: no link of a page starts a browser."""
    only(request, "GET", "HEAD")
    return shown(render_page(request.query.get("url", ""), request.token))
