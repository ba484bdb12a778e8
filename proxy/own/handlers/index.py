"""The start page, and health and readiness for monitoring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from winnow.proxy.own.handlers.page_parameters import scheme_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown, text
from winnow.proxy.own.templates.front_page import FrontView, front_page
from winnow.proxy.own.templates.https_form import HttpsState


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
