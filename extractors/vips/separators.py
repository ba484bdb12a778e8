"""Separators between blocks, and their weights.

A separator is a strip across all blocks that no block crosses. The report gives the five cues, no
numbers: these are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.vips.page_layout import Boxes

_STEPS: Final = np.array([3.0, 8.0, 14.0, 20.0, 28.0, 40.0, 60.0])
"""Each of these distances in pixels that a separator reaches is one more of weight (rule 1)."""
_RULED, _COLOURED, _FONT, _LARGER_BELOW, _ALIKE = 4, 4, 2, 1, -2
"""What rules 2 to 5 add: an HR, another background, another font, larger below, both text."""
_TOUCHING: Final = 1.0
"""Pixels by which boxes may overlap and still stand side by side: layouts have fractions."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockSides:
    """What the weights are made of, k blocks: ``boxes`` (k, 4); ``background`` (k,): a number for
    each colour; ``first_font``, ``last_font`` (k, 2): size and weight of a block's first and last
    text; ``text`` (k,): whether it is nothing but text; ``rules`` (j, 4): the HR, by their tops."""

    boxes: Boxes
    background: npt.NDArray[np.int32]
    first_font: Boxes
    last_font: Boxes
    text: npt.NDArray[np.bool_]
    rules: Boxes


@dataclass(frozen=True, slots=True)
class Separator:
    """A strip from ``start`` to ``end``, before the block that is ``position``-th by its start."""

    position: int
    start: float
    end: float
    weight: int


def horizontal(sides: BlockSides) -> tuple[list[int], list[Separator]]:
    """The order of blocks from top to bottom, and the separators between them; O(k log k)."""
    order, gaps = _gaps(sides.boxes[:, 1], sides.boxes[:, 3])
    return order.tolist(), [
        Separator(at, start, end, max(_weight(sides, above, below, start, end), 0))
        for at, start, end, above, below in gaps
    ]


def vertical(sides: BlockSides) -> tuple[list[int], list[Separator]]:
    """The order of blocks from left to right, and the separators between them; O(k log k)."""
    order, gaps = _gaps(sides.boxes[:, 0], sides.boxes[:, 2])
    return order.tolist(), [
        Separator(at, start, end, _distance(end - start) + _other_colour(sides, one, other))
        for at, start, end, one, other in gaps
    ]


def _gaps(
    starts: Boxes, ends: Boxes
) -> tuple[npt.NDArray[np.int64], list[tuple[int, float, float, int, int]]]:
    """The order of the blocks by start, and each strip that none of them crosses.

    A strip: its position in the order, start and end, the blocks that touch it on either side.
    """
    order = np.lexsort((ends, starts))
    reached = np.maximum.accumulate(ends[order])
    behind = starts[order][1:]
    found = []
    for at in np.flatnonzero(behind >= reached[:-1] - _TOUCHING).tolist():
        last = int(order[np.searchsorted(reached, reached[at])])
        start, end = float(reached[at]), float(behind[at])
        found.append((at + 1, start, max(start, end), last, int(order[at + 1])))
    return order, found


def _weight(sides: BlockSides, above: int, below: int, start: float, end: float) -> int:
    upper, lower = sides.last_font[above], sides.first_font[below]
    return (
        _distance(end - start)
        + _RULED * _has_rule(sides.rules, start, end)
        + _other_colour(sides, above, below)
        + _FONT * bool((upper != lower).any())
        + _LARGER_BELOW * bool(upper[0] < lower[0])
        + _ALIKE * bool(sides.text[above] and sides.text[below])
    )


def _distance(pixels: float) -> int:
    return int(np.searchsorted(_STEPS, pixels, side="right"))


def _other_colour(sides: BlockSides, one: int, other: int) -> int:
    return _COLOURED * bool(sides.background[one] != sides.background[other])


def _has_rule(rules: Boxes, start: float, end: float) -> bool:
    first = int(np.searchsorted(rules[:, 1], start - _TOUCHING))
    return first < len(rules) and bool(rules[first, 3] <= end + _TOUCHING)


def strongest(separators: Sequence[Separator]) -> int:
    """The greatest weight, -1 where there are none."""
    return max((each.weight for each in separators), default=-1)
