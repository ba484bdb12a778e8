"""A page against learned patterns (Webstemmer, "Extracting Texts")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.values import Extraction, Label, Span
from winnow.extractors.base import spans_of_pieces
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.layout.layout_blocks import LayoutBlock, layout_blocks
from winnow.extractors.layout.patterns import LayoutPattern, Patterns, sections

_UNKNOWN: Final = "It corresponds to no block of a learned layout."
_TITLE: Final = "It is the title."
_RULE: Final = (
    "DiffScore {:.2f}, MainScore {{score:.1f}}; blocks behind the title, from {.difference:g} and "
    "{{threshold:g}} on, are main text."
)


INSIDE: Final = "inside"
ALL: Final = "all"
SUB: Final = ("none", INSIDE, ALL)


@dataclass(frozen=True, slots=True)
class MatchingLimits:
    """Webstemmer's thresholds: of the share of a page that a pattern covers, of DiffScore and of
    MainScore. ``strict``: a pattern of which the page lacks a block is not the page's. ``sub``:
    which SUB lines, blocks that vary and are no main text, are kept as headings: ``none``, those
    ``inside`` the main text, or ``all``, as the program prints them."""

    match: float = 0.8
    difference: float = 0.5
    main: float = 50.0
    strict: bool = False
    sub: str = INSIDE


class PatternMatch(NamedTuple):
    """A page's pattern: the page's blocks at each of its paths, and the share of the page's letters
    that they hold."""

    pattern: LayoutPattern
    groups: tuple[tuple[LayoutBlock, ...], ...]
    share: float

    def labels(self, limits: MatchingLimits) -> list[Label | None]:
        """TITLE, MAIN (body) or SUB (heading) of each of the pattern's blocks; None: not kept."""
        found = [self._label(index, limits) for index in range(len(self.groups))]
        main = [index for index, label in enumerate(found) if label is Label.BODY]
        inside = range(main[0], main[-1]) if main and limits.sub == INSIDE else range(0)
        return [
            None if label is Label.HEADING and limits.sub != ALL and index not in inside else label
            for index, label in enumerate(found)
        ]

    def _label(self, index: int, limits: MatchingLimits) -> Label | None:
        block, title = self.pattern.blocks[index], self.pattern.title
        if index == title:
            return Label.TITLE
        if block.difference < limits.difference:
            return None
        return Label.BODY if index > title and block.main >= limits.main else Label.HEADING


def match_patterns(
    document: Document, learned: Patterns, limits: MatchingLimits, name: str
) -> Extraction:
    """Label by these patterns; nothing, with confidence 0, where none is the page's."""
    found = best_match(layout_blocks(document), learned, limits)
    if found is None:
        reason = "no learned layout is like this page's"
        return Extraction(name, confidence=0.0, reasons=(reason,))
    spans = _spans(document, found, limits)
    pages = found.pattern.pages
    reason = f"the layout of {pages} pages covers {found.share:.0%} of this page"
    return Extraction(name, spans, confidence=min(found.share, 1.0), reasons=(reason,))


def best_match(
    blocks: Sequence[LayoutBlock], learned: Patterns, limits: MatchingLimits
) -> PatternMatch | None:
    """The pattern that covers most of a page; None where none covers enough."""
    features = [block.feature for block in blocks]
    every = max(sum(block.weight for block in blocks), 1)
    best, least = None, limits.match
    for pattern in learned.patterns:
        groups = tuple(
            tuple(blocks[index] for index in group)
            for group in sections(pattern.features, features)
        )
        if limits.strict and not all(groups):
            continue
        share = sum(block.weight for group in groups for block in group) / every
        if share > least:
            best, least = PatternMatch(pattern, groups, share), share
    return best


def pattern_reasons(
    document: Document, learned: Patterns, limits: MatchingLimits, spans: Sequence[Span]
) -> tuple[BlockReason, ...]:
    """The MainScore of the pattern's block that each block of the page corresponds to."""
    blocks = blocks_of(document)
    rules, scores = [_UNKNOWN] * len(blocks), np.zeros(len(blocks))
    found = best_match(layout_blocks(document), learned, limits)
    if found is None:
        return block_reasons(document, spans, _UNKNOWN)
    for index, (scored, group) in enumerate(zip(found.pattern.blocks, found.groups, strict=True)):
        is_title = index == found.pattern.title
        rule = _TITLE if is_title else _RULE.format(scored.difference, limits)
        for block in group:
            first = int(np.searchsorted(blocks.last_piece, block.first_piece, side="right"))
            last = int(np.searchsorted(blocks.first_piece, block.last_piece))
            rules[first:last] = [rule] * (last - first)
            scores[first:last] = scored.main
    return block_reasons(document, spans, rules, scores, limits.main)


def _spans(document: Document, found: PatternMatch, limits: MatchingLimits) -> tuple[Span, ...]:
    pieces: dict[Label, Mask] = {}
    for label, group in zip(found.labels(limits), found.groups, strict=True):
        if label is None:
            continue
        chosen = pieces.setdefault(label, np.zeros(len(document.pieces), dtype=bool))
        for block in group:
            chosen[block.first_piece : block.last_piece] = True
    return tuple(
        sorted(
            Span(span.start, span.end, label)
            for label, chosen in pieces.items()
            for span in spans_of_pieces(document, chosen & ~document.hidden)
        )
    )
