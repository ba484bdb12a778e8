"""Two instances may use one data folder: nothing saved is lost, and the second one says so."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from winnow.proxy.stores.choices import EVERYBODY
from winnow.proxy.stores.files import PREFIX, data_folder_used
from winnow.proxy.stores.library import Library, LibraryEntry, LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices

NEVER = Choice(SiteMode.NEVER)


def test_the_second_instance_says_so_and_its_own_processes_do_not(tmp_path: Path) -> None:
    first, sibling, second = Notices(), Notices(), Notices()
    marks = (("one", first), ("one", sibling), ("two", second))
    with ExitStack() as ending:
        for name, notices in marks:
            ending.enter_context(data_folder_used(tmp_path, name, notices))
        assert "Another Winnow uses the same data folder" in second.texts()[0]
    assert not first.texts()
    assert not sibling.texts()
    assert not list(tmp_path.iterdir())


def test_the_mark_of_a_process_that_was_killed_counts_no_longer(tmp_path: Path) -> None:
    (tmp_path / f"{PREFIX}killed").touch()
    notices = Notices()
    with data_folder_used(tmp_path, "one", notices):
        assert not notices.texts()


async def test_choices_and_bookmarks_of_both_are_stored(tmp_path: Path) -> None:
    path, shelf = tmp_path / FILE_NAME, tmp_path / "shelf.json"
    left, right = await SqliteChoices.open(path), await SqliteChoices.open(path)
    here, there = LibraryStore.open(shelf), LibraryStore.open(shelf)

    async def choose(store: SqliteChoices, name: str) -> None:
        for number in range(30):
            await store.choose(EVERYBODY, f"{name}{number}.example", NEVER)

    async def mark(store: LibraryStore, name: str) -> None:
        for number in range(30):
            entry = LibraryEntry(f"https://{name}.example/{number}", "")
            await store.change(partial(Library.with_bookmark, entry=entry))

    work = (choose(left, "l"), choose(right, "r"), mark(here, "l"), mark(there, "r"))
    await asyncio.gather(*work)
    await left.aclose()
    await right.aclose()
    again = await SqliteChoices.open(path)
    assert len(again.now.of(EVERYBODY).choices) == 60
    await again.aclose()
    assert len(LibraryStore.open(shelf).now.bookmarks) == 60
