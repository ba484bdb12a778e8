"""Learns sites from the pages that are served, in the background; merging memories is injected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, NamedTuple

from winnow.document.values import NO_KNOWLEDGE, SiteKnowledge
from winnow.proxy.access.address_kinds import AddressKind, kind_of, parse_address
from winnow.proxy.http.headers import cached_by_text
from winnow.proxy.http.request_target import Origin
from winnow.proxy.learning.recent_pages import RecentPages
from winnow.proxy.stores.site_keys import learned_key, learned_key_of
from winnow.proxy.stores.site_store import LARGEST, Merge, SiteNews, SiteStore, differences
from winnow.proxy.stores.store_errors import StoreError

_LOG = logging.getLogger("winnow.learning")
MOST_WAITING: Final = 256
"""Lessons that wait to be merged; of more, some are dropped."""
MAX_UNSAVED: Final = 300
"""Sites whose lessons wait for a store that fails; those that learned least recently go first."""
_OF_HOME: Final = (".local", ".localhost", ".internal", ".lan", ".home.arpa", ".intranet", ".corp")


@dataclass(frozen=True, slots=True)
class LearningRules:
    """``pages``: a memory of fewer is not used. ``private_hosts``: learn from these too.

    ``every``: seconds between two saves; a kill loses the lessons since the last.
    """

    pages: int = 8
    private_hosts: bool = False
    every: float = 20.0


def knowledge_of(host: str, memory: bytes, key: bytes, rules: LearningRules) -> SiteKnowledge:
    """What a site taught, as it counts for each page of a host, whoever asks: proxy, gateway, API,
    own pages and commands alike."""
    if not key or (is_private(host) and not rules.private_hosts):
        return NO_KNOWLEDGE
    return SiteKnowledge(memory, key, rules.pages)


class SiteLesson(NamedTuple):
    """What so many ``pages`` taught of a site."""

    site: str
    memory: bytes
    pages: int


@dataclass(slots=True)
class _Site:
    """``memory``: all lessons. ``used``: the one that recipes get, which changes less often.

    A change invalidates all renderings of the site: a quarter more pages must have come.
    """

    memory: bytes
    pages: int
    used: bytes = b""
    used_pages: int = 0
    news: int = 0

    def settle(self, least: int, news: int = 1) -> None:
        """Use the memory from now on, if it is of enough pages, and of enough new ones."""
        self.news += news
        if self.pages >= least and self.news >= self.used_pages // 4:
            self.used, self.used_pages, self.news = self.memory, self.pages, 0


@dataclass
class LearningService:
    """What was learned of sites, read without waiting; ``pages_of``: the pages of a memory."""

    store: SiteStore
    merge: Merge
    pages_of: Callable[[bytes], int]
    rules: LearningRules = field(default_factory=LearningRules)
    rows: RecentPages | None = None
    """The last pages of sites, where the settings allow to keep them."""
    _key: bytes = b""
    _sites: dict[str, _Site] = field(default_factory=dict)
    _stamps: dict[str, int] = field(default_factory=dict)
    _latest: int = 0
    """The greatest of these."""
    _unsaved: dict[str, bytes] = field(default_factory=dict)
    _waiting: asyncio.Queue[SiteLesson] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING))
    _one_by_one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Load the memories and start merging lessons; a store that fails is tried again later."""
        await self.save()
        self._task = asyncio.create_task(self._run())

    async def aclose(self) -> None:
        """Merge and save pending lessons."""
        if self.rows is not None:
            await self.rows.aclose()
        if self._task is not None:
            if not self._task.done():
                await self._waiting.join()
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            await self.save()
        await self.store.aclose()

    def knowledge(self, origin: Origin) -> SiteKnowledge:
        """The knowledge for recipes of an origin's pages, which teach in their turn."""
        site = self._sites.get(learned_key(origin))
        found = knowledge_of(origin.host, site.used if site else b"", self._key, self.rules)
        if found is NO_KNOWLEDGE:
            return found
        return replace(found, learn=True, rows=self.rows is not None)

    def take(self, url: str | None, lesson: bytes, row: bytes = b"") -> None:
        """A lesson of the page at ``url``, to be merged soon; its row stays in memory."""
        site = learned_key_of(url)
        if not url or not site:
            return
        if lesson:
            self.taught(site, lesson)
        if row and self.rows is not None:
            self.rows.take(site, url, row)

    def taught(self, site: str, lesson: bytes, pages: int = 1) -> None:
        """The lesson of so many pages, to be merged; dropped where too many wait."""
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait(SiteLesson(site, lesson, pages))

    async def settled(self) -> None:
        """Return when all pending lessons are merged."""
        if self.rows is not None:
            await self.rows.settled()
        await self._waiting.join()

    async def save(self) -> None:
        """Save the lessons since the last time, and load what other processes learned."""
        async with self._one_by_one:
            await self._save()

    async def forget(self, sites: frozenset[str]) -> None:
        """Forget these sites. Raises StoreError."""
        if self.rows is not None:
            self.rows.forget(sites)
        async with self._one_by_one:
            await self._save()
            await self.store.forget(sites)
            await self._refresh()

    def memories(self) -> Mapping[str, bytes]:
        """All memories by site."""
        return {name: site.memory for name, site in sorted(self._sites.items())}

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + self.rules.every
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    lessons = [await self._waiting.get()]
                lessons += [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]
                async with self._one_by_one:
                    await self._fold(lessons)
                for _ in lessons:
                    self._waiting.task_done()
            if loop.time() >= due:
                await self.save()
                due = loop.time() + self.rules.every

    async def _fold(self, lessons: Sequence[SiteLesson]) -> None:
        """Merge all that wait at once: most of the cost is the change of threads."""
        by_site: dict[str, list[SiteLesson]] = {}
        for lesson in lessons:
            by_site.setdefault(lesson.site, []).append(lesson)
        tasks = [
            (self._site(name).memory, self._unsaved.get(name, b""), [one.memory for one in news])
            for name, news in by_site.items()
        ]
        folded = await asyncio.to_thread(lambda: [self._folded(*task) for task in tasks])
        for (name, news), (memory, unsaved) in zip(by_site.items(), folded, strict=True):
            self._unsaved.pop(name, None)
            self._unsaved[name] = unsaved
            site = self._sites[name] = self._site(name)
            site.memory, site.pages = memory, self.pages_of(memory)
            site.settle(self.rules.pages, sum(one.pages for one in news))
        self._drop_surplus()

    def _drop_surplus(self) -> None:
        """Forget sites that no store holds beyond ``MAX_UNSAVED``: a disk may stay read-only."""
        for name in list(self._unsaved)[:-MAX_UNSAVED]:
            del self._unsaved[name]
            if name not in self._stamps:
                self._sites.pop(name, None)

    def _site(self, name: str) -> _Site:
        return self._sites.get(name) or _Site(b"", 0)

    def _folded(self, memory: bytes, unsaved: bytes, news: Sequence[bytes]) -> tuple[bytes, bytes]:
        learned = reduce(self._merged, news, b"")
        return self._merged(memory, learned), self._merged(unsaved, learned)

    async def _save(self) -> None:
        lessons, self._unsaved = self._unsaved, {}
        try:
            self._key = self._key or await self.store.secret()
            if lessons:
                await self.store.fold(lessons)
            await self._refresh(lessons.keys())
        except StoreError as error:
            _LOG.warning("What was learned is not saved yet: %s", error)
            self._unsaved = lessons

    def _merged(self, left: bytes, right: bytes) -> bytes:
        try:
            merged = self.merge(left, right)
        except ValueError as error:
            _LOG.warning("A lesson cannot be read: %s", error)
            return left
        return merged if len(merged) <= LARGEST else left

    async def _refresh(self, saved: Collection[str] = ()) -> None:
        """Take over what changed in the store since it was last looked at; ``saved``: just now."""
        news = await self.store.news(self._latest)
        if len(news.stamps) < news.count and self._adds_up(news):
            await self._take_over(news.stamps, saved)
        else:  # some are gone, or all are listed anyway
            whole = len(news.stamps) == news.count
            await self._take_over_all(dict(news.stamps if whole else await self.store.stamps()))

    async def _take_over(self, stamps: Mapping[str, int], saved: Collection[str]) -> None:
        """The sites of these numbers; who was saved and is not stored went beyond the bounds."""
        lost = {name for name in saved if name not in stamps and name not in self._stamps}
        self._drop(lost & self._sites.keys())
        await self._recall(
            {name for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        )
        self._stamps.update(stamps)
        self._latest = max([self._latest, *stamps.values()])

    async def _take_over_all(self, stamps: dict[str, int]) -> None:
        # In a thread: of 100,000 sites it takes longer than the loop may be held.
        known = self._stamps, stamps, self._sites
        changed, gone = await asyncio.to_thread(differences, *known)
        self._drop(gone)
        await self._recall(changed)
        self._stamps, self._latest = stamps, max(stamps.values(), default=0)

    def _drop(self, names: set[str]) -> None:
        for name in names - self._unsaved.keys():
            del self._sites[name]

    def _adds_up(self, news: SiteNews) -> bool:
        """Whether the sites known and those that are new are all that there are."""
        new = sum(name not in self._stamps for name in news.stamps)
        return len(self._stamps) + new == news.count

    async def _recall(self, changed: Collection[str]) -> None:
        for name, memory in (await self.store.recall(changed)).items():
            unsaved = self._unsaved.get(name, b"")
            whole = await asyncio.to_thread(self._merged, memory, unsaved) if unsaved else memory
            site = self._sites.setdefault(name, _Site(b"", 0))
            if site.memory != whole:
                site.memory, site.pages = self._readable(name, whole)
                site.settle(self.rules.pages)

    def _readable(self, name: str, memory: bytes) -> tuple[bytes, int]:
        """A memory and its pages; what cannot be read is nothing, and lessons will replace it."""
        try:
            return memory, self.pages_of(memory)
        except ValueError as error:
            _LOG.warning("The memory of %s cannot be read, and is learned again: %s", name, error)
            return b"", 0


@cached_by_text
def is_private(host: str) -> bool:
    """Whether a host is of a home or an office: by its name or address, without asking DNS."""
    address = parse_address(host)
    if address is not None:
        return kind_of(address) is not AddressKind.PUBLIC
    name = host.lower().removesuffix(".")
    return "." not in name or name.endswith(_OF_HOME)
