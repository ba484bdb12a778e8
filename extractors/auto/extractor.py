"""``auto``: what a learned model says of each block. Knows how its parts are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from document.blocks import Blocks, blocks_of
from document.document import Document, Mask
from document.values import Extraction
from extractors.auto import lexis, verdict
from extractors.auto.features import features, look
from extractors.auto.model import PAGE_TYPES, Model, shipped
from extractors.method import Method, spans_of_pieces

Floats = npt.NDArray[Any]

PAGE_FEATURES: Final = ("page: ", "address: ")
"""What the names of features begin with that are the same for all blocks of a page."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What the model says of a page. ``rows``: the features, (n, features); ``score``: the log-odds
    of each block being content, (n,); ``kept``: which are, (n,); ``confidence``: how likely it is
    that the page has main content at all, 0..1."""

    blocks: Blocks
    rows: npt.NDArray[np.float32]
    score: Floats
    kept: Mask
    threshold: float
    confidence: float
    page_type: str | None


@dataclass(frozen=True)
class Auto(Method):
    """Keeps the blocks that a model, learned from pages with known content, takes for content.

    A block's features are its own text, what its ancestors and equals hold, what stands around it
    and what class names and short texts were worth on other pages; boosted trees and a network give
    its odds. The threshold is the page's own (extractors.auto.verdict).
    """

    method: ClassVar[str] = "auto"

    @property
    def fingerprint(self) -> str:
        """Name, version and the digest of the model."""
        return f"{super().fingerprint}:{shipped().digest[:16]}"

    def extract(self, document: Document) -> Extraction:
        """Label what the model keeps."""
        found = judge(document, shipped())
        if found is None:
            return Extraction(self.name, confidence=0.0, reasons=("the page has no text",))
        pieces = np.repeat(found.kept, found.blocks.last_piece - found.blocks.first_piece)
        return Extraction(
            self.name,
            spans_of_pieces(document, pieces),
            title=document.title or None,
            confidence=found.confidence,
            page_type=found.page_type,
        )


def judge(document: Document, model: Model) -> Judgement | None:
    """Ask the model about every block; None if there is none."""
    blocks = blocks_of(document)
    if not len(blocks):
        return None
    rows = rows_of(document, blocks, model)
    score = scores(rows, model)
    chances = verdict.probability(score)
    expected = verdict.expected_f1(chances, blocks.words)
    threshold = verdict.threshold(expected)
    page = page_row(rows, model.names, chances, blocks.words)
    kept = verdict.fill_silent(chances > threshold, blocks.words)
    trusted = len(model.sure.roots) > 0
    confidence = float(verdict.probability(model.sure.sum(page))[0]) if trusted else expected
    return Judgement(blocks, rows, score, kept, threshold, confidence, _page_type(page, model))


def rows_of(document: Document, blocks: Blocks, model: Model) -> npt.NDArray[np.float32]:
    """The features of each block, as the model wants them; (n, features)."""
    tokens = lexis.element_tokens(document)
    said = model.lexicon.judge(lexis.block_tokens(document, blocks), len(blocks))
    worth = model.lexicon.judge(tokens, len(document.elements))
    return matrix(features(look(document, blocks, tokens, worth, said)))


def matrix(rows: dict[str, Floats]) -> npt.NDArray[np.float32]:
    """Features by name as one matrix, a row a block."""
    found = np.empty((len(rows["words"]), len(rows)), dtype=np.float32)
    for column, values in enumerate(rows.values()):
        found[:, column] = values
    return found


def scores(rows: npt.NDArray[np.float32], model: Model) -> Floats:
    """The log-odds of each row being content: trees and network, weighed."""
    trees, network = model.forest.sum(rows), model.network.sum(rows)
    return (1 - model.share) * trees + model.share * network


def page_row(
    rows: npt.NDArray[np.float32], names: tuple[str, ...], chances: Floats, words: Floats
) -> npt.NDArray[np.float32]:
    """What is known of the whole page, one row: its features and what its blocks came to."""
    columns = [index for index, name in enumerate(names) if name.startswith(PAGE_FEATURES)]
    content = float((chances * words).sum())
    likely = chances > 0.4
    told = (
        content, content / max(float(words.sum()), 1), float(likely.sum()), float(chances.max()),
        verdict.expected_f1(chances, words), float(words[likely].max(initial=0)),
        float(words[likely].sum()), float(words[likely].mean()) if likely.any() else 0.0,
    )  # fmt: skip
    return np.concatenate([rows[0, columns], told]).astype(np.float32)[None]


def _page_type(page: npt.NDArray[np.float32], model: Model) -> str | None:
    roots = model.types.roots.reshape(-1, len(PAGE_TYPES))
    votes = [model.types.of(roots[:, kind]).sum(page)[0] for kind in range(len(PAGE_TYPES))]
    return PAGE_TYPES[int(np.argmax(votes))] if votes else None
