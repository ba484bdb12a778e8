"""Timing: every method on every page, told in bare parses. No test here asks for a speed."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.__main__ import PAGES, _pages
from benchmarks.methods import BARE, LIBRARY, costs, exponent, growths, works
from winnow.extractors.registry import make


class Clock:
    """CPU time that passes only when work says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def spend(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    with monkeypatch.context() as patch:
        patch.setattr(time, "process_time", lambda: made.now)
        yield made


def test_costs_are_given_in_bare_parses(clock: Clock) -> None:
    timed = {
        BARE: lambda page: clock.spend(len(page)),
        "slow": lambda page: clock.spend(3 * len(page) if len(page) > 1 else 5),
    }
    bare, slow = costs([b"a", b"bbb"], timed, rounds=2)
    assert (bare.ratio, bare.low, bare.high, bare.median_ratio) == (1, 1, 1, 1)
    assert (slow.milliseconds, slow.ratio, slow.median_ratio) == (7000, 14 / 4, 4)


def test_growth_is_given_per_kilobyte_with_its_exponent(clock: Clock) -> None:
    (squared,) = growths([b"a" * 10, b"a" * 100], {"m": lambda page: clock.spend(len(page) ** 2)})
    assert squared.per_kilobyte == pytest.approx((1e10, 1e11))
    assert squared.exponent == pytest.approx(2)


@given(st.floats(0.5, 2.5), st.floats(0.01, 10))
def test_the_exponent_of_a_power_law_is_its_power(power: float, factor: float) -> None:
    sizes = [10, 100, 1000]
    assert exponent(sizes, [factor * size**power for size in sizes]) == pytest.approx(power)


def test_a_method_is_timed_from_bytes_to_spans() -> None:
    timed = works({"plain": make("plain")})
    assert list(timed) == [BARE, "plain"]
    assert list(costs([b"<p>Some words."], timed, rounds=1))[1].milliseconds >= 0


def test_the_default_method_is_timed_to_its_page_and_as_the_librarys_call_too() -> None:
    timed = works({"auto": make("auto")})
    assert list(timed) == [BARE, "auto", "auto to HTML", LIBRARY]
    assert "Some words" in str(timed[LIBRARY](b"<p>Some words."))


def test_without_a_package_generated_pages_are_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_PACKAGES", str(tmp_path))
    source, pages = _pages("none-of-this-name")
    assert source == "generated"
    assert len(pages) == PAGES
