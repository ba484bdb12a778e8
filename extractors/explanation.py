"""Why a method keeps or drops each block of a page: the values that ``explain`` returns.

An extractor with a method ``explain(document) -> Sequence[BlockReason]`` explains itself; for any
other ``explanation`` derives from its spans which blocks it keeps, without scores and rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.values import Extraction, Span
from winnow.extractors.article_test import is_tested, refusal
from winnow.extractors.extractor_protocol import Extractor


@dataclass(frozen=True, slots=True)
class FeatureEffect:
    """A feature of a block, its value, and how much it lowers the block's log-odds."""

    name: str
    value: float
    effect: float


@dataclass(frozen=True, slots=True)
class BlockReason:
    """One of winnow.document.blocks and why it is kept or dropped.

    ``start``, ``end``: offsets in ``Document.text``. ``kept``: whether spans cover all of it that
    is shown. ``rule``: a sentence, "" if there is none. ``score``: in the method's own unit, and
    ``threshold``: what it was compared with; None where the method has none. ``features``: those
    with the largest effect, in that order, where the method computes features.
    """

    start: int
    end: int
    kept: bool
    rule: str = ""
    score: float | None = None
    threshold: float | None = None
    features: tuple[FeatureEffect, ...] = ()


Points = tuple[tuple[float, float], ...]
CURVE_POINTS: Final = 320
"""Points of a curve; a longer one is sampled at equal distances."""


class MethodCurve(NamedTuple):
    """A quantity that a method computes along the page, in the unit square.

    ``kept``: the ranges of x that the method keeps.
    """

    title: str
    caption: str
    points: Points
    kept: Points


@runtime_checkable
class CurveExtractor(Extractor, Protocol):
    """An extractor that can draw what it computes along the page."""

    def curve(self, document: Document) -> MethodCurve:
        """The curve of a document that has words."""
        ...


def sampled(values: npt.NDArray[Any]) -> Points:
    """A curve in the unit square with at most CURVE_POINTS points, its ends among them."""
    chosen = np.unique(np.linspace(0, len(values) - 1, CURVE_POINTS).round().astype(int))
    low, high = float(values.min()), float(values.max())
    heights = (values[chosen] - low) / ((high - low) or 1.0)
    places = chosen / max(len(values) - 1, 1)
    return tuple(zip(places.round(4).tolist(), heights.round(4).tolist(), strict=True))


def token_range(document: Document, spans: Sequence[Span]) -> Points:
    """From the first to the last token of the spans, as a range of 0..1."""
    if not spans:
        return ()
    starts = document.tokens.start
    first = int(np.searchsorted(starts, spans[0].start))
    last = int(np.searchsorted(starts, spans[-1].end))
    return ((first / len(starts), last / len(starts)),)


@runtime_checkable
class ExplainingExtractor(Extractor, Protocol):
    """An extractor that states its reasons."""

    def explain(self, document: Document) -> Sequence[BlockReason]:
        """One reason for each block of ``blocks_of(document)``, in order."""
        ...


def explanation(extractor: Extractor, document: Document) -> tuple[BlockReason, ...]:
    """One reason for each block, by any extractor."""
    if not isinstance(extractor, ExplainingExtractor):
        return block_reasons(document, extractor.extract(document).spans)
    reasons = tuple(extractor.explain(document))
    if not is_tested(extractor):
        return reasons
    return unless_refused(reasons, extractor.extract(document))


def unless_refused(
    reasons: tuple[BlockReason, ...], extraction: Extraction
) -> tuple[BlockReason, ...]:
    """The reasons; where the article test refused the page, this one for every block."""
    rule = refusal(extraction)
    if not rule:
        return reasons
    return tuple(replace(each, kept=False, rule=rule) for each in reasons)


def block_reasons(
    document: Document,
    spans: Sequence[Span],
    rules: str | Iterable[str] = "",
    scores: npt.NDArray[Any] | None = None,
    threshold: float | None = None,
) -> tuple[BlockReason, ...]:
    """One reason for each of n blocks; ``rules``: n sentences, or one for all.

    ``scores``: shape (n,). A sentence may name ``{score}`` and ``{threshold}`` as format fields
    where there are scores.
    """
    blocks = blocks_of(document)
    edges = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    covered, size = covered_blocks(document, spans).tolist(), len(blocks)
    sentences = [rules] * size if isinstance(rules, str) else list(rules)
    values = [None] * size if scores is None else scores.tolist()
    if scores is not None:
        sentences = [
            rule.format(score=score, threshold=threshold)
            for rule, score in zip(sentences, values, strict=True)
        ]
    return tuple(
        BlockReason(start, end, is_kept, rule, score, threshold)
        for (start, end), is_kept, rule, score in zip(
            edges, covered, sentences, values, strict=True
        )
    )


def covered_blocks(document: Document, spans: Sequence[Span]) -> Mask:
    """Which blocks show something, all of it inside the spans; shape (blocks,)."""
    blocks, pieces, shown = blocks_of(document), document.pieces, ~document.hidden
    if not spans:
        return np.zeros(len(blocks), dtype=bool)
    starts, ends = np.array([(span.start, span.end) for span in spans]).T
    nearest = np.searchsorted(starts, pieces.start, side="right") - 1
    inside = (nearest >= 0) & (pieces.end <= ends[nearest])
    missing = np.logical_or.reduceat(shown & ~inside, blocks.first_piece)
    found: Mask = np.logical_or.reduceat(shown, blocks.first_piece) & ~missing
    return found
