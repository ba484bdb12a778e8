"""Numbers of any length are parsed; any other text gives None."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.http.headers import LARGEST_NUMBER, number


@pytest.mark.parametrize("text", ["", " ", "-1", "+1", "1 ", "1\n", "1.0", "1_0", "٣", "²", "0x1"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9" * 5000, LARGEST_NUMBER),
        ("0" * 5000, 0),
        ("0" * 5000 + "12", 12),
        (str(LARGEST_NUMBER), LARGEST_NUMBER),
    ],
)
def test_thousands_of_digits_are_a_number(text: str, value: int) -> None:
    assert number(text) == value


@given(st.integers(0, 10**30), st.integers(1, 10**20))
def test_a_number_is_itself_up_to_the_largest(value: int, largest: int) -> None:
    assert number(str(value), largest) == min(value, largest)
