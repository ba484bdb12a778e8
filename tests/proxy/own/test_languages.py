"""A reader gets the best of their languages that we speak."""

from __future__ import annotations

from datetime import datetime

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.own.languages import NAMES, Language, choose_language
from winnow.proxy.own.translation import day, number, percent, speaking

TRANSLATED = [language for language in Language if language is not Language.ENGLISH]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-CH, de;q=0.9, en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.5", "en"),
        ("nl, de;q=0.5, en;q=0.4", "de"),
        ("nl, it;q=0.5", "en"),
        ("DE-at", "de"),
        ("pt-BR,pt;q=0.9", "pt"),
        ("zh-Hans-CN", "zh"),
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


def test_every_language_has_a_name_of_its_own() -> None:
    assert set(NAMES) == set(Language)
    assert len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize("language", TRANSLATED)
@given(value=st.integers(0, 10**9))
def test_numbers_are_written_as_cldr_has_them(language: Language, value: int) -> None:
    with speaking(language):
        written = format_decimal(value, locale=language.value).replace("\u202f", "\u00a0")
        assert number(value) == written


@pytest.mark.parametrize("language", TRANSLATED)
def test_shares_are_written_as_cldr_has_them(language: Language) -> None:
    with speaking(language):
        written = format_percent(0.12, locale=language.value).replace("\u202f", "\u00a0")
        assert percent(0.12) == written


@pytest.mark.parametrize("language", TRANSLATED)
def test_days_have_the_parts_of_cldr_in_its_order(language: Language) -> None:
    """With all figures of the year, which some languages' short form cuts."""
    when = datetime(2026, 11, 22, 13, 5)
    written = format_date(when, "short", locale=language.value)
    with speaking(language):
        assert day(when).replace("2026", "26") == written.replace("2026", "26")
