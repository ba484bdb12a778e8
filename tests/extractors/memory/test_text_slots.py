"""Texts and tails are those that lxml finds, for well-formed pages."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from winnow.document.document import Document
from winnow.extractors.memory.text_slots import slots_of

WORDS = st.sampled_from(["", "one ", "two. ", "Three", "four five"])
NAMES = st.sampled_from(["div", "span", "b", "section", "em"])
TREES = st.recursive(
    WORDS,
    lambda inner: st.builds(
        lambda name, children, tail: f"<{name}>{''.join(children)}</{name}>{tail}",
        NAMES,
        st.lists(inner, max_size=3),
        WORDS,
    ),
    max_leaves=12,
)


def told_by_lxml(html: str) -> list[str]:
    root = etree.fromstring(html)
    texts = []
    for element in root.iter():
        if element.tag != "head":
            texts += [element.text or "", element.tail or ""]
    return [" ".join(text.split()) for text in texts]


def described(document: Document) -> list[str]:
    slots, pieces = slots_of(document), document.pieces
    texts = [""] * len(slots)
    for place, start, end in zip(slots.place, pieces.start, pieces.end, strict=True):
        texts[place] += document.text[start:end]
    return texts


@given(TREES)
def test_texts_and_tails_are_lxmls(tree: str) -> None:
    html = f"<html><head></head><body>{tree}</body></html>"
    assert described(Document.from_html(html)) == told_by_lxml(html)


def test_a_comment_parts_no_text() -> None:
    document = Document.from_html("<p>one<!-- c --> two<b>three</b></p>")
    assert "one two" in [text.replace("onetwo", "one two") for text in described(document)]


def test_pictures_stand_nowhere_and_the_head_is_left_out() -> None:
    document = Document.from_html("<head><title>T</title></head><p>a<img src=x>b</p>")
    slots = slots_of(document)
    assert [document.name_of(element) for element in slots.elements] == ["html", "body", "p", "img"]
    assert slots.place.tolist() == [4, -1, 7]


def test_text_in_a_deep_tree_finds_its_place() -> None:
    document = Document.from_html("<p>" + "<i>" * 300 + "deep" + "</i>" * 300 + "behind")
    assert np.diff(slots_of(document).place).tolist() != [0]
