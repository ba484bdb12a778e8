"""What a reader puts by stays, in order and within bounds, and outlives the process."""

from __future__ import annotations

from pathlib import Path

import pytest

from winnow.proxy.stores.library import (
    MOST_LOOKS,
    MOST_RECENT,
    Library,
    LibraryEntry,
    LibraryStore,
    unpacked,
)
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import PartRule
from winnow.proxy.stores.store_errors import StoreError

PAGE = LibraryEntry("https://a.example/", "A")
ANNA = "user:anna"


def test_who_forgets_forgets_what_is_the_owners_own() -> None:
    theirs = LibraryEntry(PAGE.url, "A", ANNA)
    shelf = Library().with_bookmark(PAGE).with_bookmark(theirs)
    shelf = shelf.with_read(PAGE, 1, 1).with_read(theirs, 1, 1)
    assert shelf.without_bookmarks(ANNA).bookmarks == (PAGE,)
    assert shelf.without_history(ANNA).recent == (PAGE,)


def test_nobody_pushes_out_what_is_another_owners() -> None:
    shelf = Library().with_bookmark(PAGE).with_read(PAGE, 1, 1)
    for number in range(MOST_RECENT + 1):
        shelf = shelf.with_read(LibraryEntry(f"https://a.example/{number}", "", ANNA), 1, 1)
    assert len(shelf.recent) == MOST_RECENT + 1
    assert shelf.recent[-1] == PAGE


def test_nothing_is_there_twice_and_the_oldest_goes() -> None:
    shelf = Library()
    for number in range(MOST_RECENT + 5):
        shelf = shelf.with_read(LibraryEntry(f"https://a.example/{number}", ""), 100, 10)
    assert len(shelf.recent) == MOST_RECENT
    assert shelf.recent[0].url.endswith(str(MOST_RECENT + 4))
    assert (shelf.fetched, shelf.sent) == (100 * (MOST_RECENT + 5), 10 * (MOST_RECENT + 5))


def test_bookmarks_come_and_go() -> None:
    shelf = Library().with_bookmark(PAGE).with_bookmark(PAGE)
    assert shelf.bookmarks == (PAGE,)
    assert shelf.without_bookmark(PAGE).bookmarks == ()


async def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "new" / "shelf.json"
    store = LibraryStore.open(path)
    await store.change(lambda now: now.with_bookmark(PAGE))
    await store.change(lambda now: now.with_read(PAGE, 300, 20).with_bytes(7, 1))
    assert LibraryStore.open(path).now == store.now
    assert store.now.fetched == 307
    assert path.stat().st_mode & 0o077 == 0


async def test_a_change_that_cannot_be_stored_did_not_happen(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = LibraryStore(tmp_path / "file" / "shelf.json")  # a file is no folder
    with pytest.raises(StoreError, match="could not be saved"):
        await store.change(lambda now: now.with_bookmark(PAGE))
    assert store.now == Library()


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"parts": 1}', "\xff"])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "shelf.json"
    path.write_bytes(text.encode("latin-1"))
    notices = Notices()
    assert LibraryStore.open(path, notices).now == Library()
    assert "was damaged" in notices.texts()[0]


def test_looks_belong_to_a_client_and_the_oldest_go() -> None:
    shelf = Library().with_looks("::1", "a").with_looks("::1", "b")
    assert dict(shelf.looks) == {"::1": "b"}
    assert not shelf.with_looks("::1", "").looks
    for number in range(MOST_LOOKS):
        shelf = shelf.with_looks(str(number), "c")
    assert len(shelf.looks) == MOST_LOOKS
    assert "::1" not in shelf.looks


async def test_looks_outlive_the_process(tmp_path: Path) -> None:
    store = LibraryStore.open(tmp_path / "shelf.json")
    await store.change(lambda now: now.with_looks("::1", "a"))
    assert dict(LibraryStore.open(tmp_path / "shelf.json").now.looks) == {"::1": "a"}


def test_rules_that_were_stored_as_selectors_keep_their_parts() -> None:
    stored = (
        '{"parts": {"a.example": [".y"]}, "bookmarks": [], "recent": [], "fetched": 0, "sent": 0}'
    )
    assert unpacked(stored).parts == {"a.example": (PartRule(".y"),)}
