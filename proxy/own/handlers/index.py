"""The start page, and health and readiness for monitoring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown, text
from winnow.proxy.own.templates.base_page import own_page

_FRONT = Markup("""
<p>Read a page without menus, ads and clutter. Enter an address:</p>
<form action="/-/read" method="get"><p><label for="url">Address</label><br>
<input id="url" name="url" inputmode="url" autocomplete="url" size="60"
 placeholder="https://example.com/story" required>
<input type="hidden" name="token" value="{token}"> <button class="first">Read</button></p></form>
<p>Or set <code>{authority}</code> as your browser's HTTP proxy: articles are then shown
without the clutter around them. <a href="/-/setup">Setup guide</a>, step by step, or open
the <a href="/-/settings">settings</a>. <a href="/-/activity">Activity</a> lists the pages that you
opened last, and what was done with each.</p>
<p>For small screens and old browsers: <a href="/-/small/">pages in small parts</a>. For e-readers:
<a href="/-/book">several pages as one book</a>. For feed readers: <a href="/-/feed">full-text
feeds</a>. <a href="/-/compare">Compare methods</a> on a page, or see
<a href="/-/why">why something was removed</a>.{annotate}</p>
""")
_ANNOTATE = Markup("""
Or <a href="/-/annotate">annotate a page</a> for a test package.""")


def _nobody(_client: str) -> bool:
    return False


@dataclass(frozen=True)
class Home:
    """``/``: a form for an address. ``annotates``: whether a client may annotate pages."""

    annotates: Callable[[str], bool] = _nobody

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        authority = request.base.split("//", 1)[1].rstrip("/")
        annotate = _ANNOTATE if self.annotates(request.head.client) else ""
        main = _FRONT.format(authority=authority, annotate=annotate, token=request.token)
        return shown(own_page("Winnow", main))


async def health(request: OwnRequest) -> OwnResponse:
    """``/-/live`` and ``/-/health``: the process answers."""
    only(request, "GET", "HEAD")
    return text("ok\n")


class Ready:
    """``/-/ready``: whether a load balancer should send requests here.

    503 while Winnow starts or stops. Extraction does not count: without it pages go through.
    """

    def __init__(self, not_ready: Callable[[], str]) -> None:
        """``not_ready``: why not; "" if it should."""
        self._not_ready = not_ready

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        why = self._not_ready()
        return text(f"{why}\n", 503) if why else text("ready\n")
