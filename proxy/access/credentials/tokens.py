"""Tokens that prove that a form is ours, for one purpose and a limited time.

A token is an HMAC (RFC 2104) over its purpose and expiry.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from winnow.proxy.access.address_kinds import is_local

REACH_COOKIE: Final = "winnow-reach"
REACH_SECONDS: Final = 60
"""How long an address entered on our own page may be opened; one redirect needs it."""
LIFE = timedelta(hours=12)
_STEP = 6 * 3600
"""Seconds: tokens of one such step are equal, so that a page stays the same bytes."""
_MAX_TOKEN = 64


@dataclass(slots=True)
class FormTokens:
    """Makes and checks tokens; valid for all processes that have the same key.

    Bind a token to the client that sends the form and to all that the form changes. It may stand
    in own pages alone, never in a page of a site.
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _previous_key: bytes = field(default=b"", repr=False)

    def adopt(self, key: bytes) -> None:
        """Use another process's key; tokens of the previous key stay valid until they expire."""
        if key != self.key:
            self._previous_key, self.key = self.key, key

    def make(self, purpose: str, now: datetime) -> str:
        """A token for ``purpose``, valid for 12 to 18 hours."""
        expiry = self._expiry(now)
        return f"{expiry:x}.{_mac(self.key, purpose, expiry)}"

    def _expiry(self, now: datetime) -> int:
        return (int((now + LIFE).timestamp()) // _STEP + 1) * _STEP

    def holds(self, token: str, purpose: str, now: datetime) -> bool:
        """Whether ``token`` was made for ``purpose`` and has not expired at ``now``."""
        end, _, mac = token[:_MAX_TOKEN].partition(".")
        try:
            expiry = int(end, 16)
        except ValueError:
            return False
        given = mac.encode("utf-8", "replace")
        keys = [key for key in (self.key, self._previous_key) if key]
        genuine = [hmac.compare_digest(given, _mac(key, purpose, expiry).encode()) for key in keys]
        return any(genuine) and now.timestamp() < expiry


def form_purpose(client: str) -> str:
    """The purpose of tokens in own forms that take an address."""
    return f"own-form {_place(client)}"


def reach_purpose(client: str, origin: str) -> str:
    """The purpose of the token that opens one origin for one client."""
    return f"reach {_place(client)} {origin}"


def _place(client: str) -> str:
    return "loopback" if is_local(client) else client


@lru_cache(maxsize=16)
def _mac(key: bytes, purpose: str, expiry: int) -> str:
    digest = hmac.digest(key, f"{expiry:x}\n{purpose}".encode(), "sha256")
    return urlsafe_b64encode(digest[:18]).decode()
