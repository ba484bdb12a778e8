"""Pages as they were sent last, each beside what it was made of; makes none.

A page is a pure function of the origin's reply and of the plan for the request. So what was made
for a request is made for its equals too, as long as the plan and the reply are the same.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from document.values import Page, Rendered
from proxy.caching.entry import Entry
from proxy.dressing import Dressed
from proxy.headers import Headers
from proxy.plans import Plan
from proxy.recurring import Recurring

LIMIT: Final = 16 * 1024 * 1024
"""Bytes of all pages that are kept, origins' and ours together."""
VOLATILE: Final = frozenset({"age", "cache-status", "server-timing"})
"""Fields that are told anew each time a stored reply is used."""


@dataclass(frozen=True, slots=True)
class Made:
    """``page`` became ``rendered`` and ``dressed``; ``raw`` counts its bytes as they came.

    ``entry`` is the stored reply that it came from, if any; ``headers`` and ``reason`` are those
    that were sent then, less what is volatile.
    """

    plan: Plan
    page: Page
    raw: int
    rendered: Rendered
    dressed: Dressed
    entry: Entry | None
    headers: Headers
    reason: str = ""

    @property
    def size(self) -> int:
        """Bytes that it keeps in memory, if nobody else does."""
        stored = len(self.entry.body) if self.entry else 0
        return len(self.page.body) + stored + len(self.rendered.body) + len(self.dressed.body)


class Makings:
    """The pages made last; each is put down where its request is known by."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._sizes: OrderedDict[Recurring, int] = OrderedDict()
        self._total = 0

    @property
    def size(self) -> int:
        """Bytes kept now."""
        return self._total

    def keep(self, recurring: Recurring, made: Made) -> None:
        """Put down what was made; the oldest go where it is too much in all."""
        self._drop(recurring)
        if not recurring.lasting or made.size > self._limit // 8:
            return
        recurring.made = made
        self._sizes[recurring] = made.size
        self._total += made.size
        while self._total > self._limit:
            self._drop(next(iter(self._sizes)))

    def _drop(self, recurring: Recurring) -> None:
        recurring.made = None
        self._total -= self._sizes.pop(recurring, 0)


def last_made(recurring: Recurring, plan: Plan) -> Made | None:
    """What was made for an equal request by this very plan."""
    made = recurring.made
    return made if isinstance(made, Made) and made.plan is plan else None
