"""The last pages of a site teach it, in the background; nothing of them is written."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence

import pytest

from winnow.proxy.learning.recent_pages import LARGEST, RecentPages, RecentPagesLimits

LIMITS = RecentPagesLimits(last=4, least=2, size=1000)


class Told:
    """Notes what was taught."""

    def __init__(self) -> None:
        self.lessons: list[tuple[str, bytes, int]] = []

    def __call__(self, site: str, lesson: bytes, pages: int) -> None:
        self.lessons.append((site, lesson, pages))


def together(rows: Sequence[bytes]) -> bytes:
    if b"?" in rows:
        raise ValueError("no row")
    return b" ".join(rows)


@pytest.fixture
def reported() -> Told:
    return Told()


@pytest.fixture
async def rows(reported: Told) -> AsyncIterator[RecentPages]:
    made = RecentPages(together, reported, LIMITS)
    yield made
    await made.aclose()


async def taken(rows: RecentPages, *pages: str, site: str = "example.com") -> None:
    for page in pages:
        rows.take(site, f"https://{site}/{page}", page.encode())
        await rows.settled()


async def test_nothing_is_learned_from_few_pages(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "one")
    assert reported.lessons == []


async def test_a_site_is_learned_and_learned_again(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "one", "two", "three")
    assert reported.lessons == [
        ("example.com", b"one two", 2),
        ("example.com", b"one two three", 1),
    ]


async def test_a_site_is_learned_again_when_a_quarter_is_new(reported: Told) -> None:
    rows = RecentPages(together, reported, RecentPagesLimits(last=12, least=8))
    await taken(rows, *map(str, range(13)))
    assert [pages for _, _, pages in reported.lessons] == [8, 2, 3]
    await rows.aclose()


async def test_the_last_pages_are_stored(rows: RecentPages, reported: Told) -> None:
    await taken(rows, *"abcdef")
    assert reported.lessons[-1][1] == b"c d e f"


async def test_a_page_read_again_is_no_news(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "one", "two", "one", "one")
    assert len(reported.lessons) == 1
    await taken(rows, "three")
    assert reported.lessons[-1][1] == b"two one three"


async def test_sites_do_not_mix(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "one", site="a.example")
    await taken(rows, "two", site="b.example")
    assert reported.lessons == []


async def test_a_site_that_is_forgotten_starts_again(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "one")
    rows.forget({"example.com", "other.example"})
    assert rows.size == 0
    await taken(rows, "two")
    assert reported.lessons == []


async def test_the_site_not_read_for_longest_gives_way(rows: RecentPages) -> None:
    await taken(rows, "x" * 500, site="a.example")
    await taken(rows, "x" * 400, site="b.example")
    await taken(rows, "y", site="a.example")
    await taken(rows, "x" * 300, site="c.example")
    assert rows.size == 801
    await taken(rows, "x" * 1001, site="d.example")
    assert rows.size == 0


async def test_empty_and_huge_rows_are_not_stored(reported: Told) -> None:
    rows = RecentPages(together, reported)
    rows.take("example.com", "https://example.com/", b"")
    rows.take("example.com", "https://example.com/", b"x" * (LARGEST + 1))
    assert rows.size == 0


async def test_learning_that_fails_ends_nothing(rows: RecentPages, reported: Told) -> None:
    await taken(rows, "?", "two")
    assert reported.lessons == []
    await taken(rows, *"abcd")
    assert reported.lessons[-1][1] == b"a b c d"


async def test_nobody_waits_while_it_learns(reported: Told) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(found: Sequence[bytes]) -> bytes:
        begun.set()
        may_end.wait(20)
        return b"learned"

    rows = RecentPages(slow, reported, LIMITS)
    rows.take("example.com", "/1", b"one")
    rows.take("example.com", "/2", b"two")
    assert await asyncio.to_thread(begun.wait, 20)
    rows.take("example.com", "/3", b"three")  # the loop runs on, and pages are taken
    assert reported.lessons == []
    may_end.set()
    await rows.settled()
    assert reported.lessons[0] == ("example.com", b"learned", 2)
    await rows.aclose()


async def test_what_is_forgotten_while_it_is_learned_is_not_taught(reported: Told) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(found: Sequence[bytes]) -> bytes:
        begun.set()
        may_end.wait(20)
        return b"learned"

    rows = RecentPages(slow, reported, LIMITS)
    rows.take("example.com", "/1", b"one")
    rows.take("example.com", "/2", b"two")
    assert await asyncio.to_thread(begun.wait, 20)
    rows.forget({"example.com"})
    may_end.set()
    await rows.settled()
    assert reported.lessons == []
    await rows.aclose()
