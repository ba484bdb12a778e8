"""Layouts written by hand: the box of an element stands in its own markup.

``box="left top right bottom"`` (else the parent's), ``bg`` (else the parent's), ``font="size
weight"`` (else the parent's); texts fill their element's box. ``a b i span`` are inline.
"""

from __future__ import annotations

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.vips.page_layout import PageLayout
from winnow.extractors.vips.visual_tree import Node, VisualTree

_INLINE = tags.table_of("a b i span")


def laid_out(html: str) -> VisualTree:
    """A document with the layout that its markup tells."""
    document = Document.from_html(html)
    boxes = _inherited(document, "box", "0 0 0 0")
    fonts, colours = _inherited(document, "font", "16 400"), _inherited(document, "bg", "white")
    drawn = np.array([each.split() for each in boxes], dtype=np.float32)
    layout = PageLayout(
        boxes=drawn,
        texts=drawn[document.pieces.owner],
        background=np.unique(colours, return_inverse=True)[1].astype(np.int32),
        fonts=np.array([each.split() for each in fonts], dtype=np.float32),
        inline=_INLINE[document.elements.tag],
    )
    return VisualTree(document, layout)


def node_of(tree: VisualTree, name: str) -> Node:
    """The node of the first element of a name."""
    wanted = tree.document.elements_named(name)[0]
    root = tree.root
    waiting = [root] if root else []
    while waiting:
        node = waiting.pop()
        if node.element == wanted and not node.is_run:
            return node
        waiting += tree.children(node)
    raise AssertionError(f"{name} cannot be seen")


def text_in(tree: VisualTree, first: int, last: int) -> str:
    """The text of a range of pieces."""
    start, end = tree.document.pieces.start[first], tree.document.pieces.end[last - 1]
    return tree.document.text[start:end]


def _inherited(document: Document, name: str, default: str) -> list[str]:
    found: list[str] = []
    for index, parent in enumerate(document.elements.parent.tolist()):
        above = found[parent] if parent >= 0 else default
        found.append(document.attributes_of(index).get(name, above))
    return found
