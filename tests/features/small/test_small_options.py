"""Options travel as a short word in the path, within bounds, and the address behind stays whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.own.handlers.devices import (
    DEFAULT,
    SmallOptions,
    address_in,
    bounded,
    read_path,
)

URL = "https://a.example/b?c=d/e#f"
OPTIONS = st.builds(
    SmallOptions,
    width=st.integers(64, 1600),
    kilobytes=st.integers(2, 500),
    images=st.integers(1, 2),
    text=st.integers(0, 2),
    image_kilobytes=st.integers(1, 2000),
    part=st.integers(1, 10_000),
    headings=st.integers(0, 1),
)


@given(OPTIONS, OPTIONS)
def test_a_word_is_read_as_it_was_written(options: SmallOptions, base: SmallOptions) -> None:
    assert read_path(options.word(base) + URL, base) == (options, URL)


@pytest.mark.parametrize(
    ("path", "options", "rest"),
    [
        ("", DEFAULT, ""),
        (URL, DEFAULT, URL),
        ("w300/", SmallOptions(width=300), ""),
        ("w300", SmallOptions(width=300), ""),
        ("w9.k99999.i7/go?url=x", SmallOptions(width=64, kilobytes=500, images=2), "go?url=x"),
        ("x1/go", DEFAULT, "x1/go"),
        ("search?q=w1", DEFAULT, "search?q=w1"),
    ],
)
def test_paths_are_read(path: str, options: SmallOptions, rest: str) -> None:
    assert read_path(path, DEFAULT) == (options, rest)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (URL, URL),
        ("HTTPS:/a.example/", "https://a.example/"),
        ("http://a.example", "http://a.example"),
        ("ftp://a.example", ""),
        ("go", ""),
    ],
)
def test_addresses_are_found_with_folded_slashes(text: str, address: str) -> None:
    assert address_in(text) == address


def test_unknown_options_are_left_out() -> None:
    assert bounded({"width": 10**6, "colour": 3}, DEFAULT) == SmallOptions(width=1600)
