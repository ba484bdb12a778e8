"""The layout of a page: boxes, colours and fonts as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask
from winnow.document.document import Document

Boxes = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PageLayout:
    """A document of n elements and m pieces as a browser draws it.

    ``boxes`` (n, 4) and ``texts`` (m, 4): left, top, right and bottom in CSS pixels of the page,
    all 0 where nothing is drawn. ``background`` (n,): a number for each colour that stands behind
    the element. ``fonts`` (n, 2): size in pixels and weight. ``inline`` (n,): whether the element
    breaks no line.
    """

    boxes: Boxes
    texts: Boxes
    background: Ints
    fonts: Boxes
    inline: Mask


class Layouter(Protocol):
    """Whatever lays pages out."""

    def __call__(self, document: Document, /) -> PageLayout:
        """The layout of a document.

        Raises LayoutError where this page could not be laid out, NoBrowserError where none can.
        """
        ...


def union(boxes: Boxes) -> tuple[float, float, float, float]:
    """The smallest box around boxes, of which there is at least one; shape (k, 4)."""
    left, top = boxes[:, :2].min(axis=0).tolist()
    right, bottom = boxes[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def area(boxes: Boxes) -> Boxes:
    """Square pixels of each box; (k, 4) -> (k,)."""
    sides: Boxes = boxes[..., 2:] - boxes[..., :2]
    found: Boxes = sides[..., 0] * sides[..., 1]
    return found
