"""What the pages of a corpus teach about their sites, between its two passes."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from winnow.document.values import SiteKnowledge
from winnow.extractors.site_learners import merged, page_counts
from winnow.proxy.stores.site_keys import learned_key_of

KEY: Final = b"the lessons of a corpus never leave its run"
"""The key of their hashes: the same in each run, so that two runs give the same rows."""


class PageLesson(NamedTuple):
    """What one page teaches about its site, as winnow.extractors.site_learners packs it."""

    site: str
    lesson: bytes


def site_at(url: str | None) -> str:
    """The key of an address's site; "" where it names none."""
    return learned_key_of(url)


def as_lines(lessons: Iterable[PageLesson]) -> bytes:
    """Lessons as JSON Lines."""
    pairs = ((one.site, b64encode(one.lesson).decode()) for one in lessons)
    return b"".join(json.dumps(pair).encode() + b"\n" for pair in pairs)


def from_lines(lines: bytes) -> Iterator[PageLesson]:
    """The lessons of ``as_lines``."""
    for line in lines.splitlines():
        site, lesson = json.loads(line)
        yield PageLesson(site, b64decode(lesson))


@dataclass(frozen=True)
class SiteMemories:
    """The memories of all sites in a file: at most 64 kB of a site are in memory at a time."""

    database: sqlite3.Connection
    pages: int
    """Pages from which a site's memory counts."""

    def add(self, lessons: Iterable[PageLesson]) -> None:
        """Merge lessons into the memories of their sites."""
        for site, lesson in lessons:
            memory = merged(self._memory(site), lesson)
            self.database.execute("INSERT OR REPLACE INTO sites VALUES (?, ?)", (site, memory))

    def knowledge(self, sites: Iterable[str]) -> dict[str, SiteKnowledge]:
        """What is known of those of the sites that have more than ``pages`` pages."""
        memories = {site: self._memory(site) for site in sites}
        return {
            site: SiteKnowledge(memory, KEY, self.pages)
            for site, memory in memories.items()
            if max(page_counts(memory).values(), default=0) > self.pages
        }

    def _memory(self, site: str) -> bytes:
        row = self.database.execute("SELECT memory FROM sites WHERE site = ?", (site,)).fetchone()
        return row[0] if row else b""


@contextmanager
def memories_of(parts: Iterable[Path], file: Path, pages: int) -> Iterator[SiteMemories]:
    """The memories that files of lessons amount to; ``file`` is made anew."""
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA synchronous = OFF")  # it is made again after a crash
        database.execute("CREATE TABLE sites (site TEXT PRIMARY KEY, memory BLOB)")
        found = SiteMemories(database, pages)
        for part in parts:
            found.add(from_lines(part.read_bytes()))
            database.commit()
        yield found
