"""Blocks are the text between the edges of block elements, with its words counted."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document import blocks as cutting
from winnow.document.blocks import Blocks, blocks_of
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


@given(st.integers(0, 1 << 20))
def test_the_compiled_blocks_are_those_of_the_definition(seed: int) -> None:
    require_module("winnow.document.parsing._scan", "a C compiler (gcc) and Python's headers")
    document = Document.from_html(mutated.page(seed))

    found, defined = cutting._cut_compiled(document), cutting.cut_in_python(document)

    for field in fields(Blocks):
        assert np.array_equal(getattr(found, field.name), getattr(defined, field.name))


@pytest.mark.parametrize("owner", [-1, 99])
def test_pieces_in_no_element_are_refused(owner: int) -> None:
    require_module("winnow.document.parsing._scan", "a C compiler (gcc) and Python's headers")
    document = Document.from_html("<p>One.</p><p>Two.</p>")
    known = (document.piece_words, document.linked, document.hidden)
    pieces = replace(document.pieces, owner=np.full(2, owner, dtype=np.int32))

    with pytest.raises(ValueError, match="in elements"):
        cutting._compiled.blocks(
            pieces.gap, pieces.start, pieces.end, pieces.owner, document.elements.block, *known, 3
        )
