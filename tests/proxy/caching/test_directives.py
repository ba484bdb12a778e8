"""Cache-Control, ages and dates: what is read, and that no field whatever breaks the reading."""

from __future__ import annotations

from email.utils import formatdate
from time import gmtime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.caching.making import fields
from winnow.proxy.caching.directives import FOREVER, Directives, age_of, date_of, delta_seconds
from winnow.proxy.http.headers import Headers


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", ()),
        ("no-store", (("no-store", None),)),
        ("NO-STORE", (("no-store", None),)),
        ("max-age=60", (("max-age", "60"),)),
        ('max-age="60"', (("max-age", "60"),)),
        ("max-age=60,public", (("max-age", "60"), ("public", None))),
        (" ,, max-age=60 ,", (("max-age", "60"),)),
        ("max-age=60; public", (("max-age", "60;"), ("public", None))),
        ('no-cache="set-cookie, x"', (("no-cache", "set-cookie, x"),)),
        ('ext="no-store", public', (("ext", "no-store"), ("public", None))),
        (r'ext="a \" no-store", public', (("ext", r"a \" no-store"), ("public", None))),
        ('ext=", no-store', (("ext", None), ("no-store", None))),
    ],
)
def test_directives_are_read(text: str, read: tuple[tuple[str, str | None], ...]) -> None:
    assert Directives.of(fields(f"Cache-Control: {text}")).values == dict(read)


def test_lines_are_one_list() -> None:
    reported = Directives.of(fields("Cache-Control: max-age=1", "cache-control: no-store"))
    assert "no-store" in reported
    assert reported.seconds("max-age") == 1


def test_of_a_repeated_directive_the_first_counts() -> None:
    assert Directives.of(fields("Cache-Control: max-age=1, max-age=900")).seconds("max-age") == 1


def test_a_directive_that_is_not_there_has_no_seconds() -> None:
    assert Directives.of(fields("Cache-Control: public")).seconds("max-age") is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("60", 60),
        ("007", 7),
        (str(FOREVER), FOREVER),
        (str(FOREVER + 1), FOREVER),
        ("9" * 5000, FOREVER),
        ("0" * 5000 + "7", 7),
        ("", 0),
        ("-1", 0),
        ("+1", 0),
        ("1.5", 0),
        ("1 2", 0),
        ("ten", 0),
        ("\u0663", 0),
    ],
)
def test_seconds_are_whole_numbers_and_anything_else_is_none(text: str, seconds: int) -> None:
    assert delta_seconds(text) == seconds


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ((), 0),
        (("Age: 60",), 60),
        (("Age: 60, 10",), 60),
        (("Age: 60", "Age: 10"), 60),
        (("Age: -1",), 0),
        (("Age: 1.0",), 0),
        (("Age: " + "9" * 5000,), FOREVER),
    ],
)
def test_of_several_ages_the_first_counts(lines: tuple[str, ...], seconds: int) -> None:
    assert age_of(fields(*lines)) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "  Sun, 06 Nov 1994 08:49:37 GMT  ",
        "SUN, 06 nov 1994 08:49:37 gMT",
    ],
)
def test_all_three_forms_of_a_date_are_the_same_moment(text: str) -> None:
    assert date_of(text) == 784_111_777


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "now",
        "06 Nov 1994",
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "Sun, " + "9" * 5000,
        "Thu, 18 Aug 2050 02:01:18 UTC",
        "Thu, 18 Aug 2050 02:01:18 AEST",
        "Thu, 18 Aug 50 02:01:18 GMT",
        "Thu 18 Aug 2050 02:01:18 GMT",
        "Thu, 18  Aug  2050 02:01:18 GMT",
        "Thu, 18-Aug-2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02.01.18 GMT",
        "Thu, 18 Aug 2050 2:01:18 GMT",
        "Thu, 18 Aug 2050 02:01:18 +0000",
        "Thu, 18 Aug 2050 02:01:61 GMT",
        "Thu, 18 Aug 2050 24:01:18 GMT",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert date_of(text) is None


def test_a_leap_second_is_a_date() -> None:
    assert date_of("Sat, 31 Dec 2016 23:59:60 GMT") == date_of("Sat, 31 Dec 2016 23:59:59 GMT")


def test_a_year_of_two_digits_is_at_most_fifty_years_ahead() -> None:
    this_year = gmtime().tm_year
    for year in range(100):
        moment = date_of(f"Monday, 01-Jan-{year:02} 00:00:00 GMT")
        assert moment is not None
        meant = gmtime(moment).tm_year
        assert meant % 100 == year
        assert this_year - 50 <= meant <= this_year + 50


@given(st.integers(0, 4_000_000_000))
def test_every_second_is_read_as_it_is_written(moment: int) -> None:
    assert date_of(formatdate(moment, usegmt=True)) == moment


latin = st.text(st.characters(max_codepoint=0xFF), max_size=80)


@given(latin)
def test_no_field_breaks_the_reading(text: str) -> None:
    headers = Headers((("Cache-Control", text), ("Age", text)))
    reported = Directives.of(headers)
    assert 0 <= (reported.seconds("max-age") or 0) <= FOREVER
    assert 0 <= age_of(headers) <= FOREVER
    assert date_of(text) is None or isinstance(date_of(text), float)
