"""Health and readiness for monitoring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from winnow.proxy.own.router import OwnRequest, OwnResponse, only, text


async def health(request: OwnRequest) -> OwnResponse:
    """``/-/live`` and ``/-/health``: the process answers."""
    only(request, "GET", "HEAD")
    return text("ok\n")


class Ready:
    """``/-/ready``: whether a load balancer should send requests here.

    503 while Winnow starts or stops. Extraction does not count, and neither does a Redis: without
    them pages go through.
    """

    def __init__(
        self, not_ready: Callable[[], str], notes: Callable[[], Sequence[str]] = tuple
    ) -> None:
        """``not_ready``: why not; "" if it should. ``notes``: what is lacking all the same."""
        self._not_ready, self._notes = not_ready, notes

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        why = self._not_ready()
        return text(f"{why}\n", 503) if why else text("\n".join(("ready", *self._notes(), "")))
