"""What a reader deletes of saved pages leaves the copies from before an update too."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from winnow.features.saved.stores import saved_page_store
from winnow.features.saved.stores.saved_page import Note, SavedPage
from winnow.features.saved.stores.saved_page_store import SavedPageStore
from winnow.proxy.stores import previous


@pytest.mark.parametrize("what", ["page", "note", "tags"])
async def test_what_is_deleted_of_saved_pages_is_in_no_copy(tmp_path: Path, what: str) -> None:
    path = tmp_path / saved_page_store.FILE_NAME
    store = SavedPageStore(path)
    number = await store.save("anna", SavedPage("https://site.example/", "Title"))
    note = Note("hers", "quoted")
    await store.add_note("anna", number, note)
    with closing(sqlite3.connect(path)) as database:
        previous.keep(database, path, 1)
    if what == "page":
        await store.remove("anna", number)
    elif what == "note":
        await store.remove_note("anna", number, note)
    else:
        await store.label("anna", number, ())
    await store.aclose()
    assert not previous.copies(path)
