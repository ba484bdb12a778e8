"""The last pages that each client opened, in memory, to be shown to that client alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final

from cachetools import LRUCache

from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.observability.events import Event, PageOpened
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.stores.notices import Notify, notify_nobody

PAGES_EACH: Final = 200
MAX_CLIENTS: Final = 64
LONGEST_ADDRESS: Final = 2048
"""Characters; of a longer address the origin is listed."""
_OF_ANOTHER_PROXY: Final = ("forwarded", "x-forwarded-for", "via")
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class ActivityChange(StrEnum):
    """What a client changes about its own list."""

    CLEAR = "clear"
    PATHS = "paths"
    NO_PATHS = "no-paths"


def is_listed(head: RequestHead) -> bool:
    """Whether a request is one person's: a signed-in user's, or of this computer.

    Behind another proxy on this computer there may be several.
    """
    is_here = is_local(head.client) and not head.headers.has_any(_OF_ANOTHER_PROXY)
    return bool(head.user) or is_here


def page_opened(exchange: Exchange) -> PageOpened | None:
    """The event of a page that a person opened; None for any other request, and for redirects."""
    head, fields = exchange.head, exchange.response_headers
    if not exchange.page or not is_listed(head) or exchange.status in _REDIRECTS:
        return None
    action, reason = fields.get("winnow-action"), fields.get("winnow-reason")
    seconds = time.perf_counter() - exchange.begun
    return PageOpened(
        owner=head.owner,
        url=exchange.page,
        is_intercepted=head.inside is not None,
        at=time.time() - seconds,
        action="failed" if reason.startswith("origin-") or not exchange.status else action,
        reason=reason,
        method=fields.get("winnow-extractor"),
        purpose=exchange.purpose,
        seconds=seconds,
        by_reader=exchange.by_reader,
        words=exchange.words,
        number=exchange.number,
    )


class ActivityLog:
    """An Observer that keeps the pages of each owner (RequestHead.owner)."""

    def __init__(self) -> None:
        self._pages: LRUCache[str, deque[PageOpened]] = LRUCache(MAX_CLIENTS)
        self._with_paths: LRUCache[str, bool] = LRUCache(MAX_CLIENTS)
        self.notify: Notify = notify_nobody
        """Awaited with owner and change, so that other processes make it too."""
        self._enabled = True

    def switch(self, *, enabled: bool) -> None:
        """Keep pages or not; those kept before are dropped where not."""
        self._enabled = enabled
        if not enabled:
            self._pages.clear()

    def keeps(self, head: RequestHead) -> bool:
        """Whether pages that this client opens are kept."""
        return self._enabled and is_listed(head)

    def __call__(self, event: Event) -> None:
        """Keep a page that was opened."""
        if self._enabled and isinstance(event, PageOpened):
            pages = self._pages.setdefault(event.owner, deque(maxlen=PAGES_EACH))
            pages.append(self._kept(event))

    def _kept(self, event: PageOpened) -> PageOpened:
        """The path of an opened HTTPS page is kept with its reader's consent alone."""
        hidden = event.is_intercepted and not self.lists_paths(event.owner)
        if not event.is_whole or not (hidden or len(event.url) > LONGEST_ADDRESS):
            return event
        return replace(event, url=str(parse_url(event.url).origin), is_whole=False)

    def of(self, owner: str) -> tuple[PageOpened, ...]:
        """The pages of an owner, the latest last."""
        return tuple(self._pages.get(owner, ()))

    def lists_paths(self, owner: str) -> bool:
        """Whether an owner wants the paths of opened HTTPS pages in the list."""
        return self._with_paths.get(owner, False)

    async def change(self, owner: str, change: ActivityChange) -> None:
        """Change an owner's list, here and in other processes."""
        self.on_notify([owner, change.value])
        await self.notify([owner, change.value])

    def on_notify(self, message: Sequence[str]) -> None:
        """An owner changed the list, here or in another process of ours."""
        owner, change = message
        match ActivityChange(change):
            case ActivityChange.CLEAR:
                self._pages.pop(owner, None)
            case ActivityChange.PATHS:
                self._with_paths[owner] = True
            case ActivityChange.NO_PATHS:
                self._with_paths.pop(owner, None)
                self._pages[owner] = deque(map(self._kept, self.of(owner)), PAGES_EACH)


@dataclass(frozen=True)
class Activities:
    """The pages that clients opened: here, and asked for by client in the other processes."""

    log: ActivityLog
    elsewhere: Callable[[str], Awaitable[list[Any]]]

    async def pages(self, owner: str) -> tuple[PageOpened, ...]:
        """The last pages that an owner opened, in all processes, the latest first."""
        rows = [row for found in await self.elsewhere(owner) for row in found or ()]
        pages = (*self.log.of(owner), *(PageOpened(*row) for row in rows))
        return tuple(sorted(pages, key=attrgetter("at"), reverse=True)[:PAGES_EACH])

    async def address(self, owner: str, number: str) -> str:
        """The page that an owner opened by the request of this number; "" where it is not known."""
        for page in await self.pages(owner):
            if page.number == number and page.is_whole:
                return page.url
        return ""
