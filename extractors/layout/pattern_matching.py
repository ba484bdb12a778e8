"""Strict mode: a page against learned patterns (Webstemmer, "Extracting Texts")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.values import Extraction, Label, Span
from winnow.extractors.base import spans_of_pieces
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.layout.layout_blocks import LayoutBlock, layout_blocks
from winnow.extractors.layout.patterns import LayoutPattern, Patterns, common, similarity

_UNKNOWN: Final = "It corresponds to no block of a learned layout."
_RULE: Final = (
    "DiffScore {:.2f}, MainScore {{score:.1f}}; blocks from {.difference:g} and "
    "{{threshold:g}} on are kept."
)


@dataclass(frozen=True, slots=True)
class MatchingLimits:
    """Webstemmer's thresholds: of a page's likeness to a pattern, of DiffScore and MainScore."""

    match: float = 0.8
    difference: float = 0.5
    main: float = 50.0


def match_patterns(
    document: Document, learned: Patterns, limits: MatchingLimits, name: str
) -> Extraction:
    """Label by these patterns; nothing, with confidence 0, where none is the page's.

    A pattern of which the page lacks a block is not the page's ("strict mode").
    """
    blocks = layout_blocks(document)
    pattern, score = best_pattern(blocks, learned, limits.match)
    if pattern is None:
        reason = "no learned layout is like this page's"
        return Extraction(name, confidence=0.0, reasons=(reason,))
    is_content: Mask = np.zeros(len(document.pieces), dtype=bool)
    is_title: Mask = is_content.copy()
    for left, right in common(pattern.features, [block.feature for block in blocks]):
        inside = slice(blocks[right].first_piece, blocks[right].last_piece)
        scored = pattern.blocks[left]
        if left == pattern.title:
            is_title[inside] = True
        elif scored.difference >= limits.difference and scored.main >= limits.main:
            is_content[inside] = True
    shown = ~document.hidden
    spans = (*_titles(document, is_title & shown), *spans_of_pieces(document, is_content & shown))
    return Extraction(name, tuple(sorted(spans)), confidence=min(score, 1.0))


def pattern_reasons(
    document: Document, learned: Patterns, limits: MatchingLimits, spans: Sequence[Span]
) -> tuple[BlockReason, ...]:
    """The MainScore of the pattern's block that each block of the page corresponds to."""
    starts, found = blocks_of(document).first_piece, layout_blocks(document)
    rules, scores = [_UNKNOWN] * len(starts), np.zeros(len(starts))
    pattern, _ = best_pattern(found, learned, limits.match)
    features = [block.feature for block in found]
    if pattern is None:
        return block_reasons(document, spans, _UNKNOWN)
    for left, right in common(pattern.features, features):
        scored = pattern.blocks[left]
        rule = (
            "It is the title." if left == pattern.title else _RULE.format(scored.difference, limits)
        )
        first, last = np.searchsorted(starts, (found[right].first_piece, found[right].last_piece))
        rules[first:last] = [rule] * (last - first)
        scores[first:last] = scored.main
    return block_reasons(document, spans, rules, scores, limits.main)


def best_pattern(
    blocks: tuple[LayoutBlock, ...], learned: Patterns, least: float
) -> tuple[LayoutPattern | None, float]:
    """The pattern most similar to a page, and how similar; None below ``least``."""
    features, weights = [block.feature for block in blocks], [block.weight for block in blocks]
    best: LayoutPattern | None = None
    score = least
    for pattern in learned.patterns:
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
