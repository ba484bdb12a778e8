"""What methods look at, as curves: the document slope curve, scores of tokens, blocks as bars.

Knows the methods' own numbers; draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Mask
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.tokens import SYMBOL, TAG
from winnow.document.values import Span
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.prediction import predict
from winnow.extractors.dsc import DocumentSlopeCurve
from winnow.extractors.mss.mss_extractors import Mss
from winnow.extractors.simple_mss import SimpleMss
from winnow.jobs.results import ChartBar, Curve

POINTS = 320
"""Points of a curve; a longer one is thinned out evenly."""
MOST_BARS = 160
Floats = npt.NDArray[np.float64]


def curves_of(document: Document) -> tuple[Curve, ...]:
    """The curves that there are for a page; none for one without words."""
    if not (document.tokens.kind != TAG).any():
        return ()
    return (
        slope_curve(document),
        score_curve(document),
        learned_curve(document),
        chance_curve(document),
    )


def slope_curve(document: Document) -> Curve:
    """Tags so far over tokens so far; flat stretches are text (Gottron 2007, section 5.3)."""
    is_tag = document.tokens.kind[document.tokens.kind != SYMBOL] == TAG
    areas = DocumentSlopeCurve().areas(is_tag)
    return Curve(
        "Document slope curve",
        "Tags counted along the page: it climbs through markup and is flat in text. "
        "Shaded: the flat areas that dsc takes for content.",
        thinned(np.cumsum(is_tag).astype(np.float64)),
        tuple((first / len(is_tag), last / len(is_tag)) for first, last in areas),
    )


def score_curve(document: Document) -> Curve:
    """Scores of tokens summed along the page (Pasternack & Roth 2009, section 6)."""
    method = SimpleMss()
    gains = np.where(document.tokens.kind == TAG, method.tag, 1.0)
    spans = method.extract(document).spans
    return Curve(
        "Token scores, summed",
        f"Each word adds 1, each tag takes {-method.tag:g}: simple-mss takes the run (shaded) "
        "that climbs highest.",
        thinned(np.cumsum(gains)),
        _run(document, spans),
    )


def learned_curve(document: Document) -> Curve:
    """Learned scores of tokens summed along the page (Pasternack & Roth 2009, section 6.2)."""
    method = Mss()
    scores = method.probabilities(method.features(document)) - 0.5
    return Curve(
        "Learned token scores, summed",
        "Each token adds its learned chance of being in the article, less a half: mss takes the "
        "run (shaded) that climbs highest.",
        thinned(np.cumsum(scores)),
        _run(document, method.extract(document).spans),
    )


def chance_curve(document: Document) -> Curve:
    """What ``auto`` says of each block, each as wide as it has words."""
    found = predict(document, shipped())
    if found is None:
        return Curve("Blocks' chances", "", (), ())
    chances = found.probabilities
    ends = np.cumsum(found.blocks.words) / max(int(found.blocks.words.sum()), 1)
    starts = np.concatenate([[0], ends[:-1]])
    speaking = np.flatnonzero(found.blocks.words > 0)
    corners = [
        (round(float(x), 4), round(float(chances[block]), 4))
        for block in speaking[: POINTS * 4]
        for x in (starts[block], ends[block])
    ]
    kept = [block for block in speaking.tolist() if found.kept[block]]
    return Curve(
        "Blocks' chances",
        f"How likely each block is content, by the model of auto; above {found.threshold:.0%} "
        "(shaded) it is kept.",
        tuple(corners),
        tuple((float(starts[block]), float(ends[block])) for block in kept),
    )


def _run(document: Document, spans: Sequence[Span]) -> tuple[tuple[float, float], ...]:
    """From the first to the last token of the spans, as a range of 0..1."""
    if not spans:
        return ()
    starts = document.tokens.start
    first = int(np.searchsorted(starts, spans[0].start))
    last = int(np.searchsorted(starts, spans[-1].end))
    return ((first / len(starts), last / len(starts)),)


def thinned(values: Floats) -> tuple[tuple[float, float], ...]:
    """A curve in the unit square with at most POINTS points, its ends among them."""
    chosen = np.unique(np.linspace(0, len(values) - 1, POINTS).round().astype(int))
    low, high = float(values.min()), float(values.max())
    heights = (values[chosen] - low) / ((high - low) or 1.0)
    places = chosen / max(len(values) - 1, 1)
    return tuple(zip(places.round(4).tolist(), heights.round(4).tolist(), strict=True))


def bars_of(document: Document, offsets: npt.NDArray[np.int32], kept: Mask) -> tuple[ChartBar, ...]:
    """The shown blocks with words; neighbours are joined until no more than MOST_BARS are left."""
    blocks = blocks_of(document)
    before = np.concatenate([[0], np.cumsum(kept)])
    first = np.searchsorted(offsets, blocks.start)
    last = np.searchsorted(offsets, blocks.end)
    shown = (last > first) & ~blocks.hidden
    words = np.where(shown, last - first, 0)[shown]
    held = (before[last] - before[first])[shown]
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
