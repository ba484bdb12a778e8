"""A device gets the letters that it can show, and never markup that was not there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.own.handlers.devices import CHARSETS, encoded, level_for


@pytest.mark.parametrize(
    ("text", "level", "shown"),
    [
        ("Größe “x” 東京", 0, "Größe “x” 東京".encode()),
        ("Größe “x”", 1, b"Gr\xf6\xdfe &#34;x&#34;"),
        ("Größe…", 2, b"Grosse..."),
        ("‹a›", 2, b"&lt;a&gt;"),
    ],
)
def test_letters_become_those_of_the_charset(text: str, level: int, shown: bytes) -> None:
    assert encoded(text, level) == shown


@given(st.text(), st.sampled_from([1, 2]))
def test_any_text_can_be_shown_and_opens_no_tag(text: str, level: int) -> None:
    shown = encoded(text, level)
    shown.decode(CHARSETS[level])
    assert shown.count(b"<") == text.count("<")
    assert shown.count(b'"') == text.count('"')


@pytest.mark.parametrize(
    ("field", "level"),
    [("", 0), ("utf-8", 0), ("*", 0), ("ISO-8859-1,*;q=0.5", 0), ("iso-8859-1", 1), ("ascii", 2)],
)
def test_a_device_says_what_it_takes(field: str, level: int) -> None:
    assert level_for(field) == level
