"""Age and freshness, clause by clause (RFC 9111, section 4.2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.caching.making import NOW, PRIVATE, SHARED, entry, fields, http_date
from winnow.proxy.caching.freshness import HEURISTIC_LIMIT, age, lifetime, may_be_stale, remaining
from winnow.proxy.caching.storing import StoreMode

DAY = 86_400


@pytest.mark.parametrize(
    ("lines", "delay", "resident", "seconds"),
    [
        ((f"Date: {http_date()}",), 0, 0, 0),
        ((f"Date: {http_date()}",), 0, 30, 30),
        ((f"Date: {http_date(-20)}",), 0, 0, 20),
        ((f"Date: {http_date(20)}",), 0, 0, 0),
        ((f"Date: {http_date()}", "Age: 60"), 0, 0, 60),
        ((f"Date: {http_date()}", "Age: 60"), 5, 0, 65),
        ((f"Date: {http_date(-90)}", "Age: 60"), 5, 0, 90),
        ((f"Date: {http_date()}", "Age: 60"), 5, 30, 95),
        (("Date: nonsense",), 0, 30, 30),
        ((), 5, 30, 35),
    ],
)
def test_age(lines: tuple[str, ...], delay: float, resident: float, seconds: float) -> None:
    """``delay``: between request and reply; ``resident``: since then."""
    stored = replace(entry(), headers=fields(*lines), requested=NOW - delay, received=NOW)
    assert age(stored, NOW + resident) == seconds


def test_a_clock_that_goes_back_makes_nothing_younger_than_it_came() -> None:
    assert age(entry("Age: 60"), NOW - 500) == 60


@pytest.mark.parametrize(
    ("lines", "mode", "seconds"),
    [
        (("Cache-Control: max-age=60",), SHARED, 60),
        (("Cache-Control: max-age=60, s-maxage=10",), SHARED, 10),
        (("Cache-Control: max-age=60, s-maxage=10",), PRIVATE, 60),
        (("Cache-Control: s-maxage=0, max-age=60",), SHARED, 0),
        (("Cache-Control: max-age=60", f"Expires: {http_date(5)}"), SHARED, 60),
        (("Cache-Control: max-age=nonsense", f"Expires: {http_date(5)}"), SHARED, 0),
        ((f"Expires: {http_date(5)}",), SHARED, 5),
        ((f"Expires: {http_date(-5)}",), SHARED, 0),
        (("Expires: 0",), SHARED, 0),
        (("Expires: Thu, 18 Aug 2050 02:01:18 AEST",), SHARED, 0),
        ((f"Expires: {http_date(60)}", f"Expires: {http_date(5)}"), SHARED, 5),
        ((f"Expires: {http_date(60)}", "Expires: 0"), SHARED, 0),
        (("Expires: 0", f"Last-Modified: {http_date(-DAY)}"), SHARED, 0),
        ((), SHARED, 0),
        ((f"Last-Modified: {http_date(-1000)}",), SHARED, 100),
        ((f"Last-Modified: {http_date(1000)}",), SHARED, 0),
        ((f"Last-Modified: {http_date(-1000 * DAY)}",), SHARED, HEURISTIC_LIMIT),
    ],
)
def test_lifetime(lines: tuple[str, ...], mode: StoreMode, seconds: float) -> None:
    assert lifetime(entry(*lines), mode) == seconds


def test_expires_counts_from_the_origins_own_clock() -> None:
    ahead = entry(f"Date: {http_date(1000)}", f"Expires: {http_date(1060)}")
    assert lifetime(ahead, SHARED) == 60


@pytest.mark.parametrize(
    ("status", "extra", "guessed"),
    [
        *((status, (), True) for status in (200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501)),
        *((status, (), False) for status in (201, 302, 307, 400, 403, 500, 503, 599)),
        (599, ("Cache-Control: public",), True),
    ],
)
def test_only_some_statuses_are_guessed_about(
    status: int, extra: tuple[str, ...], guessed: bool
) -> None:
    stored = entry(f"Last-Modified: {http_date(-1000)}", *extra, status=status)
    assert (lifetime(stored, SHARED) > 0) is guessed


def test_what_remains_turns_negative() -> None:
    assert remaining(entry("Cache-Control: max-age=60", age=45), NOW, SHARED) == 15
    assert remaining(entry("Cache-Control: max-age=60", age=90), NOW, SHARED) == -30


def test_a_doubtful_entry_has_nothing_left() -> None:
    doubtful = replace(entry("Cache-Control: max-age=60"), doubtful=True)
    assert remaining(doubtful, NOW, SHARED) < -1e9
    assert not may_be_stale(doubtful, SHARED)


@pytest.mark.parametrize(
    ("directive", "shared", "private"),
    [
        ("max-age=1", True, True),
        ("must-revalidate", False, False),
        ("no-cache", False, False),
        ("proxy-revalidate", False, True),
        ("s-maxage=1", False, True),
    ],
)
def test_who_may_send_it_stale(directive: str, shared: bool, private: bool) -> None:
    stored = entry(f"Cache-Control: {directive}")
    assert may_be_stale(stored, SHARED) is shared
    assert may_be_stale(stored, PRIVATE) is private
