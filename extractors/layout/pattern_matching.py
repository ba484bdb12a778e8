"""Strict mode: a page against learned patterns (Webstemmer, "Extracting Texts"). Learns nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.values import Extraction, Label, Span
from winnow.extractors.base import spans_of_pieces
from winnow.extractors.layout.layout_blocks import LayoutBlock, layout_blocks
from winnow.extractors.layout.patterns import LayoutPattern, Patterns
from winnow.extractors.layout.similarity import common, similarity


@dataclass(frozen=True, slots=True)
class MatchingLimits:
    """Webstemmer's thresholds: of a page's likeness to a pattern, of DiffScore and MainScore."""

    match: float = 0.8
    difference: float = 0.5
    main: float = 50.0


def matched(document: Document, known: Patterns, limits: MatchingLimits, name: str) -> Extraction:
    """Label by these patterns; nothing, with confidence 0, where none is the page's.

    A pattern of which the page lacks a block is not the page's ("strict mode").
    """
    blocks = layout_blocks(document)
    pattern, score = matching(blocks, known, limits.match)
    if pattern is None:
        reason = "no learned layout is like this page's"
        return Extraction(name, confidence=0.0, reasons=(reason,))
    kept: Mask = np.zeros(len(document.pieces), dtype=bool)
    titled: Mask = kept.copy()
    for left, right in common(pattern.features, [block.feature for block in blocks]):
        inside = slice(blocks[right].first_piece, blocks[right].last_piece)
        scored = pattern.blocks[left]
        if left == pattern.title:
            titled[inside] = True
        elif scored.difference >= limits.difference and scored.main >= limits.main:
            kept[inside] = True
    shown = ~document.hidden
    spans = (*_titles(document, titled & shown), *spans_of_pieces(document, kept & shown))
    return Extraction(name, tuple(sorted(spans)), confidence=min(score, 1.0))


def matching(
    blocks: tuple[LayoutBlock, ...], known: Patterns, least: float
) -> tuple[LayoutPattern | None, float]:
    """The pattern most similar to a page, and how similar; None below ``least``."""
    features, weights = [block.feature for block in blocks], [block.weight for block in blocks]
    best: LayoutPattern | None = None
    score = least
    for pattern in known.patterns:
        if len(common(pattern.features, features)) < len(pattern.blocks):
            continue
        own = [block.weight for block in pattern.blocks]
        found = similarity(pattern.features, features, own, weights)
        if found >= score and (best is None or found > score):
            best, score = pattern, found
    return best, score


def _titles(document: Document, pieces: Mask) -> list[Span]:
    spans = spans_of_pieces(document, pieces)
    return [Span(span.start, span.end, Label.TITLE) for span in spans]
