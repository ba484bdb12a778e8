"""A site's rule keeps and drops elements whatever the method said; spans stay sorted and apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.engine.base.selector_rules import with_parts

PAGE = "<h2 class=a>Head</h2><p class=b>One two</p><p class=c>Three</p><p class=d hidden>Four</p>"


def texts(document: Document, extraction: Extraction) -> list[str]:
    return [document.text[span.start : span.end] for span in extraction.spans]


def test_kept_elements_are_added_with_their_labels() -> None:
    document = Document.from_html(PAGE)
    body = document.text.index("One")
    found = with_parts(document, Extraction("x", (Span(body, body + 7),)), [".a", ".c"], [])
    assert texts(document, found) == ["Head", "One two", "Three"]
    assert [span.label for span in found.spans] == ["heading", "body", "body"]


def test_dropped_elements_go_even_from_within_a_span() -> None:
    document = Document.from_html(PAGE)
    whole = Extraction("x", (Span(0, document.text.index("Three") + 5),))
    assert "".join(texts(document, with_parts(document, whole, [], [".b"]))).split() == [
        "Head",
        "Three",
    ]


def test_dropping_beats_keeping_and_hidden_text_stays_hidden() -> None:
    document = Document.from_html(PAGE)
    assert texts(document, with_parts(document, Extraction("x"), [".b", ".d"], [".b"])) == []


def test_a_broken_selector_changes_nothing() -> None:
    document = Document.from_html(PAGE)
    same = Extraction("x", (Span(0, 4),))
    assert with_parts(document, same, ["p:nonsense("], ["]"]) is same


@given(
    st.lists(st.tuples(st.integers(0, 25), st.integers(1, 6)), max_size=6),
    st.lists(st.sampled_from([".a", ".b", ".c", "p", "body"]), max_size=3),
    st.lists(st.sampled_from([".a", ".b", ".c", "p", "body"]), max_size=3),
)
def test_spans_stay_valid(drawn: list[tuple[int, int]], keep: list[str], drop: list[str]) -> None:
    document = Document.from_html(PAGE)
    spans: list[Span] = []
    for start, size in sorted(drawn):
        if start + size <= len(document.text) and (not spans or spans[-1].end <= start):
            spans.append(Span(start, start + size))
    found = with_parts(document, Extraction("x", tuple(spans)), keep, drop)
    assert all(span.end <= len(document.text) for span in found.spans)
