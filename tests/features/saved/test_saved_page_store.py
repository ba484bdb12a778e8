"""The store of saved pages, compared with a dictionary; its owners, bounds and search."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from winnow.features.saved.stores.saved_page import Note, PageQuery, SavedPage, tags_of
from winnow.features.saved.stores.saved_page_store import (
    FILE_NAME,
    SavedPageBounds,
    SavedPagesFullError,
    SavedPageStore,
)
from winnow.proxy.stores.store_errors import NewerFileError, StoreError

ANNA, BEN = "user:anna", "user:ben"
PAGE = SavedPage(
    "https://a.example/flood",
    title="The flood",
    content="<p>The river rose overnight.</p>",
    text="The river rose overnight.",
    byline="B. Baker",
    site="The Daily",
    language="en",
    published="2026-01-01",
    excerpt="The river rose: an island.",
    saved="2026-02-01T10:00:00+00:00",
    tags=("news", "water"),
    notes=(Note("river rose", "how high?", "2026-02-01T10:01:00+00:00"),),
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SavedPageStore]:
    opened = SavedPageStore(tmp_path / FILE_NAME)
    yield opened
    await opened.aclose()


async def titles(store: SavedPageStore, owner: str, query: PageQuery) -> list[str]:
    return [entry.page.title for entry in await store.find(owner, query)]


async def test_a_page_comes_back_as_it_was(store: SavedPageStore) -> None:
    number = await store.save(ANNA, PAGE, {"https://a.example/1.png": (b"png", "image/png")})
    assert await store.page(ANNA, number) == PAGE
    assert await store.number_of(ANNA, PAGE.url) == number
    assert await store.images(ANNA, number) == ["https://a.example/1.png"]
    assert await store.image(ANNA, number, 0) == (b"png", "image/png")
    (entry,) = await store.find(ANNA, PageQuery())
    assert entry.page == replace(PAGE, content="", text="")
    assert entry.is_fetched


async def test_nobody_sees_or_changes_anothers_pages(store: SavedPageStore) -> None:
    number = await store.save(ANNA, PAGE, {"https://a.example/1.png": (b"png", "image/png")})
    assert await store.page(BEN, number) is None
    assert await store.image(BEN, number, 0) is None
    assert await store.images(BEN, number) == []
    assert await store.number_of(BEN, PAGE.url) is None
    assert await store.find(BEN, PageQuery()) == ()
    assert await store.find(BEN, PageQuery("river")) == ()
    assert await store.find(BEN, PageQuery(tag="news")) == ()
    assert await store.tags(BEN) == {}
    await store.label(BEN, number, ["mine"])
    await store.add_note(BEN, number, Note("river", "mine"))
    await store.remove(BEN, number)
    assert await store.page(ANNA, number) == PAGE


@pytest.mark.parametrize(
    "words",
    ["river", "RIVER", "flood", "baker", "daily", "news", "how high", '"rose overnight"', "island"],
)
async def test_it_is_found_by_its_words_tags_and_notes(store: SavedPageStore, words: str) -> None:
    await store.save(ANNA, PAGE)
    await store.save(ANNA, SavedPage("https://a.example/2", "Other", "<p>", "Nothing of it."))
    assert await titles(store, ANNA, PageQuery(words)) == ["The flood"]


async def test_a_word_of_the_title_comes_first(store: SavedPageStore) -> None:
    for number in range(5):
        text = "The flood of the flood and more flood."
        await store.save(ANNA, SavedPage(f"https://a.example/{number}", "Other", "<p>", text))
    await store.save(ANNA, PAGE)
    assert (await titles(store, ANNA, PageQuery("flood")))[0] == "The flood"


async def test_words_and_a_tag_together(store: SavedPageStore) -> None:
    await store.save(ANNA, PAGE)
    await store.save(ANNA, replace(PAGE, url="https://a.example/2", title="Untagged", tags=()))
    assert await titles(store, ANNA, PageQuery("river", tag="water")) == ["The flood"]
    assert await titles(store, ANNA, PageQuery(tag="water")) == ["The flood"]
    assert await titles(store, ANNA, PageQuery("river", tag="none")) == []


async def test_saving_again_keeps_what_the_reader_added(store: SavedPageStore) -> None:
    number = await store.save(ANNA, PAGE)
    images = {"https://a.example/2.png": (b"new", "image/png")}
    newer = SavedPage(PAGE.url, "Flood, updated", "<p>Dry.</p>", "Dry.", saved="2026-03-01")
    assert await store.save(ANNA, replace(newer, tags=("later",)), images) == number
    kept = await store.page(ANNA, number)
    assert kept == replace(
        newer, tags=("later", "news", "water"), notes=PAGE.notes, saved=PAGE.saved
    )
    assert await store.images(ANNA, number) == ["https://a.example/2.png"]
    assert await store.find(ANNA, PageQuery("overnight")) == ()
    assert len(await store.find(ANNA, PageQuery("dry"))) == 1


async def test_an_address_alone_replaces_no_text(store: SavedPageStore) -> None:
    number = await store.save(ANNA, PAGE, {"https://a.example/1.png": (b"png", "image/png")})
    await store.save(ANNA, SavedPage(PAGE.url, tags=("again",)))
    assert await store.page(ANNA, number) == replace(PAGE, tags=("again", "news", "water"))
    assert await store.images(ANNA, number)


async def test_tags_and_notes_change(store: SavedPageStore) -> None:
    number = await store.save(ANNA, PAGE)
    await store.label(ANNA, number, ["dry", " news ", "news"])
    await store.add_note(ANNA, number, Note("overnight"))
    await store.add_note(ANNA, number, Note("overnight"))
    await store.remove_note(ANNA, number, PAGE.notes[0])
    changed = await store.page(ANNA, number)
    assert changed == replace(PAGE, tags=("dry", "news"), notes=(Note("overnight"),))
    assert await store.tags(ANNA) == {"dry": 1, "news": 1}
    assert await store.find(ANNA, PageQuery("water")) == ()


async def test_what_is_deleted_is_gone_from_every_table(
    store: SavedPageStore, tmp_path: Path
) -> None:
    number = await store.save(ANNA, PAGE, {"https://a.example/1.png": (b"png", "image/png")})
    await store.remove(ANNA, number)
    assert await store.find(ANNA, PageQuery("river")) == ()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        for table in ("page", "body", "tag", "image", "search"):
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)
    assert await store.save(ANNA, PAGE) != number


async def test_pages_come_in_parts_the_latest_first(store: SavedPageStore) -> None:
    for day in range(1, 8):
        page = SavedPage(f"https://a.example/{day}", str(day), saved=f"2026-01-0{day}")
        await store.save(ANNA, page)
    assert await titles(store, ANNA, PageQuery(limit=3)) == ["7", "6", "5"]
    assert await titles(store, ANNA, PageQuery(offset=3, limit=3)) == ["4", "3", "2"]


async def test_an_owner_may_have_so_many_and_no_more(tmp_path: Path) -> None:
    store = SavedPageStore(tmp_path / FILE_NAME, SavedPageBounds(pages=2, space=5000))
    first = await store.save(ANNA, PAGE)
    await store.save(ANNA, SavedPage("https://a.example/2"))
    with pytest.raises(SavedPagesFullError):
        await store.save(ANNA, SavedPage("https://a.example/3"))
    with pytest.raises(SavedPagesFullError):
        await store.save(ANNA, PAGE, {"https://a.example/1.png": (bytes(5000), "image/png")})
    assert len(await store.find(ANNA, PageQuery())) == 2
    assert await store.images(ANNA, first) == []
    await store.save(BEN, PAGE)
    await store.aclose()


async def test_two_processes_use_one_file(store: SavedPageStore, tmp_path: Path) -> None:
    other = SavedPageStore(tmp_path / FILE_NAME)
    pages = [replace(PAGE, url=f"https://a.example/{number}") for number in range(20)]
    stores = [store, other] * 10
    await asyncio.gather(*(each.save(ANNA, page) for each, page in zip(stores, pages, strict=True)))
    assert len(await other.find(ANNA, PageQuery("river"))) == 20
    await other.aclose()


async def test_a_later_versions_file_is_not_touched(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("PRAGMA user_version = 99")
    store = SavedPageStore(tmp_path / FILE_NAME)
    with pytest.raises(NewerFileError):
        await store.save(ANNA, PAGE)
    await store.aclose()
    assert not await asyncio.to_thread(lambda: list(tmp_path.glob("*damaged*")))


async def test_one_damaged_text_is_an_error_and_all_others_stay(
    store: SavedPageStore, tmp_path: Path
) -> None:
    number = await store.save(ANNA, PAGE)
    other = await store.save(ANNA, replace(PAGE, url="https://a.example/2"))
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database, database:
        database.execute("UPDATE body SET text = x'00' WHERE page = ?", (number,))
    with pytest.raises(StoreError):
        await store.page(ANNA, number)
    assert await store.page(ANNA, other) is not None


def test_tags_are_clean() -> None:
    assert tags_of([" b ", "a, b", "", "b", "x\ny"]) == ("a b", "b", "x y")
    assert len(tags_of(map(str, range(1000)))) == 50
    assert len(tags_of(["x" * 1000])[0]) == 60
