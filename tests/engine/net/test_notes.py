"""A note that a mark in the kept text leads to is kept; what other links lead to is not."""

from __future__ import annotations

import pytest

from tests.engine.net.test_completion import STEP, shown

NOTE = "Children travel free."


def page(mark: str, note: str) -> str:
    return f"<main><p>{STEP} It costs four pounds{mark}.</p><p>Gone</p>{note}</main>"


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ('<sup><a href="#n1">1</a></sup>', f"<p id=n1>{NOTE}</p>"),
        ('<a href="#n1">[1]</a>', f"<ol><li id=n1>{NOTE}</ol>"),
        ('<a href="#n1">*</a>', f"<p><a id=n1></a>{NOTE}</p>"),
        ('<a href="#n%C3%A9">\u2020</a>', f"<p id=n\u00e9>{NOTE}</p>"),
    ],
)
def test_a_note_stays_with_its_mark(mark: str, note: str) -> None:
    found = shown(page(mark, note), NOTE, "Gone")
    assert NOTE in found
    assert "Gone" not in found


def test_a_note_is_the_line_that_a_link_with_words_begins() -> None:
    note = f"<p><a id=n1>Fares</a> {NOTE}</p>"
    assert f"Fares {NOTE}" in shown(page('<a href="#n1">1</a>', note), NOTE, "Fares", "Gone")


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ('<a href="#n1">the fares</a>', f"<p id=n1>{NOTE}</p>"),
        ('<a href="/fares#n1">1</a>', f"<p id=n1>{NOTE}</p>"),
        ('<a href="#n2">1</a>', f"<p id=n1>{NOTE}</p>"),
        ('<a href="#">1</a>', f"<p id=n1>{NOTE}</p>"),
        ('<a href="#n1">1</a>', f"<aside><p id=n1>{NOTE}</p></aside>"),
        ('<a href="#n1">1</a>', f"<p id=n1 hidden>{NOTE}</p>"),
        ('<a href="#n1">1</a>', f"<p id=n1>{NOTE} {'word ' * 120}</p>"),
    ],
)
def test_what_other_links_lead_to_stays_out(mark: str, note: str) -> None:
    assert NOTE not in shown(page(mark, note), NOTE, "Gone")
