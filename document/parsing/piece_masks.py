"""Which pieces stand in some elements, runs of pieces, elements by name; compiled or in Python.

Half of all steps ask for these.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Elements, Ints, Mask
from winnow.document.compiled import either, optional_module
from winnow.document.parsing import tags

_compiled: Any = optional_module("winnow.document.parsing._scan")

Indices = npt.NDArray[np.integer]


def inside(elements: Elements, chosen: Indices, pieces: int) -> Mask:
    """Which of so many pieces stand in any of some elements (indices); shape (pieces,)."""
    return either(_compiled and _inside_compiled, inside_in_python, elements, chosen, pieces)


def _inside_compiled(elements: Elements, chosen: Indices, pieces: int) -> Mask:
    mask = np.empty(pieces, dtype=np.bool_)
    indices = np.ascontiguousarray(chosen, dtype=np.int32)
    _compiled.inside(elements.first_piece, elements.last_piece, indices, mask)
    return mask


def inside_in_python(elements: Elements, chosen: Indices, pieces: int) -> Mask:
    """What ``inside`` finds: its definition."""
    steps = np.bincount(elements.first_piece[chosen], minlength=pieces + 1)
    steps -= np.bincount(elements.last_piece[chosen], minlength=pieces + 1)
    found: Mask = np.cumsum(steps[:-1]) > 0
    return found


def inside_tags(elements: Elements, names: str, pieces: int) -> Mask:
    """Which pieces stand in an element with one of the blank-separated names; shape (pieces,)."""
    compiled = _compiled and _inside_tags_compiled
    return either(compiled, inside_tags_in_python, elements, names, pieces)


def _inside_tags_compiled(elements: Elements, names: str, pieces: int) -> Mask:
    mask, table = np.empty(pieces, dtype=np.bool_), tags.table_of(names)
    _compiled.inside_tags(elements.first_piece, elements.last_piece, elements.tag, table, mask)
    return mask


def inside_tags_in_python(elements: Elements, names: str, pieces: int) -> Mask:
    """What ``inside_tags`` finds: its definition."""
    chosen = np.flatnonzero(tags.table_of(names)[elements.tag])
    return inside_in_python(elements, chosen, pieces)


def runs(mask: Mask, marked: Mask, starts: Ints, ends: Ints) -> list[tuple[int, int, bool]]:
    """Where each run of neighbours in a mask begins and ends that are marked alike, and whether
    they are marked; all of one shape, ``starts`` and ``ends`` where each piece does."""
    return either(_compiled and _runs_compiled, runs_in_python, mask, marked, starts, ends)


def _runs_compiled(
    mask: Mask, marked: Mask, starts: Ints, ends: Ints
) -> list[tuple[int, int, bool]]:
    found: list[tuple[int, int, bool]] = _compiled.runs(mask, marked, starts, ends)
    return found


def runs_in_python(
    mask: Mask, marked: Mask, starts: Ints, ends: Ints
) -> list[tuple[int, int, bool]]:
    """What ``runs`` finds: its definition."""
    chosen = np.flatnonzero(mask)
    if not len(chosen):
        return []
    marks = marked[chosen]
    begins = np.ones(len(chosen) + 1, dtype=bool)
    begins[1:-1] = (chosen[1:] > chosen[:-1] + 1) | (marks[1:] != marks[:-1])
    first, last = begins[:-1].nonzero()[0], begins[1:].nonzero()[0]
    edges = starts[chosen[first]].tolist(), ends[chosen[last]].tolist()
    return list(zip(*edges, marks[first].tolist(), strict=True))


def by_tag(elements: Elements) -> tuple[Indices, list[int]]:
    """All elements by their tag code, in document order, and where each code's begin; the last
    number is how many there are."""
    return either(_compiled and _by_tag_compiled, by_tag_in_python, elements)


def _by_tag_compiled(elements: Elements) -> tuple[Indices, list[int]]:
    order, starts = _compiled.by_tag(elements.tag, len(tags.NAMES))
    return np.frombuffer(order, dtype=np.int32), starts


def by_tag_in_python(elements: Elements) -> tuple[Indices, list[int]]:
    """What ``by_tag`` finds: its definition."""
    order = np.argsort(elements.tag.astype(np.int16), kind="stable").astype(np.int32)
    counts = np.bincount(elements.tag, minlength=len(tags.NAMES))
    return order, [0, *np.cumsum(counts).tolist()]
