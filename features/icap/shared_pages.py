"""Pages that depend on no person: the other proxy may store them as their origin allows.

What a stored page depends on stands in a field of the request, which only REQMOD writes, and in
Vary: a page of other settings, or a request that REQMOD has not seen, finds none that is stored.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import LRUCache

from winnow.proxy.app.app import App
from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import Directives
from winnow.proxy.caching.freshness import lifetime
from winnow.proxy.caching.storing import SET_COOKIE, StoreMode, may_store
from winnow.proxy.decisions.eligibility import HTML_TYPES
from winnow.proxy.decisions.plan import RequestPlan
from winnow.proxy.http.headers import Headers, media_type
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.observability.activity import page_opened
from winnow.proxy.server.requests.exchange import Exchange

SHOWN: Final = "Winnow-Shown"
"""The field: a digest of what everybody's page at an address depends on."""
MOST: Final = 20_000
"""Pages that are remembered, for a few hundred bytes each."""
_SHARED: Final = StoreMode()
_MADE: Final = frozenset({"extracted", "tidied"})


@dataclass(frozen=True, slots=True)
class Shown:
    """What was made of a page, which may be stored until ``until`` (Unix time)."""

    until: float
    fields: Headers
    purpose: str
    words: int


@dataclass(frozen=True)
class SharedPages:
    """``tag``: of the settings. What each page was shown as, by its address and mark."""

    tag: str
    _known: LRUCache[tuple[str, str], Shown] = field(default_factory=lambda: LRUCache(MOST))

    async def mark(self, app: App, plan: RequestPlan) -> str:
        """The field's value; "" for no page, and one planned otherwise than for a nobody."""
        if not plan.may_be_page:
            return ""
        head = plan.head
        nobody = replace(head, headers=head.headers.without(("cookie",)), client="", user="")
        usual = await app.own.forward.planner(nobody, plan.forward, plan.policy)
        is_same = replace(plan, head=nobody) == usual and app.language(head) == app.language(nobody)
        return f"{self.tag[:8]}-{plan.mark}" if is_same else ""

    async def asked(self, app: App, exchange: Exchange, plan: RequestPlan) -> str:
        """The mark, where the page may be stored by now: observers hear that it is opened."""
        mark = await self.mark(app, plan)
        shown = self._known.get((plan.forward.target.url, mark))
        if not shown or shown.until < time.time():
            return ""
        exchange.purpose, exchange.words = shown.purpose, shown.words
        exchange.record(200, shown.fields)
        if opened := page_opened(exchange):
            app.observe(opened)
        return mark

    def learn(self, plan: RequestPlan, mark: str, exchange: Exchange, seconds: int) -> None:
        """What was made of a page that may be stored for so long, from its next request on."""
        found = exchange.response_headers
        if mark and seconds and found.get("winnow-action") in _MADE:
            fields = Headers(tuple(each for each in found if each[0].startswith("Winnow-")))
            shown = Shown(time.time() + seconds, fields, exchange.purpose, exchange.words)
            self._known[plan.forward.target.url, mark] = shown


def seconds_stored(request: Headers, reply: ResponseHead) -> int:
    """How long the origin lets a shared cache answer with its page; 0: not at all."""
    fields, now = reply.headers, time.time()
    is_page = reply.status == 200 and media_type(fields) in HTML_TYPES
    forbids = "no-cache" in Directives.of(fields) or fields.has_any(SET_COOKIE)
    if not is_page or forbids or not may_store(request, reply, _SHARED):
        return 0
    return int(lifetime(CacheEntry(200, "", fields, b"", now, now), _SHARED))
