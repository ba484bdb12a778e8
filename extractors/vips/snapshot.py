"""From the browser's snapshot of a page to its layout: what was drawn where, by our own indices.

Elements are found by their mark; an element's texts by their order among its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.extractors.vips.browser_markup import MARK
from winnow.extractors.vips.page_layout import Boxes, PageLayout

STYLES: Final = ("background-color", "font-size", "font-weight", "display", "visibility")
"""The computed styles that a snapshot must hold, in this order."""

_CLEAR: Final = "rgba(0, 0, 0, 0)"
_TEXT: Final = 3
_DEFAULT_FONT: Final = (16.0, 400.0)


def layout_of(document: Document, snapshot: Mapping[str, Any]) -> PageLayout:
    """The layout in a snapshot of the numbered document."""
    page, strings = snapshot["documents"][0], snapshot["strings"]
    nodes, drawn = page["nodes"], page["layout"]
    elements = _elements_by_node(nodes["attributes"], strings, len(document.elements))
    pieces = _pieces_by_node(document, nodes, strings, elements)
    found = _LayoutBuilder(document)
    for node, box, styles in zip(drawn["nodeIndex"], drawn["bounds"], drawn["styles"], strict=True):
        values = [strings[each] for each in styles]
        if node in elements:
            found.element(elements[node], box, values)
        elif node in pieces:
            found.text(pieces[node], box)
    return found.layout()


class _LayoutBuilder:
    """The arrays of a layout while they are filled."""

    def __init__(self, document: Document) -> None:
        count = len(document.elements)
        self.parents = document.elements.parent.tolist()
        self.boxes: Boxes = np.zeros((count, 4), dtype=np.float32)
        self.texts: Boxes = np.zeros((len(document.pieces), 4), dtype=np.float32)
        self.fonts: Boxes = np.full((count, 2), _DEFAULT_FONT, dtype=np.float32)
        self.inline = np.zeros(count, dtype=bool)
        self.invisible = np.zeros(count, dtype=bool)
        self.colours = [_CLEAR] * count
        self.owners = document.pieces.owner

    def element(self, index: int, bounds: Sequence[float], styles: Sequence[str]) -> None:
        """Add what was drawn of an element."""
        colour, size, weight, display, visibility = styles or ("", "", "", "", "")
        _join(self.boxes, index, bounds)
        self.fonts[index] = _number(size, 16), _number(weight, 400)
        self.inline[index] = display in {"inline", "contents", "ruby"}
        self.invisible[index] = visibility not in {"visible", ""}
        self.colours[index] = colour or _CLEAR

    def text(self, piece: int, bounds: Sequence[float]) -> None:
        """Add what was drawn of a text node."""
        _join(self.texts, piece, bounds)

    def layout(self) -> PageLayout:
        """All of it; what stands in an invisible element is not drawn."""
        if len(self.owners):
            self.texts[self.invisible[self.owners]] = 0
        self.boxes[self.invisible] = 0
        return PageLayout(self.boxes, self.texts, self._background(), self.fonts, self.inline)

    def _background(self) -> Ints:
        """Numbers of colours: an element that is clear shows its parent's."""
        numbers: dict[str, int] = {_CLEAR: 0}
        found: list[int] = []
        for colour, parent in zip(self.colours, self.parents, strict=True):
            own = numbers.setdefault(colour, len(numbers))
            found.append(own or (found[parent] if parent >= 0 else 0))
        return np.array(found, dtype=np.int32)


def _elements_by_node(
    attributes: Sequence[Sequence[int]], strings: Sequence[str], count: int
) -> Mapping[int, int]:
    """The element that each of the browser's nodes is; an address never makes an index."""
    found = {}
    for node, pairs in enumerate(attributes):
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if strings[name] == MARK:
                index = strings[value]
                if index.isascii() and index.isdigit() and int(index) < count:
                    found[node] = int(index)
                break
    return found


def _pieces_by_node(
    document: Document,
    nodes: Mapping[str, Any],
    strings: Sequence[str],
    elements: Mapping[int, int],
) -> Mapping[int, int]:
    """The piece that each text node is: the nth of its element that is not blank."""
    pending: dict[int, list[int]] = defaultdict(list)
    for piece in np.flatnonzero(~document.media)[::-1].tolist():
        pending[int(document.pieces.owner[piece])].append(piece)
    found = {}
    rows = zip(nodes["nodeType"], nodes["nodeValue"], nodes["parentIndex"], strict=True)
    for node, (kind, value, parent) in enumerate(rows):
        owner = elements.get(parent)
        if kind == _TEXT and owner is not None and pending[owner] and strings[value].strip():
            found[node] = pending[owner].pop()
    return found


def _join(boxes: Boxes, index: int, bounds: Sequence[float]) -> None:
    left, top, width, height = bounds
    if width <= 0 or height <= 0 or left + width <= 0 or top + height <= 0:
        return
    box, new = boxes[index], (left, top, left + width, top + height)
    if box.any():
        box[:2], box[2:] = np.minimum(box[:2], new[:2]), np.maximum(box[2:], new[2:])
    else:
        box[:] = new


def _number(text: str, default: float) -> float:
    try:
        return float(text.removesuffix("px"))
    except ValueError:
        return default
