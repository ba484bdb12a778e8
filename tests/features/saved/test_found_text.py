"""The text around found words is the page's own, whole, and holds what was searched for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.features.saved.stores.found_text import AFTER, BEFORE, found_text
from winnow.features.saved.stores.search_words import folded


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The Ferry returns. Ferries are slow.", "ferr", ["Ferry", "Ferries"]),
        ("First line.\nÜber die Äpfel", "apfel", ["Äpfel"]),
        ("The wooden shovel", '"wooden shovel"', ["wooden shovel"]),
        ("plan a trip", "a", ["a"]),
        ("今日は東京都に行く", "東京", ["東京"]),
        ("ﬁre and Straße", "strasse fire", ["ﬁre", "Straße"]),
        ("<b>bold</b>", "bold", ["bold"]),
        ("今日は東京都に行く", '"東京"', ["東京"]),
        ("nothing of it", "ferry", []),
        ("nothing", '"', []),
    ],
)
def test_words_are_marked_as_they_are_written(text: str, query: str, marked: list[str]) -> None:
    assert [piece for piece, is_found in found_text(text, query) if is_found] == marked


def test_of_a_long_line_the_part_around_the_word_is_shown() -> None:
    line = "before " * 100 + "Ferry " + "after " * 100
    pieces = found_text(line, "ferry")
    shown = "".join(piece for piece, _ in pieces)
    assert shown.startswith("…before")
    assert shown.endswith("after…")
    assert len(shown) < AFTER + 3 * BEFORE
    assert ("Ferry", True) in pieces


@given(st.text(), st.text("abÄß東 \n", max_size=60), st.text(max_size=400))
def test_the_pieces_are_the_text_itself(query: str, text: str, more: str) -> None:
    pieces = found_text(text + more, query)
    shown = "".join(piece for piece, _ in pieces)
    assert shown.strip("…") in text + more or "…" in more
    assert all(piece for piece, _ in pieces)


@given(st.text("abcde Äé", min_size=2, max_size=8), st.text("xyz ", max_size=300))
def test_a_word_that_is_there_is_marked(word: str, around: str) -> None:
    word = word.replace(" ", "") + "q"
    pieces = found_text(f"{around} {word} {around}", word)
    assert any(is_found and folded(piece) == folded(word) for piece, is_found in pieces)


def test_a_line_that_fits_is_shown_whole() -> None:
    line = "Ferry " + "after " * 38 + "end"
    assert AFTER + BEFORE < len(line) < AFTER + 2 * BEFORE
    assert "".join(piece for piece, _ in found_text(line, "ferry")) == line
