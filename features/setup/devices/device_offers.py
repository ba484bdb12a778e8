"""``/-/pair``: a phone that read the code beside a new password is let in without typing it.

The code holds a token in the address's fragment, which no request and no log has; it is spent by a
form's button, since a camera opens the address to show what it is.
"""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Final

from winnow.feature import Opening
from winnow.proxy.access.admission import DEVICE_COOKIE
from winnow.proxy.own.handlers.form_checks import form_fields
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import page_of

PAIR: Final = "/-/pair"
SECONDS: Final = 300
_KEPT: Final = 400 * 24 * 3600
"""Longest life of a cookie in seconds (RFC 6265bis, section 5.5)."""
_ASK: Final = page_template(__package__, "pair.html")
_DONE: Final = page_template(__package__, "paired.html")
_SCRIPT: Final = own_file(__package__, "pair.js")


@dataclass
class DeviceOffers:
    """The password that was made last, by its token: once, for five minutes, in memory alone."""

    clock: Callable[[], float] = time.monotonic
    _offered: dict[str, tuple[str, float]] = field(default_factory=dict)

    def offer(self, user: str, password: str) -> str:
        """The token of what is offered now; none before it counts any more."""
        token, word = token_urlsafe(12), b64encode(f"{user}:{password}".encode()).decode()
        self._offered = {token: (word, self.clock() + SECONDS)}
        return token

    def take(self, token: str) -> str:
        """User and password as RFC 7617 writes them; "" for a token that is spent or too old."""
        word, end = self._offered.pop(token, ("", 0.0))
        return word if self.clock() < end else ""


@asynccontextmanager
async def opened(_opening: Opening) -> AsyncIterator[tuple[DeviceOffers]]:
    """They outlast the change of settings that lets devices in."""
    yield (DeviceOffers(),)


@dataclass(frozen=True)
class PairPage:
    """GET shows the button; POST spends the token and gives the device its cookie."""

    offers: DeviceOffers

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        if request.head.method != "POST":
            return shown(page_of(_ASK, script=_SCRIPT, menu=None, failed=False))
        word = self.offers.take((await form_fields(request)).get("token", ""))
        if not word:
            page = page_of(_ASK, status=403, script=_SCRIPT, menu=None, failed=True)
            return shown(page)
        kept = f"{DEVICE_COOKIE}={word}; Path=/; Max-Age={_KEPT}; HttpOnly; SameSite=Lax"
        return shown(page_of(_DONE).with_headers({"Set-Cookie": kept}))
