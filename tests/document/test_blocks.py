"""Blocks are the text between the edges of block elements, with its words counted."""

from __future__ import annotations

from winnow.document.blocks import blocks_of
from winnow.document.document import Document


def test_each_paragraph_is_a_block_and_inline_elements_part_nothing() -> None:
    document = Document.from_html("<div>One <b>two</b><p><a>three four</a> five</p>six</div>")
    blocks = blocks_of(document)
    texts = [document.text[start:end] for start, end in zip(blocks.start, blocks.end, strict=True)]
    assert texts == ["One two", "three four five", "six"]
    assert blocks.words.tolist() == [2, 3, 1]
    assert blocks.linked_words.tolist() == [0, 2, 0]
    assert [document.name_of(int(element)) for element in blocks.element] == ["div", "p", "div"]


def test_an_empty_page_has_no_blocks() -> None:
    assert len(blocks_of(Document.from_html(""))) == 0


def test_hidden_blocks_say_so() -> None:
    document = Document.from_html("<p>a</p><p hidden>b</p>")
    assert blocks_of(document).hidden.tolist() == [False, True]
