"""Two renderings that may differ have different keys: whatever field tells them apart."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, make_dataclass, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.values import (
    Format,
    MethodOptions,
    Page,
    PartLimits,
    Profile,
    Recipe,
    SiteKnowledge,
)
from winnow.jobs.rendering_key import (
    UNCOUNTED,
    ExtractorIdentity,
    canonical,
    fingerprint,
    memory_key,
    stored_key,
)

KNOWN = SiteKnowledge(memory=b"of a site")
RECIPE = Recipe(knowledge=KNOWN)


@dataclass(frozen=True, slots=True)
class Quality:
    """As winnow.jobs.quality.QualityLimits."""

    least: int = 20


def key_of(recipe: Recipe, quality: Hashable = Quality(), extractor: str = "bte/1") -> str:
    return fingerprint(recipe, ExtractorIdentity(extractor, reads_memory=True), quality)


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, Enum):
        return next(each for each in type(value) if each is not value)
    if value is None or isinstance(value, bool):
        return not value
    more = {int: 1, str: "x", bytes: b"x", tuple: ("x",)}
    return value + more[type(value)]


NESTED = {"options": MethodOptions, "knowledge": SiteKnowledge, "part": PartLimits}
"""The recipe's fields that are dataclasses."""
RECIPE_FIELDS = [field.name for field in fields(Recipe) if field.name not in NESTED]
NESTED_FIELDS = [(name, field.name) for name, kind in NESTED.items() for field in fields(kind)]
NOT_COUNTED = {
    ("MethodOptions", "ads"),
    ("MethodOptions", "inner"),
    ("SiteKnowledge", "learn"),
    ("SiteKnowledge", "rows"),
}


def test_what_does_not_count_is_listed_with_its_reason() -> None:
    assert set(UNCOUNTED) == NOT_COUNTED
    assert all(len(reason.split()) > 5 for reason in UNCOUNTED.values())


@pytest.mark.parametrize("name", RECIPE_FIELDS)
def test_every_field_of_a_recipe_counts(name: str) -> None:
    changed = replace(RECIPE, **{name: other(getattr(RECIPE, name))})
    assert key_of(changed) != key_of(RECIPE)


@pytest.mark.parametrize(("nested", "name"), NESTED_FIELDS)
def test_every_field_of_a_recipes_parts_counts(nested: str, name: str) -> None:
    part = getattr(RECIPE, nested)
    changed = replace(RECIPE, **{nested: replace(part, **{name: other(getattr(part, name))})})
    counts = (type(part).__name__, name) not in NOT_COUNTED
    assert (key_of(changed) != key_of(RECIPE)) is counts


def test_what_is_known_counts_only_where_it_is_read() -> None:
    blank = replace(RECIPE, knowledge=SiteKnowledge(key=b"secret", pages=3))
    assert key_of(blank) == key_of(Recipe())
    unread = fingerprint(RECIPE, ExtractorIdentity("bte/1"), Quality())
    assert unread == fingerprint(Recipe(), ExtractorIdentity("bte/1"), Quality())


@pytest.mark.parametrize("base", [Recipe, SiteKnowledge, MethodOptions, PartLimits, Quality])
def test_a_field_that_is_added_counts_by_itself(base: type) -> None:
    added = make_dataclass(
        base.__name__, [("added", int, 0)], bases=(base,), frozen=True, slots=True
    )

    def key(value: int) -> str:
        memory = {"memory": b"m"} if base is SiteKnowledge else {}
        made = added(**memory, added=value)
        if base is Quality:
            return key_of(RECIPE, made)
        nested = next((name for name, kind in NESTED.items() if kind is base), "")
        return key_of(replace(RECIPE, **{nested: made}) if nested else made)

    assert key(0) != key(1)


def test_a_field_of_a_type_without_a_canonical_form_is_an_error() -> None:
    with pytest.raises(TypeError, match="set"):
        canonical(make_dataclass("Odd", [("names", set)])({"a"}))


def test_method_thresholds_and_page_count() -> None:
    assert key_of(RECIPE) != key_of(RECIPE, Quality(21))
    assert key_of(RECIPE) != key_of(RECIPE, extractor="bte/2")


words = st.text(st.sampled_from("ab|,()'=\\\0"), max_size=5)
recipes = st.builds(
    Recipe,
    extractor=words,
    format=st.sampled_from(Format),
    profile=st.sampled_from(Profile),
    options=st.builds(MethodOptions, st.none() | st.integers(1, 2)),
    link_prefix=words,
    keep=st.lists(words, max_size=2).map(tuple),
    drop=st.lists(words, max_size=2).map(tuple),
    pages=st.integers(1, 2),
    part=st.builds(PartLimits, st.integers(0, 1), st.integers(0, 1)),
)


@given(recipes, recipes, words, words)
def test_only_equal_recipes_have_equal_keys(
    one: Recipe, two: Recipe, method: str, another: str
) -> None:
    same = key_of(one, extractor=method) == key_of(two, extractor=another)
    assert same is ((one, method) == (two, another))


@pytest.mark.parametrize("made", [memory_key, stored_key])
def test_a_page_cannot_pass_its_end_off_as_an_address(made: Any) -> None:
    pages = [
        Page(b"ab", "http://c/"),
        Page(b"abhttp", "://c/"),
        Page(b"ab", "http://c/", "utf-8"),
        Page(b"ab", "http://c/utf-8"),
        Page(b"ab", "http://c/\0utf-8"),
        Page(b"ab"),
        Page(b"ab", ""),
        Page(b"ab", "None"),
    ]
    assert len({made(page, "f") for page in pages}) == len(pages)
    assert made(pages[0], "f") != made(pages[0], "g")


def test_what_was_stored_is_found_by_later_versions() -> None:
    found = stored_key(Page(b"ab", "http://c/", "utf-8"), "f")
    assert found == "354eb59bcdf60c7425c1ca6aa273c69fc24a0186"
