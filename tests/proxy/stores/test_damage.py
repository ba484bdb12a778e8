"""A damaged file of the data folder is set aside, told and begun anew; the proxy starts."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.proxy.stores.memories import merge
from winnow.proxy.stores.choices import EVERYBODY, Choices
from winnow.proxy.stores.files import set_aside
from winnow.proxy.stores.library import Library, LibraryEntry, LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import FILE_NAME as CHOICES
from winnow.proxy.stores.sqlite_choices import SqliteChoices
from winnow.proxy.stores.sqlite_sites import FILE_NAME as SITES
from winnow.proxy.stores.sqlite_sites import KEY_NAME, SqliteSites
from winnow.proxy.stores.store_errors import StoreError, StoreFullError

NEVER = Choice(SiteMode.NEVER)
PAGE = LibraryEntry("https://a.example/", "A")
MANY = {f"s{number}.example": b"memory " * 300 for number in range(60)}


def garbage(path: Path) -> None:
    path.write_bytes(b"no such file " * 1000)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 7)


def a_folder(path: Path) -> None:
    path.unlink()
    (path / "inside").mkdir(parents=True)


def in_the_middle(path: Path) -> None:
    """Every page but the first is overwritten: what opening looks at is whole."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


DAMAGES = (garbage, truncated, a_folder, in_the_middle)
Damage = Callable[[Path], None]


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def aside(path: Path) -> list[Path]:
    """What was set aside of a file, without SQLite's own files beside it."""
    found = path.parent.glob(f"{path.name}.damaged-*")
    return sorted(each for each in found if not each.name.endswith(("-wal", "-shm")))


async def chosen(path: Path, number: int = 200) -> None:
    store = await SqliteChoices.open(path)
    for each in range(number):
        await store.choose(EVERYBODY, f"s{each}.example", NEVER)
    await store.aclose()


@pytest.mark.parametrize("damage", DAMAGES)
async def test_damaged_choices_are_set_aside_at_the_start(tmp_path: Path, damage: Damage) -> None:
    path, notices = tmp_path / CHOICES, Notices()
    await chosen(path)
    damage(path)
    store = await SqliteChoices.open(path, notices)
    assert store.now == Choices()
    assert aside(path)[0].name in notices.texts()[0]
    await store.choose(EVERYBODY, "a.example", NEVER)
    await store.aclose()
    again = await SqliteChoices.open(path)
    assert set(again.now.of(EVERYBODY).choices) == {"a.example"}
    await again.aclose()


async def test_choices_damaged_while_running_are_written_again_from_memory(tmp_path: Path) -> None:
    path, notices = tmp_path / CHOICES, Notices()
    await chosen(path)
    store = await SqliteChoices.open(path, notices)
    await store._file.run(
        lambda database: database.execute("PRAGMA shrink_memory")
    )  # no page is cached
    in_the_middle(path)
    await store.choose(EVERYBODY, "a.example", NEVER)
    assert aside(path)[0].name in notices.texts()[0]
    await store.aclose()
    again = await SqliteChoices.open(path)
    assert len(again.now.of(EVERYBODY).choices) == 201
    await again.aclose()


async def test_another_process_goes_on_with_the_new_file(tmp_path: Path) -> None:
    path = tmp_path / CHOICES
    await chosen(path)
    left, right = await SqliteChoices.open(path), await SqliteChoices.open(path)
    in_the_middle(path)
    await left.choose(EVERYBODY, "left.example", NEVER)
    await right.choose(EVERYBODY, "right.example", NEVER)
    await left.aclose()
    await right.aclose()
    assert len(aside(path)) == 1
    again = await SqliteChoices.open(path)
    assert {"left.example", "right.example"} <= set(again.now.of(EVERYBODY).choices)
    await again.aclose()


@pytest.mark.parametrize("damage", DAMAGES)
async def test_damaged_sites_are_set_aside(tmp_path: Path, damage: Damage) -> None:
    path, notices = tmp_path / SITES, Notices()
    store = await SqliteSites.open(tmp_path, merge)
    await store.fold(MANY)
    await store.aclose()
    damage(path)
    again = await SqliteSites.open(tmp_path, merge, notices=notices)
    await again.fold({"new.example": b"one"})
    await again.recall(list(MANY))
    await again.fold({"newer.example": b"two"})
    assert await again.recall(["newer.example"]) == {"newer.example": b"two"}
    await again.aclose()
    assert aside(path)[0].name in notices.texts()[0]


async def test_a_damaged_key_takes_what_was_hashed_with_it_along(tmp_path: Path) -> None:
    store, notices = await SqliteSites.open(tmp_path, merge), Notices()
    await store.fold({"a.example": b"one"})
    await store.aclose()
    (tmp_path / KEY_NAME).write_bytes(b"short")
    again = await SqliteSites.open(tmp_path, merge, notices=notices)
    assert await again.recall(["a.example"]) == {}
    await again.aclose()
    assert aside(tmp_path / KEY_NAME)
    assert aside(tmp_path / SITES)
    assert "sites are learned again" in notices.texts()[0]


@pytest.mark.parametrize("damage", [garbage, truncated, a_folder])
async def test_a_damaged_shelf_is_set_aside(tmp_path: Path, damage: Damage) -> None:
    path, notices = tmp_path / "shelf.json", Notices()
    await LibraryStore.open(path).change(lambda now: now.with_bookmark(PAGE))
    damage(path)
    store = LibraryStore.open(path, notices)
    assert store.now == Library()
    assert aside(path)[0].name in notices.texts()[0]


async def test_a_shelf_damaged_while_running_is_written_again_from_memory(tmp_path: Path) -> None:
    path = tmp_path / "shelf.json"
    store = LibraryStore.open(path)
    await store.change(lambda now: now.with_bookmark(PAGE))
    garbage(path)
    await store.change(lambda now: now.with_looks("::1", "a"))
    assert LibraryStore.open(path).now.bookmarks == (PAGE,)
    assert len(aside(path)) == 1


async def test_wrong_permissions_are_mended(tmp_path: Path) -> None:
    await chosen(tmp_path / CHOICES, 1)
    await LibraryStore.open(tmp_path / "shelf.json").change(lambda now: now.with_bookmark(PAGE))
    for name in (CHOICES, "shelf.json"):
        (tmp_path / name).chmod(0)
    store = await SqliteChoices.open(tmp_path / CHOICES)
    await store.aclose()
    assert store.now.of(EVERYBODY).choices
    assert LibraryStore.open(tmp_path / "shelf.json").now.bookmarks == (PAGE,)


async def test_a_file_of_somebody_else_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, notices = tmp_path / CHOICES, Notices()
    await chosen(path, 1)
    real, refused = os.open, {path.stat().st_ino}

    def opened(name: Path, flags: int, mode: int = 0o777) -> int:
        if Path(name).exists() and Path(name).stat().st_ino in refused:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(name, flags, mode)

    monkeypatch.setattr("os.open", opened)
    store = await SqliteChoices.open(path, notices)
    await store.aclose()
    assert "Permission denied" in notices.texts()[0]


def test_nothing_that_was_set_aside_is_overwritten(tmp_path: Path) -> None:
    now, path = datetime(2026, 11, 22, 6, tzinfo=UTC), tmp_path / "shelf.json"
    for number in range(3):
        path.write_text(str(number))
        set_aside(path, now)
    assert [each.read_text() for each in aside(path)] == ["0", "1", "2"]
    assert aside(path)[0].name == "shelf.json.damaged-2026-11-22T06-00-00"


async def test_a_full_disk_changes_nothing_in_memory(tmp_path: Path) -> None:
    """SQLite's own bound of pages is met as a full disk is."""
    store = await SqliteChoices.open(tmp_path / CHOICES)
    await store.choose(EVERYBODY, "a.example", NEVER)
    await store._file.run(lambda database: database.execute("PRAGMA max_page_count = 1"))
    tries = (store.choose(EVERYBODY, f"s{number}.example", NEVER) for number in range(1000))
    (error, *_) = filter(None, await asyncio.gather(*tries, return_exceptions=True))
    assert isinstance(error, StoreFullError)
    assert str(error) == "The choice could not be saved: the disk is full."
    assert "a.example" in store.now.of(EVERYBODY).choices
    await store._file.run(lambda database: database.execute("PRAGMA max_page_count = 100000"))
    await store.choose(EVERYBODY, "b.example", NEVER)
    await store.aclose()


async def test_a_draft_that_found_no_room_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LibraryStore.open(tmp_path / "shelf.json")
    await store.change(lambda now: now.with_bookmark(PAGE))

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(StoreFullError, match="the disk is full"):
            await store.change(lambda now: now.without_bookmarks(""))
    assert store.now.bookmarks == (PAGE,)
    assert names_in(tmp_path) == ["shelf.json"]


async def test_what_can_only_be_read_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await chosen(tmp_path / CHOICES, 1)

    def read_only(_path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("winnow.proxy.stores.database.make_private", read_only)
    notices = Notices()
    store = await SqliteChoices.open(tmp_path / CHOICES, notices)
    assert set(store.now.of(EVERYBODY).choices) == {"s0.example"}
    assert "Read-only file system" in notices.texts()[0]
    with pytest.raises(StoreError, match="Read-only file system"):
        await store.choose(EVERYBODY, "a.example", NEVER)
    await store.aclose()
