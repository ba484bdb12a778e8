"""Tokens that prove that a form was made by us, for one purpose, not long ago.

Pure but for the key drawn at the start: a token is an HMAC (RFC 2104) over purpose and time of
ending. Refuses to know what a purpose means.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

LIFE = timedelta(hours=12)
_STEP = 6 * 3600
"""Seconds: tokens made within one such step are equal, so that a page stays the same bytes."""
_MAX_TOKEN = 64


@dataclass(slots=True)
class FormTokens:
    """Makes and checks tokens; those of another run are not valid, unless it has the same key.

    Bind a token to who is to send the form and to all that the form changes. It may stand in pages
    of our own origin alone, never in a page of a site.
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _before: bytes = field(default=b"", repr=False)

    def adopt(self, key: bytes) -> None:
        """Go by the key of others from now on; what was made before is good as long as it was."""
        if key != self.key:
            self._before, self.key = self.key, key

    def make(self, purpose: str, now: datetime) -> str:
        """A token for ``purpose``, good for half a day and up to six hours more."""
        ends = self._ends(now)
        return f"{ends:x}.{_mac(self.key, purpose, ends)}"

    def _ends(self, now: datetime) -> int:
        return (int((now + LIFE).timestamp()) // _STEP + 1) * _STEP

    def holds(self, token: str, purpose: str, now: datetime) -> bool:
        """Whether ``token`` was made for ``purpose`` and has not ended at ``now``."""
        end, _, mac = token[:_MAX_TOKEN].partition(".")
        try:
            ends = int(end, 16)
        except ValueError:
            return False
        said = mac.encode("utf-8", "replace")
        keys = [key for key in (self.key, self._before) if key]
        genuine = [hmac.compare_digest(said, _mac(key, purpose, ends).encode()) for key in keys]
        return any(genuine) and now.timestamp() < ends


@lru_cache(maxsize=16)
def _mac(key: bytes, purpose: str, ends: int) -> str:
    digest = hmac.digest(key, f"{ends:x}\n{purpose}".encode(), "sha256")
    return urlsafe_b64encode(digest[:18]).decode()
