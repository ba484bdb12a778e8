"""The start page, and health and readiness for monitoring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown, text
from winnow.proxy.own.templates.base_page import own_page
from winnow.proxy.own.templates.https_form import HttpsState, https_part

_FRONT = Markup("""
<p>Winnow shows articles without menus, ads and clutter, and leaves other pages as they are. Try it
on a page:</p>
<form action="/-/read" method="get"><p><label for="url">Address</label><br>
<input id="url" name="url" inputmode="url" autocomplete="url" size="60"
 placeholder="https://example.com/story" required>
<input type="hidden" name="token" value="{token}"> <button class="first">Read</button></p></form>
{guide}
<h2>More</h2>
<p><a href="/-/activity">Activity</a> lists the pages that you opened last, and what was done with
each. For small screens and old browsers: <a href="/-/small/">pages in small parts</a>. For
e-readers: <a href="/-/book">several pages as one book</a>. For feed readers:
<a href="/-/feed">full-text feeds</a>. <a href="/-/compare">Compare methods</a> on a page, or see
<a href="/-/why">why something was removed</a>. <a href="/-/show">A bookmark</a> reads a page as it
stands in your own browser.{annotate}</p>
""")
_PROXY = Markup("""<h2>Read everywhere</h2>
<p>Set <code>{authority}</code> as your browser's HTTP proxy, and each article that you open is
shown so. The <a href="/-/setup">setup guide</a> has the steps for your system, with a live
check.</p>
""")
_HTTPS = Markup("""<h2 id="https">Read HTTPS pages too</h2>
{}
""")
_ANNOTATE = Markup("""
Or <a href="/-/annotate">annotate a page</a> for a test package.""")


def _nobody(_client: str) -> bool:
    return False


@dataclass(frozen=True)
class Home:
    """``/``: a form for an address, and a guide while HTTPS is off.

    ``annotates``: whether a client may annotate pages; ``https``: the switch for who may use it.
    """

    annotates: Callable[[str], bool] = _nobody
    https: Callable[[OwnRequest], HttpsState | None] = lambda _request: None

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        authority = request.base.split("//", 1)[1].rstrip("/")
        annotate = _ANNOTATE if self.annotates(request.head.client) else ""
        state, guide = self.https(request), _PROXY.format(authority=authority)
        if state is not None and not state.hosts:
            guide += _HTTPS.format(https_part(state))
        main = _FRONT.format(guide=guide, annotate=annotate, token=request.token)
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
