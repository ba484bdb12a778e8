"""What GET has said of pages lately, so that HEAD says the same (RFC 9110, section 9.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from winnow.proxy.decisions.response_headers import RepresentationShape
from winnow.proxy.http.reasons import WinnowAction

MOST_KNOWN: Final = 1024


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What the fields of a transformed page depend on besides the origin's head.

    ``action``: None where its body decides. ``instead``: as in Rendered.
    """

    action: WinnowAction | None
    extractor: str
    shape: RepresentationShape
    tag: str
    instead: str = ""


KnownPages = LRUCache[tuple[str, str, str], KnownPage]
"""By address, mark of the plan, and the origin's validator."""
