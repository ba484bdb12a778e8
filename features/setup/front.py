"""The front page: a form for an address, and the way to HTTPS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from winnow.features.setup.https_switch import HttpsState
from winnow.features.setup.next_step import next_step
from winnow.features.setup.setup_check import FRAMES
from winnow.proxy.own.handlers.page_parameters import scheme_of
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_headers, page_of

_TEMPLATE: Final = page_template(__package__, "front.html")
FRONT_STYLE: Final = STYLE + own_file(__package__, "front.css")


@dataclass(frozen=True, slots=True)
class FrontView:
    """``authority``: the proxy's address; ``https``: the switch, None for who may not use it.

    ``left_alone``: the sites that are never changed, the latest last. ``through``: the scheme by
    which the request came through the proxy, "" if directly; ``opened``: HTTPS is on.
    """

    token: str
    authority: str
    https: HttpsState | None = None
    annotates: bool = False
    left_alone: Sequence[str] = ()
    through: str = ""
    opened: bool = False


def front_page(view: FrontView) -> HtmlPage:
    """The start page: a form for an address, the guide, and the ways to everything else."""
    page = page_of(_TEMPLATE, style=FRONT_STYLE, kind="front", view=view, next_step=next_step)
    return page.with_headers(page_headers(FRAMES, FRONT_STYLE))


def _nobody(_client: str) -> bool:
    return False


@dataclass(frozen=True)
class Home:
    """``/``: a form for an address, and a guide while HTTPS is off.

    ``annotates``: whether a client may annotate pages; ``https``: the switch for who may use it;
    ``left_alone``: the sites that are never changed for an owner, the latest last.
    """

    annotates: Callable[[str], bool] = _nobody
    https: Callable[[OwnRequest], HttpsState | None] = lambda _request: None
    left_alone: Callable[[str], Sequence[str]] = lambda _owner: ()
    opened: bool = False
    """Whether HTTPS is opened on any host."""

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        authority = request.base.split("//", 1)[1].rstrip("/")
        view = FrontView(
            request.token,
            authority,
            self.https(request),
            self.annotates(request.head.client),
            self.left_alone(request.head.owner),
            scheme_of(request),
            self.opened,
        )
        return shown(front_page(view))
