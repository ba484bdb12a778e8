"""Which requests of a page that is drawn may go out. Pure but for its count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

UNREAD: Final = frozenset({"Image", "Media", "Font", "TextTrack", "Ping", "Prefetch"})
"""Kinds (DevTools protocol, Network.ResourceType) that no text comes from."""


def none_refused(_url: str, _kind: str) -> bool:
    """For a page without lists of hosts that are not asked."""
    return False


@dataclass
class RequestGate:
    """At most ``most`` requests go out; ``refuses`` is asked with each address and kind."""

    most: int
    refuses: Callable[[str, str], bool] = none_refused
    seen: int = 0

    def passes(self, url: str, kind: str) -> bool:
        """Whether this request may go out; counts it if so."""
        if kind in UNREAD or self.refuses(url, kind):
            return False
        self.seen += 1
        return self.seen <= self.most
