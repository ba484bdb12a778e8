"""What of hidden text a rendering has: what a script would reveal, and no copy of what is shown."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.render.selection import cut, cut_in_python, gaps, gaps_in_python, select
from winnow.document.values import Extraction, Span

TEXT = "".join(f"<p>Sentence number {n} of the story, which has ten words.</p>" for n in range(5))


def shown(html: str) -> str:
    document = Document.from_html(html)
    segments = select(document, Extraction("all", (Span(0, len(document.text)),)))
    starts, ends = segments.start.tolist(), segments.end.tolist()
    return " ".join(document.text[a:b] for a, b in zip(starts, ends, strict=True))


def test_a_hidden_copy_of_the_text_goes_though_it_is_most_of_it() -> None:
    found = shown(f"<div hidden>{TEXT}<p>And one more.</p></div><div>{TEXT}</div>")

    assert found.count("Sentence number 3") == 1
    assert "one more" not in found


def test_what_a_script_would_reveal_stays() -> None:
    assert "Sentence number 3" in shown(f"<div hidden>{TEXT}</div><p>Please wait.</p>")
    assert "Sentence number 3" not in shown(f"<div hidden>{TEXT}</div><p>{'Other words. ' * 50}")


def test_hidden_code_stays_unless_it_stands_elsewhere() -> None:
    code = "<pre{}>make install and make run it</pre>"

    assert "make run" in shown(TEXT + code.format(" hidden"))
    assert shown(TEXT + code.format(" hidden") + code.format("")).count("make run") == 1


PAGE = "<p>a b<b>c</b> d</p><ul><li>e<li>f</ul>g<br>h<img src=x>i<p>j <i>k</i>l"


@given(st.lists(st.integers(0, 40), unique=True, max_size=8), st.sets(st.integers(0, 11)))
def test_the_compiled_segments_are_those_of_the_definition(
    edges: list[int], gone: set[int]
) -> None:
    pieces, edges = Document.from_html(PAGE).pieces, sorted(edges)
    starts, stops = (np.array(edges[at : len(edges) // 2 * 2 : 2], dtype=np.int32) for at in (0, 1))
    found = cut(pieces.start, pieces.end, starts, stops, starts)
    assert np.array_equal(found, cut_in_python(pieces.start, pieces.end, starts, stops, starts))
    left = [at for at, piece in enumerate(found[0].tolist()) if piece not in gone]
    piece, start, end, _ = found[:, left]
    assert np.array_equal(
        gaps(pieces, piece, start, end), gaps_in_python(pieces, piece, start, end)
    )
