"""The last pages of each site as rows of hashes, in memory only, and learning from them.

The function that learns is injected and runs in a thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

_LOG = logging.getLogger("winnow.rows")
LARGEST: Final = 1 << 20
"""Bytes of one row; a page of more tokens is none that is like its neighbours."""
_KEY: Final = 8

Learn = Callable[[Sequence[bytes]], bytes]
"""What rows of one site, oldest first, amount to; raises ValueError for bytes that are none."""
Taught = Callable[[str, bytes, int], None]
"""Called with a site, the memory learned, and the number of new pages."""


@dataclass(frozen=True, slots=True)
class RecentPagesLimits:
    """``last``: rows of a site at most. ``least``: fewer are not learned from.

    ``size``: bytes of all sites; the least recently read sites are dropped.
    """

    last: int = 50
    least: int = 8
    size: int = 64 << 20


@dataclass(slots=True)
class _Pages:
    """The rows of one site by address, oldest first; ``news``: those not learned from yet."""

    rows: OrderedDict[bytes, bytes] = field(default_factory=OrderedDict)
    news: int = 0

    @property
    def size(self) -> int:
        return sum(map(len, self.rows.values()))

    def put(self, address: bytes, row: bytes, last: int) -> None:
        """A page that is read again takes its own place."""
        if self.rows.pop(address, None) != row:
            self.news += 1
        self.rows[address] = row
        while len(self.rows) > last:
            self.rows.popitem(last=False)

    def is_due(self, least: int) -> bool:
        """Whether to learn again: a quarter of the rows is new."""
        return len(self.rows) >= least and self.news >= max(len(self.rows) // 4, 1)


@dataclass
class RecentPages:
    """Rows by site, and the task that learns from them."""

    learn: Learn
    taught: Taught
    limits: RecentPagesLimits = field(default_factory=RecentPagesLimits)
    _sites: OrderedDict[str, _Pages] = field(default_factory=OrderedDict)
    _due: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    _task: asyncio.Task[None] | None = None

    def take(self, site: str, url: str, row: bytes) -> None:
        """Take the row of a page; never waits."""
        if not row or len(row) > LARGEST:
            return
        pages = self._sites.setdefault(site, _Pages())
        self._sites.move_to_end(site)
        before = pages.is_due(self.limits.least)
        pages.put(blake2b(url.encode(), digest_size=_KEY).digest(), row, self.limits.last)
        self._shrink()
        if site in self._sites and pages.is_due(self.limits.least) and not before:
            self._due.put_nowait(site)
            self._task = self._task or asyncio.create_task(self._run())

    def forget(self, sites: Collection[str]) -> None:
        """Forget the rows of these sites."""
        for site in sites:
            self._sites.pop(site, None)

    async def settled(self) -> None:
        """Return when all that was due is learned."""
        await self._due.join()

    async def aclose(self) -> None:
        """Stop learning, and forget everything."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._sites.clear()

    @property
    def size(self) -> int:
        """Bytes of all rows."""
        return sum(pages.size for pages in self._sites.values())

    def _shrink(self) -> None:
        while self._sites and self.size > self.limits.size:
            self._sites.popitem(last=False)

    async def _run(self) -> None:
        while True:
            site = await self._due.get()
            await self._learned(site)
            self._due.task_done()

    async def _learned(self, site: str) -> None:
        pages = self._sites.get(site)
        if pages is None:
            return  # forgotten meanwhile
        rows, news, pages.news = list(pages.rows.values()), pages.news, 0
        try:
            memory = await asyncio.to_thread(self.learn, rows)
        except Exception:  # noqa: BLE001 - what pages teach must not end what serves them
            _LOG.exception("nothing learned of %s", site)
            return
        if memory and site in self._sites:
            self.taught(site, memory, news)
