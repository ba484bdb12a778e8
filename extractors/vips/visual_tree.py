"""The page as VIPS sees it: visible nodes with their boxes.

Terms of the report (section 4.1): a *valid* node can be seen; a *text node* is free text; an inline
node that holds nothing but text nodes and such nodes is a *virtual text node*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask, range_sums
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.vips.page_layout import Boxes, PageLayout, area, union

_MEDIA = np.isin(np.arange(len(tags.NAMES)), list(tags.MEDIA))


@dataclass(frozen=True, slots=True)
class Node:
    """An element, or a run of texts that stand side by side in one (``is_run``).

    ``element``: its index, a run's is that of the element it stands in. ``first``, ``last``: the
    half-open range of pieces. ``box``: left, top, right, bottom.
    """

    element: int
    first: int
    last: int
    box: tuple[float, float, float, float]
    is_run: bool

    @property
    def size(self) -> float:
        """Square pixels."""
        left, top, right, bottom = self.box
        return (right - left) * (bottom - top)


@dataclass(frozen=True)
class VisualTree:
    """A document with its layout."""

    document: Document
    layout: PageLayout

    @cached_property
    def shown(self) -> Mask:
        """Which pieces can be seen; shape (pieces,)."""
        found: Mask = (area(self.boxes_of_pieces) > 0) & ~self.document.hidden
        return found

    @cached_property
    def boxes_of_pieces(self) -> Boxes:
        """Box of each piece, of media that of their element; (pieces, 4)."""
        media = self.document.media[:, None]
        boxes: Boxes = np.where(
            media, self.layout.boxes[self.document.pieces.owner], self.layout.texts
        )
        return boxes

    @cached_property
    def valid(self) -> Mask:
        """Which elements hold something that can be seen; shape (elements,)."""
        return self._within(self.shown) > 0

    @cached_property
    def virtual_text(self) -> Mask:
        """Which elements are virtual text nodes; shape (elements,)."""
        elements = self.document.elements
        breaking = ~self.layout.inline & self.valid | _MEDIA[elements.tag]
        inside = range_sums(breaking, np.arange(len(elements)), elements.last)
        virtual: Mask = self.valid & (inside == 0)
        return virtual

    @cached_property
    def page_size(self) -> float:
        """Square pixels of what can be seen."""
        return self.root.size if self.root else 0.0

    @cached_property
    def root(self) -> Node | None:
        """The whole page, None where nothing of it can be seen."""
        if not len(self.document.elements) or not self.valid[0]:
            return None
        drawn = self.boxes_of_pieces[self.shown]
        own = self.layout.boxes[:1]
        box = union(np.concatenate([own, drawn]) if area(own)[0] > 0 else drawn)
        return Node(0, 0, len(self.document.pieces), box, False)

    @cached_property
    def rules(self) -> Boxes:
        """The boxes of the visible ``<hr>``, by their tops; (k, 4)."""
        found = self.layout.boxes[self.document.elements.tag == tags.CODES["hr"]]
        found = found[area(found) > 0]
        ordered: Boxes = found[np.argsort(found[:, 1])]
        return ordered

    def has_rule(self, node: Node) -> bool:
        """Whether an ``<hr>`` is among an element's children."""
        return any(
            self.document.elements.tag[child] == tags.CODES["hr"]
            for child in self._children.get(node.element, ())
        )

    def is_text(self, node: Node) -> bool:
        """Whether a node is text or virtual text."""
        return node.is_run or bool(self.virtual_text[node.element])

    def is_media(self, node: Node) -> bool:
        """Whether a node is a picture or another thing without text."""
        return not node.is_run and bool(_MEDIA[self.document.elements.tag[node.element]])

    def children(self, node: Node) -> list[Node]:
        """The valid children of an element in document order, neighbouring texts as one run; of a
        run its stretches of one font each, if it has several."""
        if node.is_run:
            return self._stretches(node)
        if self.is_media(node):
            return []
        elements, found = self.document.elements, []
        items = [
            (int(elements.first_piece[child]), bool(self.virtual_text[child]), child)
            for child in self._children.get(node.element, ())
            if self.valid[child]
        ]
        items += [(piece, True, -1) for piece in self._texts.get(node.element, ())]
        for texts, group in groupby(sorted(items), key=lambda item: item[1]):
            if texts:
                items = list(group)
                last, _, child = items[-1]
                end = int(elements.last_piece[child]) if child >= 0 else last + 1
                found.append(self._run(node.element, items[0][0], end))
            else:
                found += [self._element(child) for _, _, child in group]
        return found

    def fonts_in(self, node: Node) -> npt.NDArray[np.float32]:
        """Size and weight of each visible text in a node; (k, 2)."""
        pieces = np.flatnonzero(self.shown[node.first : node.last]) + node.first
        fonts: npt.NDArray[np.float32] = self.layout.fonts[self.document.pieces.owner[pieces]]
        return fonts

    def _stretches(self, run: Node) -> list[Node]:
        """The parts of a run that have one font each; none where it has one alone."""
        pieces = np.flatnonzero(self.shown[run.first : run.last]) + run.first
        fonts = self.fonts_in(run)
        changes = pieces[1:][(fonts[1:] != fonts[:-1]).any(axis=1)].tolist()
        edges = [run.first, *changes, run.last] if changes else []
        return [self._run(run.element, *between) for between in pairwise(edges)]

    def _run(self, parent: int, first: int, end: int) -> Node:
        seen = self.shown[first:end]
        return Node(parent, first, end, union(self.boxes_of_pieces[first:end][seen]), True)

    def _element(self, element: int) -> Node:
        first = int(self.document.elements.first_piece[element])
        last = int(self.document.elements.last_piece[element])
        box = self.layout.boxes[element]
        if area(box) > 0:
            left, top, right, bottom = box.tolist()
            return Node(element, first, last, (left, top, right, bottom), False)
        drawn = self.boxes_of_pieces[first:last][self.shown[first:last]]
        return Node(element, first, last, union(drawn), False)

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        return _grouped(self.document.elements.parent, np.arange(len(self.document.elements)))

    @cached_property
    def _texts(self) -> dict[int, list[int]]:
        pieces = np.flatnonzero(self.shown & ~self.document.media)
        return _grouped(self.document.pieces.owner[pieces], pieces)

    def _within(self, pieces: Mask) -> Ints:
        """How many of some pieces stand in each element; (elements,)."""
        elements = self.document.elements
        return range_sums(pieces, elements.first_piece, elements.last_piece)


def _grouped(keys: Ints, values: npt.NDArray[np.integer]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        found.setdefault(key, []).append(value)
    return found
