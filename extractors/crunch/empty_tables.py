"""Which tables hold nothing of substance, found bottom-up."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import prefix_sums, range_sums
from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.document.parsing import tags
from winnow.extractors.crunch.filter_state import Filtered

Integers = npt.NDArray[np.int64]
_TAG: Final = re.compile(r"<[^>]*>")
_LINK: Final = tags.CODES["a"]


def empty_tables(
    document: Document, state: Filtered, substance: frozenset[int], least_text: int
) -> list[int]:
    """The outermost tables without substance, nor ``least_text`` characters. O(elements)."""
    elements = document.elements
    things, texts = _things(document, state, substance), _lengths(document, state)
    tables = state.left(np.array(document.elements_named("table"), dtype=np.int64)).tolist()
    lost = dict.fromkeys([-1, *tables], 0)
    around = _around(document, tables)
    empty: set[int] = set()
    for table in reversed(tables):
        text = int(texts[elements.last[table]] - texts[table])
        has_things = bool(things[elements.last[table]] - things[table])
        if not has_things and text - lost[table] < least_text:
            empty.add(table)
            lost[around[table]] += text
        else:
            lost[around[table]] += lost[table]
    return [table for table in tables if table in empty]


def hollow_cells(
    document: Document, state: Filtered, cells: frozenset[int], substance: frozenset[int]
) -> list[int]:
    """The cells that lost text and have neither text, media nor anything of substance left."""
    elements = document.elements
    things = _things(document, state, substance)
    lost = range_sums(state.removed_pieces, elements.first_piece, elements.last_piece)
    left = range_sums(~state.removed_pieces, elements.first_piece, elements.last_piece)
    found = np.isin(elements.tag, list(cells - tags.codes_of("td"))) & ~state.removed_elements
    found &= (lost > 0) & (left == 0)
    return np.flatnonzero(found & (things[elements.last] == things[:-1])).tolist()


def _around(document: Document, tables: list[int]) -> dict[int, int]:
    """The table that each table stands in, -1 for none."""
    found: dict[int, int] = {}
    stack: list[int] = []
    for table in tables:
        while stack and document.elements.last[stack[-1]] <= table:
            stack.pop()
        found[table] = stack[-1] if stack else -1
        stack.append(table)
    return found


def _things(document: Document, state: Filtered, substance: frozenset[int]) -> Integers:
    """Elements of substance before each element; an ALT text's link is one, too."""
    found = np.isin(document.elements.tag, list(substance)) & ~state.removed_elements
    for edit in _replaced(document, state):
        if "<a" in edit.value and _LINK in substance:
            found[edit.element] = True
    return prefix_sums(found)


def _replaced(document: Document, state: Filtered) -> list[Edit]:
    """What put something in an element's stead that is there still: nothing around it is gone."""
    edits = [edit for edit in state.edits if edit.operation is Operation.REPLACE]
    parents = document.elements.parent[[edit.element for edit in edits]] if edits else ()
    return [
        edit
        for edit, parent in zip(edits, parents, strict=True)
        if parent < 0 or not state.removed_elements[parent]
    ]


def _lengths(document: Document, state: Filtered) -> Integers:
    """Characters of trimmed text left before each element."""
    pieces, size = document.pieces, len(document.elements)
    lengths = [
        0 if is_gone or is_medium else len(document.text[start:end].strip())
        for start, end, is_gone, is_medium in zip(
            pieces.start.tolist(),
            pieces.end.tolist(),
            state.removed_pieces.tolist(),
            document.media.tolist(),
            strict=True,
        )
    ]
    own = np.bincount(pieces.owner, weights=lengths, minlength=size).astype(np.int64)
    for edit in _replaced(document, state):
        own[edit.element] += len(_TAG.sub("", edit.value).strip())
    return prefix_sums(own)
