"""A reader gets the best of their languages that we speak."""

from __future__ import annotations

import dataclasses
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.own.templates.message_catalogue import (
    CATALOGUE,
    ENGLISH,
    Language,
    choose_language,
    number,
)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-CH, de;q=0.9, en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.5", "en"),
        ("fr, de;q=0.5, en;q=0.4", "de"),
        ("fr, it;q=0.5", "en"),
        ("DE-at", "de"),
        ("en;q=0.2, de;q=0.7", "de"),
        ("de;q=0, en", "en"),
        ("de;q=high, en;q=0.1", "en"),
        ("*", "en"),
        (" de ; q = 1 ", "de"),
    ],
)
def test_the_best_of_ours_is_chosen(header: str | None, language: str) -> None:
    assert choose_language(header).value == language


@given(st.text(max_size=60))
def test_any_header_has_an_answer(header: str) -> None:
    assert choose_language(header) in Language


def test_every_language_has_a_catalogue() -> None:
    assert set(CATALOGUE) == set(Language)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(ENGLISH)])
def test_each_text_fills_the_same_places_in_every_language(name: str, language: Language) -> None:
    assert _places(getattr(CATALOGUE[language], name)) == _places(getattr(ENGLISH, name))


def _places(text: str) -> set[str | None]:
    assert text.strip() == text != ""
    return {place for _, place, _, _ in string.Formatter().parse(text)} - {None}


@pytest.mark.parametrize(("language", "written"), [("en", "12,345"), ("de", "12.345")])
def test_thousands_are_grouped_as_the_language_does(language: str, written: str) -> None:
    assert number(12345, Language(language)) == written
