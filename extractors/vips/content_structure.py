"""The content structure: blocks separated by the strongest separators first, down to a granularity.

The report joins blocks from the weakest separator upwards; splitting them from the strongest
downwards gives the same tree, and separators that only part of a page shows are found on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from winnow.extractors.vips.division_rules import TEXT, VisualBlock, divide
from winnow.extractors.vips.page_layout import union
from winnow.extractors.vips.separators import BlockSides, horizontal, strongest, vertical
from winnow.extractors.vips.visual_tree import VisualTree

_PER_DEGREE: Final = 1.5
"""How much weight of its strongest separator costs a block one degree of coherence."""
_MOST_BLOCKS: Final = 50_000


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """A block of the content structure: the ``parent``'s index (-1: the page), degree of coherence
    1..10, box (left, top, right, bottom), and half-open ranges of pieces, in order and disjoint."""

    parent: int
    degree: int
    box: tuple[float, float, float, float]
    ranges: tuple[tuple[int, int], ...]


def content_structure(tree: VisualTree, granularity: int) -> tuple[ContentBlock, ...]:
    """The block tree as a flat list, parents before children; empty where nothing can be seen.

    ``granularity``: the permitted degree of coherence, 1..10; blocks below it are divided further,
    into their nodes or at the separators that give them their degree (report, section 4).
    """
    if tree.root is None:
        return ()
    builder = _TreeBuilder(tree, granularity)
    builder.grow(VisualBlock(tree.root, 0, True))
    return builder.blocks()


class _TreeBuilder:
    """A block tree under construction: parents, degrees and what each block consists of."""

    def __init__(self, tree: VisualTree, granularity: int) -> None:
        self.tree, self.granularity = tree, granularity
        self.parents: list[int] = []
        self.degrees: list[int] = []
        self.groups: list[Sequence[VisualBlock]] = []

    def grow(self, root: VisualBlock) -> None:
        """Rounds until every block is coherent enough."""
        stack = [self._add(-1, root.degree, [root])]
        while stack and len(self.parents) < _MOST_BLOCKS:
            index = stack.pop()
            group = self._parts(index)
            if len(group) < 2:
                continue
            weight, parts = split_by_separators(self.tree, group)
            self.degrees[index] = min(self.degrees[index], coherence(weight))
            if index and self.degrees[index] >= self.granularity:
                continue
            for part in parts:
                stack.append(self._add(index, _degree(part), part))

    def blocks(self) -> tuple[ContentBlock, ...]:
        """The finished tree; no block is more coherent than one inside it (report, section 2)."""
        for index in range(len(self.parents) - 1, 0, -1):
            parent = self.parents[index]
            self.degrees[parent] = min(self.degrees[parent], self.degrees[index])
        rows = zip(self.parents, self.degrees, self.groups, strict=True)
        return tuple(_block(*row) for row in rows)

    def _parts(self, index: int) -> Sequence[VisualBlock]:
        """The parts of a block: its own, or those of another round where it is one node."""
        group = self.groups[index]
        while len(group) == 1:
            only = group[0]
            if not only.dividable or only.degree >= self.granularity:
                return group
            group = divide(self.tree, only.node)
        return group

    def _add(self, parent: int, degree: int, group: Sequence[VisualBlock]) -> int:
        self.parents.append(parent)
        self.degrees.append(degree)
        self.groups.append(group)
        return len(self.parents) - 1


def coherence(weight: int) -> int:
    """The degree of coherence of a block whose strongest separator has a weight; 1..10."""
    return max(1, 10 - round(max(weight, 0) / _PER_DEGREE))


def split_by_separators(
    tree: VisualTree, group: Sequence[VisualBlock]
) -> tuple[int, list[list[VisualBlock]]]:
    """Blocks split by the strongest separators among them, and the weight of these.

    Blocks that no separator divides are parts of their own.
    """
    sides = _sides(tree, group)
    rows, columns = horizontal(sides), vertical(sides)
    order, separators = rows if strongest(rows[1]) >= strongest(columns[1]) else columns
    weight = strongest(separators)
    cuts = [each.position for each in separators if each.weight == weight]
    if not cuts:
        return 0, [[each] for each in group]
    edges = [0, *cuts, len(order)]
    return weight, [
        [group[index] for index in sorted(order[start:end])] for start, end in pairwise(edges)
    ]


def _sides(tree: VisualTree, group: Sequence[VisualBlock]) -> BlockSides:
    elements = [each.node.element for each in group]
    fonts = [tree.fonts_in(each.node) for each in group]
    return BlockSides(
        boxes=np.array([each.node.box for each in group], dtype=np.float32),
        background=tree.layout.background[elements],
        first_font=np.stack([font[0] for font in fonts]),
        last_font=np.stack([font[-1] for font in fonts]),
        text=np.array([_is_text(tree, each) for each in group]),
        rules=tree.rules,
    )


def _is_text(tree: VisualTree, found: VisualBlock) -> bool:
    return found.degree >= TEXT and not tree.is_media(found.node)


def _degree(group: Sequence[VisualBlock]) -> int:
    return min(each.degree for each in group)


def _block(parent: int, degree: int, group: Sequence[VisualBlock]) -> ContentBlock:
    boxes = [each.node.box for each in group]
    box = boxes[0] if len(boxes) == 1 else union(np.array(boxes, dtype=np.float32))
    return ContentBlock(parent, max(degree, 1), box, _ranges(group))


def _ranges(group: Sequence[VisualBlock]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for first, last in sorted((each.node.first, each.node.last) for each in group):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)
