"""Curves of what methods compute along a page, and its blocks as bars."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Mask, range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.extractors import registry
from winnow.extractors.explanation import CurveExtractor
from winnow.jobs.results import ChartBar, Curve

DRAWN: Final = ("dsc", "simple-mss", "mss", "auto")
"""The methods whose curves are shown."""
MOST_BARS: Final = 160


def curves_of(document: Document) -> tuple[Curve, ...]:
    """The curves that there are for a page; none for one without words."""
    if not (document.tokens.kind != TAG).any():
        return ()
    methods = (registry.make(name) for name in DRAWN)
    found = (each.curve(document) for each in methods if isinstance(each, CurveExtractor))
    return tuple(Curve(*curve) for curve in found)


def bars_of(
    document: Document, offsets: npt.NDArray[np.int32], is_kept: Mask
) -> tuple[ChartBar, ...]:
    """The shown blocks with words; neighbours are joined until no more than MOST_BARS are left."""
    blocks = blocks_of(document)
    first = np.searchsorted(offsets, blocks.start)
    last = np.searchsorted(offsets, blocks.end)
    shown = (last > first) & ~blocks.hidden
    words = np.where(shown, last - first, 0)[shown]
    held = range_sums(is_kept, first, last)[shown]
    linked = blocks.linked_words[shown]
    groups = np.array_split(np.arange(len(words)), min(len(words), MOST_BARS) or 1)
    return tuple(
        ChartBar(
            int(words[group].sum()),
            round(min(float(linked[group].sum() / words[group].sum()), 1.0), 3),
            round(float(held[group].sum() / words[group].sum()), 3),
        )
        for group in groups
        if len(group)
    )
