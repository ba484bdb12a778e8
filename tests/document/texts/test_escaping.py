"""Escaping says what the standard library's says."""

from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from winnow.document.texts.escaping import escape


@given(st.text("ab\u00e9&<>\"' ;"))
def test_it_escapes_as_the_standard_library_does(text: str) -> None:
    assert escape(text) == html.escape(text)
