"""What is done with a request, given what is stored (RFC 9111, sections 4 and 5.2; RFC 5861)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.caching.making import NOW, PRIVATE, SHARED, entry, fields, http_date, selected
from winnow.proxy.caching.freshness import (
    ForwardToOrigin,
    OnlyIfCachedMiss,
    RevalidateStored,
    UseStored,
    decide,
    may_stand_in,
    select,
)
from winnow.proxy.caching.storing import StoreMode

HIT, REFRESHED, STALE, REQUEST = "hit", "refreshed", "stale", "request"


def decided(
    lines: tuple[str, ...], age: float, requested: tuple[str, ...], mode: StoreMode = SHARED
) -> str:
    """The decision over one stored reply of that age, as a word."""
    decision = decide([entry(*lines, age=age)], fields(*requested), NOW, mode)
    if isinstance(decision, UseStored):
        return REFRESHED if decision.refresh else HIT
    return str(decision.why) if isinstance(decision, RevalidateStored) else "unsatisfiable"


MINUTE = ("Cache-Control: max-age=60",)


@pytest.mark.parametrize(
    ("age", "requested", "word"),
    [
        (0, "", HIT),
        (59, "", HIT),
        (60, "", STALE),
        (90, "", STALE),
        (0, "no-cache", REQUEST),
        (0, "max-age=0", REQUEST),
        (10, "max-age=20", HIT),
        (30, "max-age=20", REQUEST),
        (10, "max-age=nonsense", REQUEST),
        (10, "min-fresh=20", HIT),
        (50, "min-fresh=20", REQUEST),
        (90, "min-fresh=20", STALE),
        (90, "max-stale", HIT),
        (90, "max-stale=40", HIT),
        (90, "max-stale=30", HIT),
        (90, "max-stale=20", STALE),
        (90, "max-stale=nonsense", STALE),
        (90, "max-age=80, max-stale", REQUEST),
        (90, "max-age=100, max-stale", HIT),
        (0, "only-if-cached", HIT),
        (90, "only-if-cached", "unsatisfiable"),
        (90, "only-if-cached, max-stale", HIT),
        (0, "no-cache, only-if-cached", "unsatisfiable"),
        (0, "no-transform", HIT),
        (0, "unknown=1", HIT),
    ],
)
def test_request_directives(age: float, requested: str, word: str) -> None:
    assert decided(MINUTE, age, (f"Cache-Control: {requested}",)) == word


@pytest.mark.parametrize(
    ("requested", "word"),
    [
        (("Pragma: no-cache",), REQUEST),
        (("Pragma: No-Cache, x",), REQUEST),
        (("Pragma: x",), HIT),
        (("Pragma: no-cache", "Cache-Control: max-age=99"), HIT),
    ],
)
def test_pragma_counts_only_without_cache_control(requested: tuple[str, ...], word: str) -> None:
    assert decided(MINUTE, 0, requested) == word


@pytest.mark.parametrize(
    ("reported", "age", "mode", "word"),
    [
        ("no-cache", 0, SHARED, STALE),
        ("no-cache, max-age=60", 0, PRIVATE, STALE),
        ('no-cache="x", max-age=60', 0, SHARED, STALE),
        ("must-revalidate, max-age=60", 0, SHARED, HIT),
        ("must-revalidate, max-age=60", 90, SHARED, STALE),
        ("must-revalidate, max-age=60", 90, PRIVATE, STALE),
        ("proxy-revalidate, max-age=60", 90, SHARED, STALE),
        ("proxy-revalidate, max-age=60", 90, PRIVATE, HIT),
        ("s-maxage=60", 90, SHARED, STALE),
        ("s-maxage=60, max-age=10", 30, SHARED, HIT),
        ("max-age=60", 90, SHARED, HIT),
    ],
)
def test_a_client_that_takes_stale_replies_gets_those_that_may_be(
    reported: str, age: float, mode: StoreMode, word: str
) -> None:
    assert (
        decided((f"Cache-Control: {reported}",), age, ("Cache-Control: max-stale",), mode) == word
    )


@pytest.mark.parametrize(
    ("reported", "age", "requested", "word"),
    [
        ("max-age=60, stale-while-revalidate=30", 59, "", HIT),
        ("max-age=60, stale-while-revalidate=30", 60, "", REFRESHED),
        ("max-age=60, stale-while-revalidate=30", 89, "", REFRESHED),
        ("max-age=60, stale-while-revalidate=30", 90, "", STALE),
        ("max-age=60, stale-while-revalidate=30", 70, "no-cache", REQUEST),
        ("max-age=60, stale-while-revalidate=30", 70, "max-age=80", STALE),
        ("max-age=60, stale-while-revalidate=30", 70, "min-fresh=1", STALE),
        ("max-age=60, stale-while-revalidate=30", 70, "max-stale=20", HIT),
        ("max-age=60, stale-while-revalidate=nonsense", 70, "", STALE),
        ("max-age=60, stale-while-revalidate=30, must-revalidate", 70, "", STALE),
        ("s-maxage=60, stale-while-revalidate=30", 70, "", STALE),
        ("no-cache, stale-while-revalidate=30", 0, "", STALE),
    ],
)
def test_stale_while_revalidate(reported: str, age: float, requested: str, word: str) -> None:
    assert decided((f"Cache-Control: {reported}",), age, (f"Cache-Control: {requested}",)) == word


STALE_60 = "max-age=60, stale-if-error=30"


@pytest.mark.parametrize(
    ("reported", "requested", "age", "error", "unreachable"),
    [
        (STALE_60, "", 30, True, True),
        (STALE_60, "", 89, True, True),
        (STALE_60, "", 90, False, False),
        ("max-age=60", "", 90, False, True),
        ("max-age=60", "stale-if-error=40", 90, True, True),
        ("max-age=60", "stale-if-error=30", 90, False, False),
        ("max-age=60, stale-if-error=0", "", 90, False, False),
        ("max-age=60, stale-if-error=99, must-revalidate", "", 90, False, False),
        ("s-maxage=60, stale-if-error=99", "", 90, False, False),
        ("max-age=60, stale-if-error=99, no-cache", "", 30, False, False),
        ("max-age=60, stale-if-error=99", "no-cache", 30, False, False),
        ("max-age=0", "", 30, False, False),
    ],
)
def test_standing_in_for_an_origin_that_fails(
    reported: str, requested: str, age: float, error: bool, unreachable: bool
) -> None:
    stored, request = (
        entry(f"Cache-Control: {reported}", age=age),
        fields(f"Cache-Control: {requested}"),
    )
    assert may_stand_in(stored, request, NOW, SHARED, unreachable=False) is error
    assert may_stand_in(stored, request, NOW, SHARED, unreachable=True) is unreachable


def test_who_reloads_by_pragma_sees_the_error_too() -> None:
    stored, request = entry(f"Cache-Control: {STALE_60}"), fields("Pragma: no-cache")
    assert not may_stand_in(stored, request, NOW, SHARED, unreachable=True)


def test_nothing_stored_is_a_miss_and_another_variant_is_reported_apart() -> None:
    assert decide([], fields(), NOW, SHARED) == RevalidateStored(ForwardToOrigin.MISS)
    other = selected(entry("Vary: Accept", *MINUTE), "Accept: a")
    assert decide([other], fields("Accept: b"), NOW, SHARED) == RevalidateStored(
        ForwardToOrigin.VARY
    )


def test_nothing_stored_and_only_that_was_requested_for() -> None:
    assert decide([], fields("Cache-Control: only-if-cached"), NOW, SHARED) == OnlyIfCachedMiss()


def test_what_is_in_doubt_is_requested_for() -> None:
    doubtful = replace(entry(*MINUTE), doubtful=True)
    assert decide([doubtful], fields(), NOW, SHARED) == RevalidateStored(
        ForwardToOrigin.STALE, doubtful
    )
    assert decide([doubtful], fields("Cache-Control: max-stale"), NOW, SHARED) == RevalidateStored(
        ForwardToOrigin.STALE, doubtful
    )


def test_of_those_that_fit_the_latest_is_taken() -> None:
    old, new = entry(f"Date: {http_date(-50)}"), entry(f"Date: {http_date(-10)}")
    assert select([new, old], fields()) is new
    assert select([old, new], fields()) is new
    later = replace(new, received=new.received + 0.5)
    assert select([new, later], fields()) is later
    assert select([], fields()) is None
