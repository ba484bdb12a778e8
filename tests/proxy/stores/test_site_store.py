"""Every store of sites keeps the same promises; a kill leaves the one on disk whole."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.proxy.stores.memories import merge
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_store import (
    KEY_SIZE,
    LARGEST,
    MemorySites,
    SiteStore,
    SiteStoreBounds,
)
from winnow.proxy.stores.sqlite_sites import (
    BEYOND,
    COUNT,
    FILE_NAME,
    KEY_NAME,
    STAMPS,
    SqliteSites,
    leave_disk,
)
from winnow.proxy.stores.store_errors import NewerFileError

BOUNDS = SiteStoreBounds(sites=3, days=30)


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SiteStore]:
    made: SiteStore = MemorySites(merge, BOUNDS)
    if request.param == "sqlite":
        made = await SqliteSites.open(tmp_path, merge, BOUNDS)
    yield made
    await made.aclose()


async def test_a_new_one_knows_nothing(store: SiteStore) -> None:
    assert await store.stamps() == {}
    assert await store.recall(["https://a.example"]) == {}


async def test_lessons_are_merged_into_what_is_stored(store: SiteStore) -> None:
    await store.fold({"https://a.example": b"one", "https://b.example": b"two"})
    await store.fold({"https://a.example": b"three"})
    assert await store.recall(["https://a.example", "https://b.example", "https://c.example"]) == {
        "https://a.example": b"one three",
        "https://b.example": b"two",
    }


async def test_a_stamp_changes_with_what_is_known(store: SiteStore) -> None:
    await store.fold({"https://a.example": b"one", "https://b.example": b"two"})
    before = await store.stamps()
    await store.fold({"https://a.example": b"three"})
    after = await store.stamps()
    assert after["https://a.example"] != before["https://a.example"]
    assert after["https://b.example"] == before["https://b.example"]


async def test_news_are_at_least_what_changed_since_and_how_many_there_are(
    store: SiteStore,
) -> None:
    await store.fold({"https://a.example": b"one", "https://b.example": b"two"})
    before = await store.stamps()
    await store.fold({"https://a.example": b"three"})
    news = await store.news(max(before.values()))
    assert news.count == 2
    assert news.stamps["https://a.example"] != before["https://a.example"]
    await store.forget(["https://b.example"])
    assert (await store.news(max(news.stamps.values()))).count == 1
    assert dict((await store.news(0)).stamps) == await store.stamps()


async def test_what_is_forgotten_is_gone(store: SiteStore) -> None:
    await store.fold({"https://a.example": b"one", "https://b.example": b"two"})
    await store.forget(["https://a.example", "https://never.example"])
    assert set(await store.stamps()) == {"https://b.example"}
    assert await store.recall(["https://a.example"]) == {}


async def test_the_number_of_a_forgotten_site_is_not_given_again(store: SiteStore) -> None:
    """Who knew the site would miss that it was learned anew."""
    await store.fold({"https://a.example": b"one"})
    before = await store.stamps()
    await store.forget(["https://a.example"])
    await store.fold({"https://a.example": b"two"})
    assert (await store.stamps())["https://a.example"] > before["https://a.example"]


async def test_of_too_many_sites_those_longest_unread_go(store: SiteStore) -> None:
    for name in ("a", "b", "c", "a", "d"):
        await store.fold({f"https://{name}.example": name.encode()})
    assert set(await store.stamps()) == {
        "https://c.example",
        "https://a.example",
        "https://d.example",
    }


async def test_the_secret_stays_the_same(store: SiteStore) -> None:
    secret = await store.secret()
    assert len(secret) == KEY_SIZE
    assert await store.secret() == secret


async def test_a_memory_that_cannot_be_read_gives_way(store: SiteStore) -> None:
    await store.fold({"https://a.example": b"?"})
    await store.fold({"https://a.example": b"one"})
    assert await store.recall(["https://a.example"]) == {"https://a.example": b"one"}


async def test_a_memory_that_is_too_large_is_not_stored(store: SiteStore) -> None:
    await store.fold({"https://a.example": b"one"})
    await store.fold({"https://a.example": b"x" * LARGEST})
    assert await store.recall(["https://a.example"]) == {"https://a.example": b"one"}


async def opened(folder: Path, days: int = 30) -> SqliteSites:
    return await SqliteSites.open(folder, merge, SiteStoreBounds(days=days))


async def test_a_file_is_read_again(tmp_path: Path) -> None:
    first = await opened(tmp_path)
    secret = await first.secret()
    await first.fold({"https://a.example": b"one"})
    await first.aclose()
    again = await opened(tmp_path)
    assert await again.secret() == secret
    assert await again.recall(["https://a.example"]) == {"https://a.example": b"one"}
    await again.aclose()


@pytest.mark.parametrize("statement", [STAMPS, COUNT, BEYOND])
async def test_what_is_requested_of_all_sites_reads_no_memory(
    tmp_path: Path, statement: str
) -> None:
    """Memories are large: reading past them made a page dearer with every site that was known."""
    await (await SqliteSites.open(tmp_path, merge)).aclose()
    database = sqlite3.connect(tmp_path / FILE_NAME)
    requested = (0,) * statement.count("?")
    plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement}", requested)]
    database.close()
    scans = [step for step in plan if step.startswith("SCAN site")]
    assert scans
    assert all("COVERING INDEX" in step for step in scans)


async def test_the_files_are_the_owners_alone(tmp_path: Path) -> None:
    await (await opened(tmp_path)).aclose()
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in (FILE_NAME, KEY_NAME)}
    assert modes == {FILE_NAME: 0o600, KEY_NAME: 0o600}


async def test_two_may_use_one_file(tmp_path: Path) -> None:
    left, right = await opened(tmp_path), await opened(tmp_path)
    assert await left.secret() == await right.secret()
    await left.fold({"https://a.example": b"one"})
    await right.fold({"https://a.example": b"two"})
    assert await left.recall(["https://a.example"]) == {"https://a.example": b"one two"}
    await left.aclose()
    await right.aclose()


async def test_a_site_that_is_not_read_for_long_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await opened(tmp_path, days=2)
    await store.fold({"https://old.example": b"one"})
    later = time.time() + 3 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    await store.fold({"https://new.example": b"two"})
    assert set(await store.stamps()) == {"https://new.example"}
    await store.aclose()


async def test_rows_of_earlier_versions_which_have_no_scheme_are_dropped(tmp_path: Path) -> None:
    first = await opened(tmp_path)
    await first.fold({"a.example": b"of any port", "https://a.example": b"one"})
    await first.aclose()
    second = await opened(tmp_path)
    assert await second.recall(["a.example", "https://a.example"]) == {"https://a.example": b"one"}
    await second.aclose()


def names_in(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def test_a_file_that_is_not_to_be_kept_is_asked_about_once_and_goes(tmp_path: Path) -> None:
    first = await opened(tmp_path)
    await first.fold({"https://a.example": b"one"})
    await first.aclose()
    for later, told, left in ((0, 1, True), (3600, 1, True), (90_000, 0, False)):
        notices = Notices()
        now = datetime.now(UTC) + timedelta(seconds=later)
        leave_disk(tmp_path, notices, now)
        assert len(notices.texts()) == told
        assert (tmp_path / FILE_NAME).exists() is left
    assert not names_in(tmp_path)


async def test_a_file_that_is_kept_after_all_is_asked_about_anew(tmp_path: Path) -> None:
    await (await opened(tmp_path)).aclose()
    leave_disk(tmp_path, Notices(), datetime.now(UTC))
    await (await opened(tmp_path)).aclose()
    assert names_in(tmp_path) == {FILE_NAME, KEY_NAME}


async def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE_NAME)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(NewerFileError, match="newer Winnow"):
        await opened(tmp_path)


_ENDLESS = """
import asyncio, sys
from pathlib import Path
from winnow.proxy.stores.sqlite_sites import SqliteSites
from tests.proxy.stores.memories import merge

async def main():
    store = await SqliteSites.open(Path(sys.argv[1]), merge)
    for number in range(100_000):
        await store.fold({f"https://{site}.example": str(number).encode() for site in "abc"})
        print(number, flush=True)

asyncio.run(main())
"""


def killed_while_folding(folder: Path) -> set[bytes]:
    """Start a process that folds on and on, kill it; what it said to have folded by then."""
    process = subprocess.Popen(
        [sys.executable, "-c", _ENDLESS, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    reported = {process.stdout.readline().strip().encode() for _ in range(20)}
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    return reported


async def test_a_kill_leaves_what_was_folded(tmp_path: Path) -> None:
    reported = await asyncio.to_thread(killed_while_folding, tmp_path)
    store = await opened(tmp_path)
    found = await store.recall(["https://a.example", "https://b.example", "https://c.example"])
    assert len(set(found.values())) == 1
    assert reported <= set(found["https://a.example"].split())
    await store.aclose()
