"""``memory``: title, heading and body by the likeness to labelled elements (Arizaleta 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.memory.article_structure import Fault, described, faults
from winnow.extractors.memory.element_features import features
from winnow.extractors.memory.feature_weights import WEIGHTS, Floats
from winnow.extractors.memory.labelled_instances import BODY, GARBAGE, LABELS, TITLE, labels_of
from winnow.extractors.memory.memory_model import (
    MemoryModel,
    load_base,
    load_model,
    load_tree,
)
from winnow.extractors.memory.memory_training import characters, holds_text
from winnow.extractors.memory.text_slots import Slots, slots_of
from winnow.extractors.memory.voting import elected
from winnow.extractors.parameters import OneOf, Range, parameter
from winnow.extractors.trained_method import TrainedMethod

ALGORITHMS: Final = ("ib1", "igtree")
LONG: Final = 80
"""Characters of a text that is likely to be content: one so long that is dropped lowers the
confidence."""
_TREE_DISTANCE: Final = 0.08
"""Taken for a tree's predictions, which have no distance: rather far."""
_CLASSES: Final = ("garbage", "titles", "headings", "body text")
_NO_BODY: Final = "nothing on this page is like an article's text"


@dataclass(frozen=True)
class Memory(TrainedMethod):
    """Elements are labelled as those stored ones that are most like them.

    ``algorithm``: ``ib1`` (nearest neighbours) or ``igtree`` (a decision tree). ``k``: neighbours
    at how many distances vote. ``w``: TiMBL's name of the features' weights: nw (none), gr (gain
    ratio), ig (information gain), x2 (chi-square), sv (shared variance).
    """

    algorithm: str = parameter("ib1", OneOf(ALGORITHMS))
    k: int = parameter(1, Range(1, 1000))
    w: str = parameter("gr", OneOf(tuple(WEIGHTS)))
    method: ClassVar[str] = "memory"
    version: ClassVar[int] = 2
    main_parameter: ClassVar[str] = "algorithm"

    def trained(self) -> MemoryModel:
        """The model in use."""
        return load_model(self.model)

    def extract(self, document: Document) -> Extraction:
        """Label what is like stored titles, headings and texts."""
        slots = slots_of(document)
        labelling = self.label(document, slots)
        pieces = _of_pieces(document, slots, labelling.labels)
        found = faults(in_order(document, pieces))
        if not (pieces == BODY).any():
            return Extraction(self.name, confidence=0.0, reasons=(_NO_BODY,))
        return Extraction(
            extractor=self.name,
            spans=tuple(_spans(document, pieces)),
            title=_title(document, pieces),
            confidence=confidence(labelling, found),
            reasons=described(found),
        )

    def label(self, document: Document, slots: Slots) -> Labelling:
        """Label the slots of a document."""
        values = features(document, slots)
        with_text = np.flatnonzero(holds_text(values))
        found, distances = self._classes(values[with_text])
        classes = np.zeros(len(values), dtype=np.int32)
        classes[with_text] = found
        length = characters(values[with_text])
        is_content = found != GARBAGE
        dropped = int(length[~is_content & (length > LONG)].sum())
        distance = float((distances * length)[is_content].sum() / max(length[is_content].sum(), 1))
        every = np.zeros(len(values))
        every[with_text] = distances
        share_dropped = dropped / max(length[is_content].sum() + dropped, 1)
        return Labelling(labels_of(classes), every, distance, share_dropped)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """Which stored elements the longest text of each block is most like, and how far off."""
        slots, blocks = slots_of(document), blocks_of(document)
        found, lengths = self.label(document, slots), document.piece_lengths
        edges = zip(blocks.first_piece.tolist(), blocks.last_piece.tolist(), strict=True)
        longest = [first + int(np.argmax(lengths[first:last])) for first, last in edges]
        places = slots.place[longest]
        rules = [self._rule(found, place) for place in places.tolist()]
        spans = self.extract(document).spans
        if self.algorithm == "igtree" or not len(found.distances):
            return block_reasons(document, spans, rules)
        distances = found.distances[np.maximum(places, 0) // 2]
        return block_reasons(document, spans, rules, distances)

    def _rule(self, found: Labelling, place: int) -> str:
        if place < 0:
            return "It holds no text; a picture between texts of the body is kept."
        kind = _CLASSES[found.labels[place]]
        if self.algorithm == "igtree":
            return f"The tree takes it for {kind}."
        return f"Most like stored {kind}, {{score:.1%}} of the greatest distance away."

    def _classes(self, queries: Ints) -> tuple[Ints, Floats]:
        """Classes, and distances as shares of the greatest possible; both of shape (queries,)."""
        model = self.trained()
        if self.algorithm == "igtree":
            classes = load_tree(self.model, self.w).predict(queries)
            return classes, np.full(len(queries), _TREE_DISTANCE)
        base = load_base(self.model, self.w)
        found = base.nearest(queries, self.k + 1)
        classes = elected(found.counts, self.k, model.rank)
        return classes, found.distances[:, 0] / base.weights.sum()


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """A page's labels and how far they can be trusted.

    ``labels``: of its slots, shape (slots,). ``distances``: of each element from the nearest stored
    one, shape (elements,), as shares of the greatest distance there is. ``distance``: the mean of
    those labelled as text, by their characters.
    ``dropped``: of the characters in what is labelled, or long, those that are not labelled.
    """

    labels: Ints
    distances: Floats
    distance: float
    dropped: float


def confidence(labelling: Labelling, found: Sequence[Fault]) -> float:
    """How well a page is likely to be labelled, in 0..1.

    A line fitted to the word F1 of pages of sites outside the shipped model's training set
    (docs/memory.md): far neighbours, long texts left out and faults of the structure speak against.
    """
    worth = 1.06 - 1.22 * labelling.distance - 0.7 * labelling.dropped - 0.06 * len(found)
    return float(min(max(worth, 0.0), 1.0))


def in_order(document: Document, pieces: Ints) -> list[int]:
    """The labels in the page's order, pieces of one block that are labelled alike counted once."""
    block = document.elements.block[document.pieces.owner]
    at = np.flatnonzero(pieces != GARBAGE)
    fresh = np.ones(len(at), dtype=bool)
    same = (np.diff(pieces[at]) == 0) & (np.diff(block[at]) == 0)
    fresh[1:] = ~same
    found: list[int] = pieces[at[fresh]].tolist()
    return found


def _of_pieces(document: Document, slots: Slots, labels: Ints) -> Ints:
    """The label of each piece that is shown; a picture between two texts of the body is body."""
    found = np.where(slots.place >= 0, labels[slots.place], GARBAGE).astype(np.int32)
    texts, media = np.flatnonzero(slots.place >= 0), np.flatnonzero(slots.place < 0)
    if len(texts):
        behind = np.searchsorted(texts, media)
        after = found[texts[np.minimum(behind, len(texts) - 1)]]
        before = found[texts[np.maximum(behind - 1, 0)]]
        found[media] = np.where((before == BODY) & (after == BODY), BODY, GARBAGE)
    found[document.hidden] = GARBAGE
    return found


def _spans(document: Document, pieces: Ints) -> list[Span]:
    """Spans over runs of pieces with the same label."""
    at = np.flatnonzero(pieces != GARBAGE)
    edges = np.flatnonzero((np.diff(at) > 1) | (np.diff(pieces[at]) != 0)) + 1
    starts = document.pieces.start[at[np.concatenate([[0], edges])]].tolist()
    ends = document.pieces.end[at[np.append(edges, len(at)) - 1]].tolist()
    kinds = [LABELS[label] for label in pieces[at[np.concatenate([[0], edges])]].tolist()]
    return [Span(*span) for span in zip(starts, ends, filter(None, kinds), strict=True)]


def _title(document: Document, pieces: Ints) -> str | None:
    """The text of the first title."""
    named = np.flatnonzero(pieces == TITLE)
    if not len(named):
        return None
    block = document.elements.block[document.pieces.owner[named]]
    last = named[block == block[0]][-1]
    return (
        document.plain(int(document.pieces.start[named[0]]), int(document.pieces.end[last])).strip()
        or None
    )
