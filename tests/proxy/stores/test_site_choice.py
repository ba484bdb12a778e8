"""All that is decided of a site is one value: field by field, the nearest that says it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.stores.data_of_version_3 import AD, CHOICES, LEAD, MEANT, SHELF
from tests.proxy.stores.memories import at
from winnow.compose.stores import move_parts
from winnow.proxy.stores.choices import EVERYBODY, Choices
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.site_choice import (
    MOST_PARTS,
    NO_CHOICE,
    Choice,
    PartRule,
    SiteMode,
    in_force,
    told,
    with_told,
)
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices

ANNA = "user:anna"
WORDS = st.none() | st.sampled_from(["fold", "keep"])
PARTS = st.builds(PartRule, st.text(min_size=1, max_size=9), st.booleans(), st.text(), st.text())
CHOICE = st.builds(
    Choice,
    st.none() | st.sampled_from(SiteMode),
    st.none() | st.sampled_from(["bte", "crunch:2"]),
    st.none() | st.integers(1, 12),
    WORDS,
    WORDS,
    WORDS,
    st.none() | st.integers(1, 20),
    st.none() | st.booleans(),
    st.lists(PARTS, max_size=4, unique_by=lambda part: part.selector).map(tuple),
)


@given(CHOICE)
def test_each_field_comes_back_as_it_was(choice: Choice) -> None:
    again = NO_CHOICE
    for name, text in told(choice).items():
        again = with_told(again, name, text)
    assert again == choice


@pytest.mark.parametrize(
    ("name", "text"),
    [("mode", "sometimes"), ("level", "x"), ("parts", "[]"), ("part p", "{"), ("of-later", "1")],
)
def test_what_nobody_stored_is_an_error(name: str, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        with_told(NO_CHOICE, name, text)


def test_what_goes_first_holds_field_by_field_and_parts_add_up() -> None:
    own = Choice(level=3, comments="keep", parts=(PartRule(".x"),))
    common = Choice(SiteMode.NEVER, "bte", parts=(PartRule(".x", drops=True), PartRule(".y", True)))
    found = in_force((own, common), Choice)
    assert found == Choice(
        SiteMode.NEVER, None, 3, "keep", parts=(PartRule(".x"), PartRule(".y", True))
    )


def test_the_nearest_domain_goes_first_and_the_own_before_everybodys() -> None:
    now = Choices().with_choice(ANNA, "news.example", Choice(SiteMode.NEVER, "bte"))
    now = now.with_choice(ANNA, "a.news.example", Choice(level=2, parts=(LEAD,)))
    now = now.with_choice(EVERYBODY, "a.news.example", Choice(SiteMode.ALWAYS, render="always"))
    assert now.choice(ANNA, at("a.news.example")) == Choice(
        SiteMode.NEVER, None, 2, render="always", parts=(LEAD,)
    )
    assert now.choice(ANNA, at("news.example")) == Choice(SiteMode.NEVER, "bte")


def test_a_part_is_kept_or_dropped_and_not_both_and_the_oldest_go() -> None:
    assert NO_CHOICE.with_part(PartRule(".x", drops=True)).with_part(PartRule(".x")).drop == ()
    many = NO_CHOICE
    for number in range(MOST_PARTS + 5):
        many = many.with_part(PartRule(f".n{number}"))
    assert (len(many.parts), many.keep[0]) == (MOST_PARTS, ".n5")
    assert many.without_part(".n5").keep[0] == ".n6"


def choices_of(now: Choices) -> Mapping[str, Mapping[str, Choice]]:
    return {owner: dict(owned.choices) for owner, owned in now.owners.items()}


async def test_choices_of_version_3_and_the_parts_of_its_library_are_one(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.executescript(CHOICES)
    (tmp_path / "shelf.json").write_text(SHELF)
    library = LibraryStore.open(tmp_path / "shelf.json")
    store = await SqliteChoices.open(tmp_path / FILE_NAME)
    assert choices_of(store.now) == MEANT
    for _ in range(2):  # of two processes that start at once the second finds it done
        await move_parts(library, store)
    assert not LibraryStore.open(tmp_path / "shelf.json").now.parts
    assert library.now.bookmarks
    await store.aclose()
    again = await SqliteChoices.open(tmp_path / FILE_NAME)
    await again.aclose()
    news = MEANT[ANNA]["news.example"]
    assert again.now.of(ANNA).choices["news.example"] == replace(news, parts=(LEAD, AD))
    common = again.now.of(EVERYBODY).choices["news.example"]
    assert common == Choice(SiteMode.ALWAYS, parts=(PartRule("#lead"),))
    assert again.now.choice(ANNA, at("news.example")).mode is SiteMode.NEVER


async def test_a_part_that_was_decided_since_is_not_undone_by_an_old_one(tmp_path: Path) -> None:
    (tmp_path / "shelf.json").write_text(SHELF)
    store = await SqliteChoices.open(tmp_path / FILE_NAME)
    dropped = NO_CHOICE.with_part(PartRule(".lead", drops=True))
    await store.choose(ANNA, "news.example", dropped)
    await move_parts(LibraryStore.open(tmp_path / "shelf.json"), store)
    await store.aclose()
    assert store.now.of(ANNA).choices["news.example"].parts == (*dropped.parts, AD)


async def test_each_change_is_of_its_field_alone(tmp_path: Path) -> None:
    """Two processes that change one site at once undo nothing of each other."""
    one = await SqliteChoices.open(tmp_path / FILE_NAME)
    two = await SqliteChoices.open(tmp_path / FILE_NAME)
    await one.choose(ANNA, "news.example", Choice(SiteMode.NEVER))
    await two.choose(ANNA, "news.example", NO_CHOICE.with_part(LEAD))
    await one.on_notify([])
    for store in (one, two):
        await store.aclose()
    assert one.now.of(ANNA).choices == {"news.example": Choice(SiteMode.NEVER, parts=(LEAD,))}
