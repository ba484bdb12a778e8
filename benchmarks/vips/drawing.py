"""A page's block tree for people and programs: drawn over a screenshot, and as JSON."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw

from benchmarks.vips.best_block import text_of
from winnow.extractors.vips.block_scoring import SCORES
from winnow.extractors.vips.content_structure import ContentBlock
from winnow.extractors.vips.visual_tree import VisualTree

HIGHEST: Final = 12_000
"""Pixels of a page that are drawn; the rest is cut off."""

_COLOURS: Final = ("#c0392b", "#d35400", "#b7950b", "#1e8449", "#117a8b", "#2e5fa3", "#6c3483")
_MAIN: Final = "#e91e8c"
_SHOWN_TEXT: Final = 80


def main_blocks(tree: VisualTree, blocks: Sequence[ContentBlock]) -> Mapping[str, int]:
    """The best block's index by each score."""
    return {
        name: int(np.argmax(worth(tree.document, tree.shown, blocks)))
        for name, worth in SCORES.items()
        if blocks
    }


def as_json(
    tree: VisualTree, blocks: Sequence[ContentBlock], granularity: int
) -> Mapping[str, Any]:
    """The tree as a flat list: ``parent`` is the index of another block, null for the page.

    ``box``: left, top, right, bottom in CSS pixels; ``ranges``: half-open, in pieces of the
    document; ``text``: how the block begins.
    """
    listed = [
        {
            "id": index,
            "parent": block.parent if block.parent >= 0 else None,
            "degree": block.degree,
            "box": [round(edge, 1) for edge in block.box],
            "ranges": block.ranges,
            "text": text_of(tree.document, tree.shown, block)[:_SHOWN_TEXT],
        }
        for index, block in enumerate(blocks)
    ]
    return {"granularity": granularity, "main": main_blocks(tree, blocks), "blocks": listed}


def height_of(blocks: Sequence[ContentBlock]) -> int:
    """How much of a page is drawn, in pixels."""
    lowest = max((block.box[3] for block in blocks), default=1)
    return max(1, min(round(lowest), HIGHEST))


def drawn(screenshot: str, blocks: Sequence[ContentBlock], main: int | None) -> bytes:
    """A screenshot (PNG, base64) with every block's edge on it, the main block's thick; a PNG.

    Colours go by degree of coherence, from red (page) to violet (paragraph).
    """
    picture = Image.open(io.BytesIO(base64.b64decode(screenshot))).convert("RGB")
    pen = ImageDraw.Draw(picture)
    for block in blocks:
        colour = _COLOURS[max(block.degree - 4, 0)]
        pen.rectangle(_inside(block), outline=colour, width=1)
    if main is not None:
        pen.rectangle(_inside(blocks[main]), outline=_MAIN, width=5)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _inside(block: ContentBlock) -> tuple[float, float, float, float]:
    left, top, right, bottom = block.box
    return left, top, max(right - 1, left), max(bottom - 1, top)
