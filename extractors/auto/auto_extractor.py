"""``auto``: what a learned model says of each block. Knows how its parts are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document, Mask
from winnow.document.values import Extraction
from winnow.extractors.auto import attribute_tokens, decision, feature_matrix
from winnow.extractors.auto.auto_model import (
    PAGE_TYPES,
    AutoModel,
    manifest,
    shipped,
    shipped_digest,
)
from winnow.extractors.auto.completion import completed
from winnow.extractors.auto.pictures import with_pictures
from winnow.extractors.auto.trees import Forest
from winnow.extractors.base import Method, spans_of_pieces

Floats = npt.NDArray[Any]


MOSTLY_LINKS = 0.4
"""The share of linked words from which what is kept leads to content and is none itself.

Chosen, with ``extraction.min_confidence``, on written front pages, log-ins, errors and results
and on articles of five packages, so that at most one article in a hundred is passed on.
"""
DOUBT = 0.1
"""The confidence in such a page, at most."""
LIKELY = 0.4
"""The chance from which a block counts as content, where whole pages are judged."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What the model says of a page. ``seen``: the features and equals; ``score``: the log-odds
    of each block being content by its trees, (n,); ``chances``: the probability, its equals heard
    (verdict.agreed); ``kept``: those above ``threshold``; ``confidence``: how likely it is that the
    page has main content, 0..1."""

    blocks: Blocks
    seen: feature_matrix.Matrix
    score: Floats
    chances: Floats
    kept: Mask
    threshold: float
    confidence: float
    page_type: str | None

    @property
    def rows(self) -> npt.NDArray[np.float32]:
        """The features, (n, features)."""
        return self.seen.rows


@dataclass(frozen=True)
class Auto(Method):
    """Keeps the blocks that a model, learned from pages with known content, takes for content.

    A block's features are its own text, what its ancestors and equals hold, what stands around it
    and what class names and short texts were worth on other pages; boosted trees give its
    odds. The threshold is the page's own (winnow.extractors.auto.decision).
    """

    method: ClassVar[str] = "auto"
    version: ClassVar[int] = 3

    @property
    def fingerprint(self) -> str:
        """Name, version and the digest of the model."""
        return f"{super().fingerprint}:{shipped_digest()[:16]}"

    @property
    def taught_by(self) -> Mapping[str, float | None]:
        """As the model's manifest tells it."""
        told = manifest()
        return {name: told["word_f1"].get(name) for name in told["packages"]}

    def extract(self, document: Document) -> Extraction:
        """Label what the model keeps."""
        return self.extraction(document, judge(document, shipped()))

    def extraction(self, document: Document, found: Judgement | None) -> Extraction:
        """The extraction that a judgement makes."""
        if found is None:
            return Extraction(self.name, confidence=0.0, reasons=("the page has no text",))
        is_index = linked_share(found) > MOSTLY_LINKS
        return Extraction(
            self.name,
            spans_of_pieces(document, assembled(document, found)),
            confidence=min(found.confidence, DOUBT) if is_index else found.confidence,
            page_type=found.page_type,
            reasons=("what it would keep is mostly links",) if is_index else (),
        )


def assembled(document: Document, found: Judgement) -> Mask:
    """The pieces of the blocks kept, and what belongs to them without many words; (pieces,)."""
    pieces = found.blocks.last_piece - found.blocks.first_piece
    whole = completed(document, np.repeat(found.kept, pieces), np.repeat(found.chances, pieces))
    return with_pictures(document, whole)


def linked_share(found: Judgement) -> float:
    """Words in links over all words, of the blocks kept: front pages and results have many."""
    words = int(found.blocks.words[found.kept].sum())
    return float(found.blocks.linked_words[found.kept].sum()) / words if words else 0.0


def judge(document: Document, model: AutoModel) -> Judgement | None:
    """Ask the model about every block; None if there is none."""
    blocks = blocks_of(document)
    if not len(blocks):
        return None
    seen = rows_of(document, blocks, model)
    return judged(blocks, seen, scores(seen.rows, model), model)


def judged(
    blocks: Blocks,
    seen: feature_matrix.Matrix,
    score: Floats,
    model: AutoModel,
    moved: Floats | None = None,
) -> Judgement:
    """What follows from the log-odds of each block, at least one.

    ``moved``: by how much what is known of the site moves those odds; blocks of one path agree
    before that, since static and varying ones may be alike.
    """
    rows, alike = seen
    agreed = decision.agreed(score, blocks.words, alike)
    chances = decision.probability(agreed if moved is None else agreed + moved)
    expected = decision.expected_f1(chances, blocks.words)
    threshold = decision.threshold(expected)
    page = page_row(rows, model, chances, blocks.words, expected)
    kept = decision.fill_silent(chances > threshold, blocks.words)
    trusted = len(model.sure.roots) > 0
    confidence = float(decision.probability(model.sure.sum(page))[0]) if trusted else expected
    return Judgement(
        blocks, seen, score, chances, kept, threshold, confidence, page_type(page, model.types)
    )


def rows_of(document: Document, blocks: Blocks, model: AutoModel) -> feature_matrix.Matrix:
    """The features of each block, as the model wants them, and which blocks are alike."""
    tokens = attribute_tokens.element_tokens(document)
    said = model.lexicon.judge(attribute_tokens.block_tokens(document, blocks), len(blocks))
    worth = model.lexicon.judge(tokens, len(document.elements))
    return feature_matrix.matrix_of(document, blocks, tokens, worth, said)


def scores(rows: npt.NDArray[np.float32], model: AutoModel) -> Floats:
    """The log-odds of each row being content.

    Most blocks are plain after the first trees; only the others are shown to the next.
    """
    score, open_ = np.zeros(len(rows)), np.arange(len(rows))
    for forest, plain in model.stages:
        score[open_] += forest.sum(rows, open_)
        open_ = open_[np.abs(score[open_]) < plain]
    return score


def page_row(
    rows: npt.NDArray[np.float32], model: AutoModel, chances: Floats, words: Floats, expected: float
) -> npt.NDArray[np.float32]:
    """What is known of the whole page, one row: its features and what its blocks came to."""
    content, likely = float((chances * words).sum()), words[chances > LIKELY]
    told = (
        content,
        content / max(float(words.sum()), 1),
        len(likely),
        float(chances.max()),
        expected,
        float(likely.max(initial=0)),
        float(likely.sum()),
        float(likely.sum()) / max(len(likely), 1),
    )
    return np.concatenate([rows[0, model.page_columns], told]).astype(np.float32)[None]


def page_type(page: npt.NDArray[np.float32], types: Sequence[Forest]) -> str | None:
    """The page type of a page's row by the trees of each; None where there are none."""
    votes = [forest.sum(page)[0] for forest in types]
    return PAGE_TYPES[int(np.argmax(votes))] if votes else None
