"""A term brings its meaning and a meaning its term; long ones, and those in menus, stay out."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.engine.net.parts import caught

LONG = "word " * 70
LIST = "<main><dl><dt>Length</dt><dd>four metres</dd><dt>Beam</dt><dd>two metres</dd></dl></main>"


def added(html: str, *kept: str) -> str:
    document = Document.from_html(html)
    pieces, text = document.pieces, document.text
    words = [text[a:b] for a, b in zip(pieces.start, pieces.end, strict=True)]
    mask = np.array([word in kept for word in words], dtype=np.bool_)
    found = caught(document, mask)
    return " ".join(word for word, is_added in zip(words, found, strict=True) if is_added)


@pytest.mark.parametrize(
    ("html", "kept", "expected"),
    [
        (LIST, ("four metres",), "Length"),
        (LIST, ("Beam",), "two metres"),
        (LIST, (), ""),
        (LIST, ("Length", "four metres"), ""),
        (LIST.replace("main>", "nav>"), ("Beam",), ""),
        (LIST.replace("two metres", LONG), ("Beam",), ""),
        (
            LIST.replace("<dt>Beam</dt>", "<dt>Beam</dt><dt>Width</dt>"),
            ("two metres",),
            "Beam Width",
        ),
        ("<dl><dd>alone</dd></dl><dl><dt>Term</dt></dl>", ("alone",), ""),
        ("<p>No list at all</p>", ("No list at all",), ""),
    ],
)
def test_the_other_half_of_a_pair(html: str, kept: tuple[str, ...], expected: str) -> None:
    assert added(html, *kept) == expected
