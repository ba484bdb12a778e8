"""How much extractions of one document agree, word by word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask, prefix_sums
from winnow.document.document import Document
from winnow.document.tokens import WORD
from winnow.document.values import Span

Shares = npt.NDArray[np.float64]


def word_offsets(document: Document) -> Ints:
    """Where each shown word starts in the text, in order; shape (words,)."""
    tokens = document.tokens
    found: Ints = tokens.start[tokens.kind == WORD]
    return found


def covered(offsets: Ints, spans: Sequence[Span]) -> Mask:
    """Which of the offsets the spans, which are in order and apart, cover; shape of ``offsets``."""
    if not spans:
        return np.zeros(len(offsets), dtype=bool)
    edges = np.array([edge for span in spans for edge in (span.start, span.end)])
    found: Mask = edges.searchsorted(offsets, side="right") & 1 == 1
    return found


def f1_between(masks: Mask) -> Shares:
    """F1 of each extraction's words against each other's; ``masks``: (k, words), result (k, k).

    F1 = 2 |A and B| / (|A| + |B|) (van Rijsbergen 1979); 1 where both are empty.
    """
    counts = masks.astype(np.float64)
    both = counts @ counts.T
    sizes = counts.sum(axis=1)
    total = sizes[:, None] + sizes[None, :]
    return np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)


def mean_with_others(overlaps: Shares) -> Shares:
    """Each one's mean over all others; 1 where there is no other. Shape (k,)."""
    size = len(overlaps)
    if size < 2:
        return np.ones(size)
    mean: Shares = (overlaps.sum(axis=1) - np.diag(overlaps)) / (size - 1)
    return mean


def in_cells(mask: Mask, cells: int) -> str:
    """The share of True in each of so many stretches of equal length, as digits 0 to 9."""
    if not len(mask):
        return "0" * cells
    bounds = np.linspace(0, len(mask), cells + 1)
    before = prefix_sums(mask)
    sums = np.interp(bounds, np.arange(len(mask) + 1), before)
    shares = np.diff(sums) * cells / len(mask)
    return "".join(map(digit, shares.tolist()))


def digit(share: float) -> str:
    """A share 0..1 as one digit: 0 and 9 are nothing and all, nothing else is."""
    if share <= 1e-9:
        return "0"
    return "9" if share >= 1 - 1e-9 else str(min(max(round(share * 9), 1), 8))
