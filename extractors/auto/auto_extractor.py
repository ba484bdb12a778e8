"""``auto``: keeps the blocks that a model of boosted trees predicts to be content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.parsing import piece_masks
from winnow.document.values import Extraction, Span
from winnow.extractors.auto.auto_model import manifest, shipped, shipped_digest
from winnow.extractors.auto.features.feature_effects import description, strongest_effects
from winnow.extractors.auto.features.prose_style import PROSE
from winnow.extractors.auto.pictures import with_pictures
from winnow.extractors.auto.prediction import PagePrediction, predict
from winnow.extractors.base import Method, spans_of_pieces
from winnow.extractors.explanation import (
    CURVE_POINTS,
    BlockReason,
    FeatureEffect,
    MethodCurve,
    block_reasons,
)

SURE: Final = 0.8
"""The chance above which prose is not cut or folded by a step behind the method."""
MOSTLY_LINKS: Final = 0.4
"""The share of linked words above which what is kept is an index of content, not content."""
_RULE: Final = "Content with a chance of {score:.0%}; blocks above {threshold:.0%} are kept."
_STRETCH_RULE: Final = "Content with a chance of {score:.0%}; of this page one stretch is kept."
_CURVE: Final = "How likely each block is content, by the model of auto; "
_COMPLETED: Final = " It is kept for the picture in it."


@dataclass(frozen=True)
class Auto(Method):
    """Keeps the blocks that a model, trained on pages with gold text, predicts to be content.

    A block's features are its own text, what its ancestors and the blocks of the same path hold,
    what surrounds it, and scores of class names and short texts; boosted trees give its log-odds.
    The threshold is chosen for each page (winnow.extractors.auto.prediction), and whether those
    above it are kept or one stretch of the page (winnow.extractors.auto.page_runs).
    """

    method: ClassVar[str] = "auto"
    version: ClassVar[int] = 7

    @property
    def fingerprint(self) -> str:
        """Name, version and the digest of the model."""
        return f"{super().fingerprint}:{shipped_digest()[:16]}"

    @property
    def training_packages(self) -> Mapping[str, float | None]:
        """From the model's manifest."""
        listed = manifest()
        return {name: listed["word_f1"].get(name) for name in listed["packages"]}

    def extract(self, document: Document) -> Extraction:
        """Label what the model keeps."""
        return self.extraction(document, predict(document, shipped()))

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """Each block's probability, and for dropped ones the features that lower it most."""
        return self.reasons(document, predict(document, shipped()))

    def curve(self, document: Document) -> MethodCurve:
        """The probability of each block, each as wide as it has words."""
        title, found = "Blocks’ chances", predict(document, shipped())
        if found is None:
            return MethodCurve(title, "", (), ())
        words, chances = found.blocks.words, found.probabilities
        ends = np.cumsum(words) / max(int(words.sum()), 1)
        starts, speaking = np.append(0, ends[:-1]), np.flatnonzero(words > 0)
        corners = [
            (round(float(x), 4), round(float(chances[block]), 4))
            for block in speaking[: CURVE_POINTS * 4]
            for x in (starts[block], ends[block])
        ]
        is_content = speaking[found.is_content[speaking]]
        kept = f"above {found.threshold:.0%} (shaded) it is kept."
        caption = _CURVE + (kept if found.stretch < 0 else "the shaded stretch is kept.")
        ranges = zip(starts[is_content].tolist(), ends[is_content].tolist(), strict=True)
        return MethodCurve(title, caption, tuple(corners), tuple(ranges))

    def extraction(self, document: Document, found: PagePrediction | None) -> Extraction:
        """The extraction that follows from a prediction."""
        if found is None:
            return Extraction(self.name, confidence=0.0, reasons=("the page has no text",))
        is_index = found.linked > MOSTLY_LINKS
        return Extraction(
            self.name,
            spans_of_pieces(document, completed_pieces(document, found)),
            confidence=found.confidence,
            page_type=found.page_type,
            sure=sure_prose(found),
            reasons=("what it would keep is mostly links",) if is_index else (),
        )

    def reasons(self, document: Document, found: PagePrediction | None) -> tuple[BlockReason, ...]:
        """The reasons that follow from a prediction."""
        if found is None:
            return ()
        spans = self.extraction(document, found).spans
        rule = _RULE if found.stretch < 0 else _STRETCH_RULE
        given = block_reasons(document, spans, rule, found.probabilities, found.threshold)
        effects = strongest_effects(found, shipped())
        return tuple(
            _completed(reason, is_likely=likely, features=effects.get(index, ()))
            for index, (reason, likely) in enumerate(
                zip(given, found.is_content.tolist(), strict=True)
            )
        )


def _completed(
    reason: BlockReason, *, is_likely: bool, features: tuple[FeatureEffect, ...]
) -> BlockReason:
    """The reason with the features that count against the block, in values and in words."""
    if reason.kept:
        return reason if is_likely else replace(reason, rule=reason.rule + _COMPLETED)
    if not features:
        return reason
    listed = (f"{description(each.name)} ({each.name}: {each.value:.3g})" for each in features)
    rule = f"{reason.rule} Against it speak most: {', '.join(listed)}."
    return replace(reason, rule=rule, features=features)


def sure_prose(found: PagePrediction) -> tuple[Span, ...]:
    """The stretches of blocks that are kept, prose, and content almost certainly."""
    blocks = found.blocks
    is_prose = (blocks.words >= PROSE) & (blocks.linked_words * 3 < blocks.words) & ~blocks.hidden
    is_sure = found.is_content & (found.probabilities > SURE) & is_prose
    runs = piece_masks.runs(is_sure, is_sure, blocks.start, blocks.end)
    return tuple([Span(start, end) for start, end, _ in runs])


def completed_pieces(document: Document, found: PagePrediction) -> Mask:
    """The pieces of the blocks kept, and pictures; (pieces,)."""
    size = found.blocks.last_piece - found.blocks.first_piece
    is_content, chances = found.is_content.repeat(size), found.probabilities.repeat(size)
    return with_pictures(document, is_content, chances)
