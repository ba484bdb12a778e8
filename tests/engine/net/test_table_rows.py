"""A table of data of which most is kept keeps its header and every row; others stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.document.document import Document
from winnow.engine.net.parts import caught

HEAD = "<tr><th>Harbour</th><th>Depth</th></tr>"
ROWS = "".join(
    f"<tr><td>{name} quay of the old town</td><td>{metres} metres at low tide</td></tr>"
    for name, metres in (("North", 4), ("South", 6), ("Outer", 9))
)
TABLE = f"<table>{HEAD}{ROWS}</table>"


def added(html: str, *dropped: str) -> str:
    """What the rule adds where all pieces but those that hold one of the words are kept."""
    document = Document.from_html(html)
    pieces, text = document.pieces, document.text
    words = [text[a:b] for a, b in zip(pieces.start, pieces.end, strict=True)]
    kept = np.array([not any(word in piece for word in dropped) for piece in words], dtype=np.bool_)
    found = caught(document, kept)
    return " ".join(word for word, is_added in zip(words, found, strict=True) if is_added)


@pytest.mark.parametrize(
    ("html", "dropped", "expected"),
    [
        (TABLE, ("Harbour", "Depth"), "Harbour Depth"),
        (TABLE, ("Depth", "9 metres"), "Depth 9 metres at low tide"),
        (TABLE, (), ""),
        (TABLE, ("North", "South", "Outer", "metres"), ""),
        (TABLE.replace("th>", "td>"), ("Harbour",), "Harbour"),
        (TABLE.replace("th>", "td>"), ("Harbour", "North", "South", "Outer"), ""),
        (TABLE.replace("th>", "td>").replace("4 metres", "4 metres " * 99), ("Harbour",), ""),
        (f"<table><tr><th>Menu<td>{TABLE}</table>", ("Menu",), ""),
        (
            f"<table><tr><th>Title</th></tr>{'<tr><td>text of it</td></tr>' * 9}</table>",
            ("Ti",),
            "",
        ),
        (TABLE.replace("<th>Depth", "<th hidden>Depth"), ("Harbour", "Depth"), "Harbour"),
        ("<p>No table at all</p>", ("No",), ""),
    ],
)
def test_the_rest_of_a_table(html: str, dropped: tuple[str, ...], expected: str) -> None:
    assert added(html, *dropped) == expected
