"""Sizes and durations are written as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.config.sources.units import format_duration, format_size, parse_duration, parse_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8 MiB", 8 * 1024 * 1024),
        ("8MiB", 8 * 1024 * 1024),
        ("1.5 KiB", 1536),
        ("2 kB", 2000),
        ("2 KB", 2000),
        ("512", 512),
        ("512 B", 512),
        (" 1 gib ", 1024**3),
    ],
)
def test_a_size_has_a_unit_or_is_in_bytes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("5 s", 5), ("250 ms", 0.25), ("2min", 120), ("1.5 h", 5400), ("30 d", 2592000), ("7", 7)],
)
def test_a_duration_has_a_unit_or_is_in_seconds(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "MiB", "8 MiB/s", "-1 B", "1e3", "8 s", "eight"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no number with one of the units"):
        parse_size(text)


@pytest.mark.parametrize("text", ["", "s", "-5 s", "5 m", "5 MiB", "soon"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no number with one of the units"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (1000, "1 kB"), (1024, "1 KiB"), (1536, "1536 B"), (16 * 2**20, "16 MiB")],
)
def test_a_size_is_shown_in_its_largest_whole_unit(size: int, text: str) -> None:
    assert format_size(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (0.25, "250 ms"), (75, "75 s"), (120, "2 min"), (3600, "1 h")]
)
def test_a_duration_is_shown_in_its_largest_whole_unit(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.integers(0, 2**50))
def test_a_shown_size_reads_back_as_itself(size: int) -> None:
    assert parse_size(format_size(size)) == size


@given(st.integers(0, 10**9).map(lambda milliseconds: milliseconds / 1000))
def test_a_shown_duration_reads_back_as_itself(seconds: float) -> None:
    assert parse_duration(format_duration(seconds)) == pytest.approx(seconds, rel=1e-9)
