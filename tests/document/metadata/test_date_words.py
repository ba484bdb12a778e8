"""date_words.py: dates in words of many languages, in digits, and what is no date."""

from datetime import date, timedelta

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.metadata.date_words import dates_in, first_day, locale_of

LANGUAGES = (
    "en de fr es it pt nl sv da nb fi pl cs hu ro tr id vi ru uk bg el ar he fa zh ja ko th hi "
    "sr sk hr sl ca et lt en-GB pt-BR zh-Hant"
).split()
DAYS = st.dates(date(1990, 1, 1), date(2049, 12, 31))


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=DAYS)
def test_a_date_is_read_as_cldr_writes_it(language: str, day: date) -> None:
    for form in ("full", "long"):
        written = format_date(day, form, locale=locale_of(language))
        assert first_day(f"({written})", language) == day.isoformat()


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-09", "2026-03-09T16:00:22Z", "2026-03-09 16:00:22 +0000 UTC", "2026/03/09/story",
        "Mon, 09 Mar 2026 16:00:22 GMT", "Mar. 9, 2026", "March 9th, 2026", "9 de março de 2026",
        "9.3.2026", "Jane DoeMarch 9, 2026", "by Jane•Mar 9, 2026", "2026 Mar 9",
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same_day(text: str) -> None:
    assert first_day(text, "pt") == "2026-03-09"


@pytest.mark.parametrize(
    "text", ["", "2026", "March 2026", "31 February 2026", "1 of 2026 pages", "ISO 2022-77-99"]
)
def test_what_is_no_day_is_none(text: str) -> None:
    assert not first_day(text, "en")


def test_two_numbers_that_may_both_be_the_month_need_the_country() -> None:
    assert not first_day("3/9/2026", "en")
    assert first_day("3/9/2026", "en-US") == "2026-03-09"
    assert first_day("3/9/2026", "fr") == "2026-09-03"
    assert first_day("13/9/2026", "en") == "2026-09-13"


def test_all_dates_of_a_text_with_their_places() -> None:
    text = "Published 9 March 2026, updated March 11, 2026"
    found = list(dates_in(text, "en"))
    assert [text[item.start : item.end] for item in found] == ["9 March 2026", "March 11, 2026"]
    first, second = (date.fromisoformat(item.day) for item in found)
    assert second - first == timedelta(days=2)


@given(st.text(max_size=200), st.sampled_from(["", "en", "xx", "zz-ZZ", "de_DE", "-", "ar"]))
def test_any_text_and_any_tag_raise_nothing(text: str, language: str) -> None:
    for found in dates_in(f"{text} 2026", language):
        date.fromisoformat(found.day)
