"""Which origins are browser extensions', what they may ask, and the code that pairs one. Pure.

A code needs no store: it is an HMAC (RFC 2104) over its owner, his pairings as they are and the
time. A pairing changes these, so that each code counts once.
"""

from __future__ import annotations

import hmac
import json
import re
from base64 import b32encode
from datetime import datetime
from typing import Final

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.stores.paired_extensions import Paired, holder, of_owner

EXTRACT_PATH: Final = "/-/api/extract"
PAIR_PATH: Final = "/-/api/pair"
PAGE_PATH: Final = "/-/api/page"
SAVE_PATH: Final = "/-/api/save"
KEY_FIELD: Final = "winnow-pairing"
CODE_MINUTES: Final = 10
"""A code holds as long, and up to as long again."""
_PATHS: Final = frozenset({EXTRACT_PATH, PAIR_PATH, PAGE_PATH, SAVE_PATH})
_ORIGIN: Final = re.compile(r"(?:moz|chrome|safari-web)-extension://[A-Za-z0-9-]{1,64}\Z")
_LETTERS: Final = 12
"""60 bits."""


def extension_origin(head: RequestHead) -> str:
    """The origin of the extension that sent the request: no page of a site has such a one."""
    origin = head.headers.joined("origin")
    return origin if _ORIGIN.match(origin) else ""


def is_let_in(head: RequestHead, path: str, paired: Paired) -> bool:
    """Whether an extension may send this: with its key, to ask whether it may, or to be paired."""
    origin = extension_origin(head)
    if not origin or path not in _PATHS or head.method not in ("POST", "OPTIONS"):
        return False
    if path == PAIR_PATH:
        return True
    if head.method == "OPTIONS":  # a preflight holds no key
        return any(each.origin == origin for each in paired)
    return holder(paired, origin, head.headers.get(KEY_FIELD)) is not None


def pairing_code(tokens: FormTokens, owner: str, paired: Paired, now: datetime) -> str:
    """The code that pairs ``owner``'s next extension, such as ``ABCD-EFGH-IJKL``."""
    return _code(tokens, owner, paired, _step(now))


def is_pairing_code(
    text: str, tokens: FormTokens, owner: str, paired: Paired, now: datetime
) -> bool:
    """Whether a typed text is the code, of now or of the step before."""
    typed = re.sub(r"[^A-Z2-7]", "", text[:40].upper()).encode()
    steps = (_step(now), _step(now) - 1)
    codes = [_code(tokens, owner, paired, step).replace("-", "").encode() for step in steps]
    return any(hmac.compare_digest(typed, code) for code in codes)


def _step(now: datetime) -> int:
    return int(now.timestamp()) // (60 * CODE_MINUTES)


def _code(tokens: FormTokens, owner: str, paired: Paired, step: int) -> str:
    own = [each.digest for each in of_owner(paired, owner)]
    signed = json.dumps(["pair", owner, own, step]).encode()
    text = b32encode(hmac.digest(tokens.key, signed, "sha256")).decode()[:_LETTERS]
    return "-".join(text[at : at + 4] for at in range(0, _LETTERS, 4))
