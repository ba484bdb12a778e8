"""Which pieces stand in some elements: the compiled masks are those of the definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.programs import require_module
from winnow.document.document import Document
from winnow.document.parsing import piece_masks

COMPILED = ("winnow.document.parsing._scan", "a C compiler (gcc) and Python's headers")
PAGE = "<nav><a href=/>One</a><img src=a></nav><div><p>Two <b>three</b></p><br><p></p></div>four"
PAGES = st.integers(0, 1 << 20).map(lambda seed: Document.from_html(mutated.page(seed)))


def test_what_stands_in_an_element_is_inside() -> None:
    document = Document.from_html(PAGE)
    found = document.inside(np.array(document.elements_named("p")))

    starts, ends = document.pieces.start[found], document.pieces.end[found]

    texts = [document.text[start:end] for start, end in zip(starts, ends, strict=True)]
    assert texts == ["Two", "three"]
    assert found.tolist() == document.inside_tags("p").tolist()


@given(PAGES, st.lists(st.integers(0, 9_999), max_size=8))
def test_the_compiled_mask_is_that_of_the_definition(document: Document, some: list[int]) -> None:
    require_module(*COMPILED)
    elements, pieces = document.elements, len(document.pieces)
    chosen = np.array([index % max(len(elements), 1) for index in some], dtype=np.int64)
    chosen = chosen if len(elements) else chosen[:0]

    found = piece_masks.inside(elements, chosen, pieces)
    assert found.tolist() == piece_masks.inside_in_python(elements, chosen, pieces).tolist()


@given(PAGES, st.sampled_from(["p", "a b", "h1 h2 div", "title noscript"]))
def test_the_compiled_mask_of_names_is_that_of_the_definition(
    document: Document, names: str
) -> None:
    require_module(*COMPILED)
    elements, pieces = document.elements, len(document.pieces)

    found = piece_masks.inside_tags(elements, names, pieces)
    assert found.tolist() == piece_masks.inside_tags_in_python(elements, names, pieces).tolist()


@pytest.mark.parametrize("element", [-1, 1 << 20])
def test_elements_that_there_are_not_are_refused(element: int) -> None:
    require_module(*COMPILED)
    document = Document.from_html(PAGE)
    wrong = np.array([element], dtype=np.int32)

    with pytest.raises(ValueError, match="that there are"):
        piece_masks._inside_compiled(document.elements, wrong, len(document.pieces))


@pytest.mark.parametrize("piece", [-1, 1 << 20])
def test_elements_that_hold_no_pieces_of_the_page_are_refused(piece: int) -> None:
    require_module(*COMPILED)
    document = Document.from_html(PAGE)
    elements = replace(
        document.elements, last_piece=np.full(len(document.elements), piece, dtype=np.int32)
    )

    with pytest.raises(ValueError, match="hold pieces"):
        piece_masks._inside_tags_compiled(elements, "p", len(document.pieces))
    tags = np.full(len(elements), piece, dtype=np.int32)
    with pytest.raises(ValueError, match="of a table"):
        piece_masks._inside_tags_compiled(replace(elements, tag=tags), "p", len(document.pieces))


@given(PAGES, st.integers(0, 1 << 30), st.integers(0, 3))
def test_the_compiled_runs_are_those_of_the_definition(
    document: Document, seed: int, offset: int
) -> None:
    require_module(*COMPILED)
    starts, ends = document.pieces.start[offset:], document.pieces.end[offset:]
    mask, marked = np.random.default_rng(seed).random((2, len(starts))) < 0.6

    found = piece_masks.runs(mask, marked, starts, ends)
    assert found == piece_masks.runs_in_python(mask, marked, starts, ends)


def test_marks_of_other_pieces_are_refused() -> None:
    require_module(*COMPILED)
    pieces, mask = Document.from_html(PAGE).pieces, np.ones(5, dtype=np.bool_)

    for wrong in ((mask[1:], pieces.start), (mask, pieces.start[1:])):
        with pytest.raises(ValueError, match="of each piece"):
            piece_masks._compiled.runs(mask, *wrong, pieces.end)


@given(PAGES)
def test_the_compiled_order_by_name_is_that_of_the_definition(document: Document) -> None:
    require_module(*COMPILED)

    order, starts = piece_masks.by_tag(document.elements)
    defined, ends = piece_masks.by_tag_in_python(document.elements)

    assert (order.tolist(), starts) == (defined.tolist(), ends)


@pytest.mark.parametrize("tag", [-1, 1 << 20])
def test_names_that_there_are_not_are_refused(tag: int) -> None:
    require_module(*COMPILED)
    elements = Document.from_html(PAGE).elements

    with pytest.raises(ValueError, match="that have codes"):
        piece_masks._by_tag_compiled(replace(elements, tag=np.full(3, tag, dtype=np.int32)))
