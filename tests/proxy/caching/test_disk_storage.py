"""The storage on disk: it outlives a restart, stays within its bound, and begins anew if broken."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.proxy.caching.making import entry
from winnow.proxy.caching import disk_storage
from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.caching.disk_storage import DiskStorage

ONE = entry("Cache-Control: max-age=60")
LIMIT = 400_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache.sqlite3"


async def test_it_survives_a_restart(path: Path) -> None:
    first = DiskStorage(path, LIMIT)
    await first.put("a", (ONE,))
    await first.aclose()
    second = DiskStorage(path, LIMIT)
    assert await second.get("a") == (ONE,)
    await second.aclose()


def mode_of(path: Path) -> int:
    return path.stat().st_mode


async def test_nobody_else_can_read_it(path: Path) -> None:
    storage = DiskStorage(path, LIMIT)
    await storage.put("a", (ONE,))
    await storage.aclose()
    assert [mode_of(place) & 0o077 for place in (path, path.parent)] == [0, 0]


async def test_bytes_are_bounded_and_the_last_used_stay(path: Path) -> None:
    storage = DiskStorage(path, LIMIT)
    for number in range(40):
        await storage.put(str(number), (entry(body=b"x" * 20_000),))
        assert await storage.get("0")
    assert await storage.size() <= LIMIT
    assert await storage.get("39")
    assert await storage.get("1") == ()
    await storage.aclose()


async def test_two_processes_may_use_one_file(path: Path) -> None:
    one, other = DiskStorage(path, LIMIT), DiskStorage(path, LIMIT)
    await one.put("a", (ONE,))
    assert await other.get("a") == (ONE,)
    await other.delete("a")
    assert await one.get("a") == ()
    await one.aclose()
    await other.aclose()


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)


@pytest.mark.parametrize(
    "content", [b"no database at all" * 100, b"SQLite format 3\x00" + b"x" * 5000]
)
async def test_a_damaged_file_is_begun_again(path: Path, content: bytes) -> None:
    write(path, content)
    storage = DiskStorage(path, LIMIT)
    assert await storage.get("a") == ()
    await storage.put("a", (ONE,))
    assert await storage.get("a") == (ONE,)
    await storage.aclose()


async def test_a_file_of_another_version_is_begun_again(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE reply (other TEXT)")
        database.execute("PRAGMA user_version = 99")
    database.close()
    storage = DiskStorage(path, LIMIT)
    await storage.put("a", (ONE,))
    assert await storage.get("a") == (ONE,)
    await storage.aclose()


async def test_a_damaged_entry_is_a_miss(path: Path) -> None:
    storage = DiskStorage(path, LIMIT)
    await storage.put("a", (ONE,))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE reply SET entries = substr(entries, 1, 60)")
    database.close()
    assert await storage.get("a") == ()
    await storage.aclose()


async def test_a_full_disk_is_reported_and_what_was_stored_is_still_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(place: Path, limit: int) -> sqlite3.Connection:
        database = whole_disk(place, limit)
        database.execute("PRAGMA max_page_count = 10")
        return database

    whole_disk = disk_storage._open
    monkeypatch.setattr(disk_storage, "_open", small)
    storage = DiskStorage(path, LIMIT)
    await storage.put("a", (ONE,))
    with pytest.raises(StorageError, match="full"):
        await storage.put("b", (entry(body=b"x" * 49_000),))
    assert await storage.get("a") == (ONE,)
    await storage.put("b", (ONE,))
    await storage.aclose()


async def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    storage = DiskStorage(tmp_path / "file" / "cache.sqlite3", LIMIT)
    with pytest.raises(StorageError):
        await storage.get("a")
    await storage.aclose()
