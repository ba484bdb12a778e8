"""Pages as they were sent last, each beside what it was made of; makes none.

A page is a pure function of the origin's reply and of the plan for the request. So what was made
for a request is made for its equals too, as long as the plan and the reply are the same.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from document.values import Page
from proxy.caching.answers import EntryAnswer
from proxy.caching.entry import Entry
from proxy.headers import Field, Headers
from proxy.plans import Plan
from proxy.recurring import Recurring
from proxy.upstream.client import Answer
from proxy.upstream.replies import ReplyHead
from proxy.verdicts import Extract

LIMIT: Final = 16 * 1024 * 1024
"""Bytes of all pages that are kept, origins' and ours together."""
VOLATILE: Final = frozenset({"age", "cache-status", "date", "server-timing"})
"""Fields that change from reply to reply and decide nothing over the page."""

Told = tuple[int, tuple[int, int], tuple[Field, ...]]
"""A reply's head, less what is volatile."""


@dataclass(frozen=True, slots=True)
class Made:
    """``page`` was sent as ``headers`` and ``body`` by a plan and a decision over the reply's head.

    ``told`` is that head; ``entry`` the stored reply that it came from, if any; ``raw`` counts the
    page's bytes as they came.
    """

    plan: Plan
    told: Told
    decision: Extract
    page: Page
    raw: int
    entry: Entry | None
    headers: Headers
    body: bytes
    reason: str = ""

    @property
    def size(self) -> int:
        """Bytes that it keeps in memory, if nobody else does."""
        stored = len(self.entry.body) if self.entry else 0
        return len(self.page.body) + stored + len(self.body)


class Makings:
    """The pages wanted last; each is put down where its request is known by."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._sizes: OrderedDict[Recurring, int] = OrderedDict()
        self._total = 0

    @property
    def size(self) -> int:
        """Bytes kept now."""
        return self._total

    def keep(self, recurring: Recurring, made: Made) -> None:
        """Put down what was made; those not wanted for longest go."""
        self._drop(recurring)
        if not recurring.lasting or made.size > self._limit // 8:
            return
        recurring.made = made
        self._sizes[recurring] = made.size
        self._total += made.size
        while self._total > self._limit:
            self._drop(next(iter(self._sizes)))

    def use(self, recurring: Recurring) -> None:
        """What was made for this request is wanted again: others go before it."""
        if recurring in self._sizes:
            self._sizes.move_to_end(recurring)

    def _drop(self, recurring: Recurring) -> None:
        recurring.made = None
        self._total -= self._sizes.pop(recurring, 0)


def told_by(reply: ReplyHead) -> Told:
    """What of a reply's head decides over the page."""
    return reply.status, reply.version, reply.headers.without(VOLATILE).fields


def entry_of(reply: Answer) -> Entry | None:
    """The stored reply that an answer tells as a whole, if it comes from one."""
    return reply.entry if isinstance(reply, EntryAnswer) and reply.is_whole else None


def news_of(reply: Answer) -> tuple[Field, ...]:
    """What of an answer's head is told anew each time."""
    if isinstance(reply, EntryAnswer):
        return reply.news
    return tuple([field for field in reply.head.headers if field[0].lower() in VOLATILE])


def last_made(recurring: Recurring, plan: Plan) -> Made | None:
    """What was made for an equal request by this very plan."""
    made = recurring.made
    return made if isinstance(made, Made) and made.plan is plan else None
