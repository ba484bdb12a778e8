"""``crf``: a linear-chain CRF labels the page's blocks (Marek, Pecina, Spousta, WAC3 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import spans_of_pieces
from winnow.extractors.crf.crf_features import block_features
from winnow.extractors.crf.crf_model import CrfModel, Floats, content_of, load_model, marginals
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.trained_method import TrainedMethod

_WHY: Final = "Content with a probability of {score:.0%}, given all blocks of the page."


@dataclass(frozen=True)
class Crf(TrainedMethod):
    """Keeps the blocks that the most probable row of labels calls content (``content_of``).

    ``chain``: whether neighbours count; without, each block is judged alone.
    """

    chain: bool = True
    method: ClassVar[str] = "crf"
    main_parameter: ClassVar[str] = "model"
    version: ClassVar[int] = 2

    def trained(self) -> CrfModel:
        """The model in use."""
        return load_model(self.model)

    def extract(self, document: Document) -> Extraction:
        """Label the blocks; the confidence is the mean probability of the labels, by words."""
        is_content, probability = self._labelled(document)
        blocks = blocks_of(document)
        pieces = np.zeros(len(document.pieces), dtype=bool)
        for index in np.flatnonzero(is_content).tolist():
            pieces[blocks.first_piece[index] : blocks.last_piece[index]] = True
        sure = np.where(is_content, probability, 1 - probability)
        weights = np.where(blocks.hidden, 0, blocks.words)
        confidence = float(np.average(sure, weights=weights)) if weights.any() else 0.0
        spans = spans_of_pieces(document, pieces & ~document.hidden)
        return Extraction(self.name, spans, confidence=confidence)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """How probable each block is content."""
        spans, (_, probability) = self.extract(document).spans, self._labelled(document)
        return block_reasons(document, spans, _WHY, probability)

    def _labelled(self, document: Document) -> tuple[Mask, Floats]:
        """Which blocks are content, and how probable that is of each; both (blocks,)."""
        found, model = block_features(document), self.trained()
        chain = model.transitions if self.chain else np.zeros_like(model.transitions)
        emissions = model.emissions(found)
        size = len(blocks_of(document))
        is_content, probability = np.zeros(size, dtype=bool), np.zeros(size)
        chances = probability[found.index] = marginals(emissions, chain)
        is_content[found.index] = content_of(emissions, chain, chances)
        return is_content, probability
