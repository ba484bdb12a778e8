"""Hit rates of the caches by what decides which instance a request goes to: a simulation.

Where there are too many page views, only the pages of some sites are followed, with as much less
room in each cache; hit rates stay the same (spatial sampling: Waldspurger et al., Efficient MRC
Construction with SHARDS, FAST 2015).
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from benchmarks.fleet.assumptions import Machine, Reading

MOST_VIEWS: Final = 200_000
"""Page views that are followed, half of them to fill the caches."""
HOUR: Final = 3600.0


class Placement(StrEnum):
    """Who decides which instance gets a request."""

    ANY = "any instance"
    BY_READER = "by reader"
    BY_SITE = "by site"
    ANY_SHARED = "any, Redis shared"


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares: of page views from the cache, and fetched but rendered before; of objects."""

    kept: float
    again: float
    objects: float


@dataclass
class ByteLru:
    """A cache of so many bytes; the least recently used goes."""

    room: float
    _entries: OrderedDict[object, tuple[float, float]] = field(default_factory=OrderedDict)
    _used: float = 0.0

    def get(self, key: object) -> float | None:
        """When the entry was stored."""
        found = self._entries.get(key)
        if found is None:
            return None
        self._entries.move_to_end(key)
        return found[0]

    def put(self, key: object, now: float, size: float) -> None:
        old = self._entries.pop(key, None)
        self._used += size - (old[1] if old else 0)
        self._entries[key] = now, size
        while self._used > self.room:
            _, (_, gone) = self._entries.popitem(last=False)
            self._used -= gone


@dataclass(frozen=True, slots=True)
class View:
    """A reader opens a page of a site at a time."""

    at: float
    reader: int
    site: int
    page: int


def views(readers: float, reading: Reading, part: int, seed: int = 1) -> Iterator[View]:
    """Page views of one of ``part`` equal parts of the sites; Poisson arrivals, Zipf's law."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    rate = page_views(readers, reading) * reading.seen / part
    sites, pages = max(1, reading.sites // part), max(1, reading.pages // part)
    at, power = 0.0, 1 / (1 - reading.popularity)
    for _ in range(MOST_VIEWS):
        at += drawn.expovariate(rate)
        page = int(pages * drawn.random() ** power)
        yield View(at, drawn.randrange(max(1, int(readers))), page % sites, page)


def page_views(readers: float, reading: Reading) -> float:
    """Page views a second at the peak."""
    return readers * reading.active / reading.pause


def simulated(
    placement: Placement,
    readers: float,
    instances: int,
    reading: Reading,
    machine: Machine,
) -> Rates:
    """Hit rates of so many instances with so many readers."""
    wanted = page_views(readers, reading) * reading.seen * 2 * HOUR
    part = max(1, min(round(wanted / MOST_VIEWS), reading.sites // 500))
    room = machine.cache / part
    shared = placement is Placement.ANY_SHARED
    size = room * instances if shared else room
    caches = [ByteLru(size) for _ in range(1 if shared else instances)]
    counts = _Counts()
    for number, view in enumerate(views(readers, reading, part)):
        cache = caches[0 if shared else _instance(placement, view, instances, number)]
        seen = _looked_up(cache, view, reading)
        if number >= MOST_VIEWS // 2:
            counts.add(*seen, reading)
    return counts.rates(reading)


def _instance(placement: Placement, view: View, instances: int, number: int) -> int:
    match placement:
        case Placement.BY_SITE:
            return hashed(view.site, instances)
        case Placement.BY_READER:
            return hashed(view.reader, instances)
        case _:
            return hashed(number, instances)


def hashed(number: int, places: int) -> int:
    """One of so many places, the same each time."""
    return int.from_bytes(blake2b(number.to_bytes(8), digest_size=8).digest()) % places


def _looked_up(cache: ByteLru, view: View, reading: Reading) -> tuple[bool, bool, bool, bool]:
    """Whether page, rendering, the site's objects and the page's own are there; then they are."""
    response, version = ("response", view.page), int(view.at / reading.changes + view.page * 0.618)
    rendering, site, own = (
        ("rendering", view.page, version),
        ("site", view.site),
        ("own", view.page),
    )
    storable = hashed(view.page, 1000) < reading.storable * 1000
    stored = cache.get(response) if storable else None
    kept = stored is not None and view.at - stored < reading.fresh
    found = [cache.get(key) is not None for key in (rendering, site, own)]
    if storable and not kept:
        cache.put(response, view.at, reading.page)
    own_objects = reading.objects - reading.shared_objects
    sizes = (
        reading.rendering,
        reading.shared_objects * reading.object,
        own_objects * reading.object,
    )
    for key, size, is_there in zip((rendering, site, own), sizes, found, strict=True):
        if not is_there:
            cache.put(key, view.at, size)
    return kept, found[0], found[1], found[2]


@dataclass
class _Counts:
    views: int = 0
    kept: int = 0
    again: int = 0
    objects: int = 0

    def add(self, kept: bool, rendered: bool, site: bool, own: bool, reading: Reading) -> None:
        self.views += 1
        self.kept += kept and rendered
        self.again += rendered and not kept
        own_objects = reading.objects - reading.shared_objects
        self.objects += site * reading.shared_objects + own * own_objects

    def rates(self, reading: Reading) -> Rates:
        views = max(1, self.views)
        return Rates(self.kept / views, self.again / views, self.objects / views / reading.objects)
