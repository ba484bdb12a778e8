"""Which pieces stand in some elements, runs of pieces, elements by name; compiled or in Python.

Half of all steps ask for these.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Elements, Ints, Mask
from winnow.document.compiled import loop, optional_module
from winnow.document.parsing import tags

_compiled: Any = optional_module("winnow.document.parsing._scan")

Indices = npt.NDArray[np.integer]


def _inside_compiled(elements: Elements, chosen: Indices, pieces: int) -> Mask:
    mask = np.empty(pieces, dtype=np.bool_)
    indices = np.ascontiguousarray(chosen, dtype=np.int32)
    _compiled.inside(elements.first_piece, elements.last_piece, indices, mask)
    return mask


def inside_in_python(elements: Elements, chosen: Indices, pieces: int) -> Mask:
    """Which of so many pieces stand in any of some elements (indices); shape (pieces,)."""
    steps = np.bincount(elements.first_piece[chosen], minlength=pieces + 1)
    steps -= np.bincount(elements.last_piece[chosen], minlength=pieces + 1)
    found: Mask = np.cumsum(steps[:-1]) > 0
    return found


inside = loop(_compiled and _inside_compiled, inside_in_python)


def _inside_tags_compiled(elements: Elements, names: str, pieces: int) -> Mask:
    mask, table = np.empty(pieces, dtype=np.bool_), tags.table_of(names)
    _compiled.inside_tags(elements.first_piece, elements.last_piece, elements.tag, table, mask)
    return mask


def inside_tags_in_python(elements: Elements, names: str, pieces: int) -> Mask:
    """Which pieces stand in an element with one of the blank-separated names; shape (pieces,)."""
    chosen = np.flatnonzero(tags.table_of(names)[elements.tag])
    return inside_in_python(elements, chosen, pieces)


inside_tags = loop(_compiled and _inside_tags_compiled, inside_tags_in_python)


def runs_in_python(
    mask: Mask, marked: Mask, starts: Ints, ends: Ints
) -> list[tuple[int, int, bool]]:
    """Where each run of neighbours in a mask begins and ends that are marked alike, and whether
    they are marked; all of one shape, ``starts`` and ``ends`` where each piece does."""
    chosen = np.flatnonzero(mask)
    if not len(chosen):
        return []
    marks = marked[chosen]
    begins = np.ones(len(chosen) + 1, dtype=bool)
    begins[1:-1] = (chosen[1:] > chosen[:-1] + 1) | (marks[1:] != marks[:-1])
    first, last = begins[:-1].nonzero()[0], begins[1:].nonzero()[0]
    edges = starts[chosen[first]].tolist(), ends[chosen[last]].tolist()
    return list(zip(*edges, marks[first].tolist(), strict=True))


runs = loop(_compiled and _compiled.runs, runs_in_python)


def _by_tag_compiled(elements: Elements) -> tuple[Indices, list[int]]:
    order, starts = _compiled.by_tag(elements.tag, len(tags.NAMES))
    return np.frombuffer(order, dtype=np.int32), starts


def by_tag_in_python(elements: Elements) -> tuple[Indices, list[int]]:
    """All elements by their tag code, in document order, and where each code's begin; the last
    number is how many there are."""
    order = np.argsort(elements.tag.astype(np.int16), kind="stable").astype(np.int32)
    counts = np.bincount(elements.tag, minlength=len(tags.NAMES))
    return order, [0, *np.cumsum(counts).tolist()]


by_tag = loop(_compiled and _by_tag_compiled, by_tag_in_python)
