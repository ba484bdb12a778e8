"""What a page repeats is looked at as often as it stands there: steps are counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow import extract
from winnow.document.document import Document
from winnow.document.render.addresses import Addresses
from winnow.document.render.article.article_structure import ArticleStructure
from winnow.document.render.article.start_tag_writer import StartTagWriter
from winnow.document.spans import Label, Span
from winnow.engine.base.selector_rules import without
from winnow.engine.records.record_facts import RecordFacts
from winnow.engine.records.record_marks import RecordMarks

SAID = "Some words that say a thing and go on for a while, so that it is a text to be read."
SHAPES = {
    "reviews": '<div itemscope itemtype="https://schema.org/Review"><b itemprop=author>Jane {0}</b>'
    f"<time itemprop=datePublished datetime=2024-01-02>2 Jan</time><p>{SAID} {{0}}</div>",
    "comments": "<li class=comment id=comment-{0}><cite class=fn>Name{0}</cite> "
    f"<time datetime=2024-01-02>2 Jan 2024</time><div class=comment-body><p>{SAID} {{0}}</div>",
    "hidden parts": f'<p>{SAID} {{0}}<div id=i{{0}} hidden>{SAID}</div><a href="#i{{0}}">open</a>',
    "captions": f"<section><img src={{0}}.png><figcaption>{{0}}</figcaption></section><p>{SAID}",
    "pairs": f"<dl><dt>term {{0}}<dd>{SAID}</dl>",
    "tables": f"<table><tr><th>name<th>what<tr><td>{{0}}<td>{SAID}</table>",
    "notes": f"<p>{SAID}<a href=#f{{0}}>{{0}}</a><p id=f{{0}}>note <a href=#r{{0}}>^</a>",
}


def steps(work: Callable[[], object]) -> int:
    """Calls of functions and of what is compiled, and each step of a generator."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_three_times_as_much_takes_about_three_times_as_many_steps(shape: str) -> None:
    few, many = (
        f"<title>Things</title><h1>Things</h1><p>{SAID * 30}"
        + "".join(map(SHAPES[shape].format, range(number)))
        for number in (300, 900)
    )
    assert extract(few).html
    assert steps(lambda: extract(many).html) < 4 * steps(lambda: extract(few).html)


def test_a_record_is_looked_at_alone() -> None:
    page = "".join(f"<div><b>Jane {at}</b><p>{SAID}</div>" for at in range(50))
    document = Document.from_html(page)
    element = document.elements_named("div")[30]
    behind = int(document.elements.last[element])
    facts = RecordFacts(document, RecordMarks(document), element, (), behind)
    assert len(facts.own) == len(facts.body) == 2
    assert facts.first == document.elements.first_piece[element]


class Compared(str):
    """A text that counts how often it is compared."""

    times = 0

    def __eq__(self, other: object) -> bool:
        type(self).times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_targets_of_links_are_looked_up() -> None:
    document = Document.from_html("<p><a href=#none>a</a>")
    anchors = {at: Compared(f"i{at}") for at in range(100)}
    tags = document.elements.tag
    structure = ArticleStructure({}, frozenset(), {}, dict(anchors), tags, {})
    writer = StartTagWriter(document, structure, Addresses("", "", ""), scroll=False)
    Compared.times = 0
    assert writer.inline(document.elements_named("a")[0], "a") == ""
    assert Compared.times < 10


@given(st.data())
def test_without_leaves_what_no_dropped_piece_covers(data: st.DataObject) -> None:
    document = Document.from_html("".join(f"<p>word {at}" for at in range(12)))
    size = len(document.pieces)
    gone = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    offsets = st.sets(st.integers(0, len(document.text)), max_size=8).map(sorted)
    edges = data.draw(offsets)
    pairs = zip(edges[::2], edges[1::2], strict=False)
    spans = [Span(start, end, Label.BODY) for start, end in pairs]
    kept = {at for span in spans for at in range(span.start, span.end)}
    dropped = np.flatnonzero(np.diff(gone.astype(np.int8), prepend=0, append=0)).tolist()
    for first, behind in zip(dropped[::2], dropped[1::2], strict=True):
        kept -= set(range(document.pieces.start[first], document.pieces.end[behind - 1]))
    found = without(document, spans, gone)
    assert found == sorted(found)
    assert {at for span in found for at in range(span.start, span.end)} == kept
