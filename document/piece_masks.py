"""Which pieces stand in some elements, compiled or in Python: half of all steps ask for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.document import tags
from winnow.document.arrays import Elements, Mask
from winnow.document.compiled import either, optional_module

_compiled: Any = optional_module("winnow.document._scan")

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
