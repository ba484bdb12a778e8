"""``memory``: title, heading and body by the likeness to labelled elements (Arizaleta 2009).

Knows how classes of elements become an extraction; refuses to know how they were learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from document.arrays import Ints
from document.document import Document
from document.values import Extraction, Span
from extractors.memory.classes import BODY, GARBAGE, LABELS, TITLE, labels_of
from extractors.memory.features import features
from extractors.memory.model import load_base, load_model, load_tree
from extractors.memory.slots import Slots, slots_of
from extractors.memory.structure import Fault, faults, told
from extractors.memory.training import holds_text
from extractors.memory.voting import elected, shares
from extractors.memory.weights import WEIGHTS
from extractors.method import Method

ALGORITHMS: Final = ("ib1", "igtree")
TRUST: Final = {Fault.NO_TITLE: 0.7, Fault.TITLES: 0.9, Fault.HEADINGS: 0.9}
"""What the confidence is multiplied by for each fault of the structure."""
_TREE_SURE: Final = 0.5
"""A tree counts no votes: how sure it is of a well-formed page."""
_NO_BODY: Final = "nothing on this page is like an article's text"


@dataclass(frozen=True)
class Memory(Method):
    """Elements are labelled as those stored ones that are most like them.

    ``algorithm``: ``ib1`` (nearest neighbours) or ``igtree`` (a decision tree). ``k``: neighbours
    at how many distances vote. ``w``: TiMBL's name of the features' weights: nw (none), gr (gain
    ratio), ig (information gain), x2 (chi-square), sv (shared variance). ``model``: a folder made
    by `winnow train memory`; empty: the shipped model.
    """

    algorithm: str = "ib1"
    k: int = 1
    w: str = "gr"
    model: str = ""
    method: ClassVar[str] = "memory"
    main_parameter: ClassVar[str] = "algorithm"

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"the algorithm is one of {', '.join(ALGORITHMS)}")
        if self.w not in WEIGHTS:
            raise ValueError(f"w is one of {', '.join(WEIGHTS)}")
        if self.k < 1:
            raise ValueError("k is the number of distances, 1 or more")
        load_model(self.model)

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the model."""
        return f"{super().fingerprint}+{load_model(self.model).digest}"

    def extract(self, document: Document) -> Extraction:
        """Label what is like stored titles, headings and texts."""
        slots = slots_of(document)
        labels, sure = self.labels(document, slots)
        pieces = _of_pieces(document, slots, labels)
        found = faults(in_order(document, pieces))
        if not (pieces == BODY).any():
            return Extraction(self.name, confidence=0.0, reasons=(_NO_BODY,))
        return Extraction(
            extractor=self.name,
            spans=tuple(_spans(document, pieces)),
            title=_title(document, pieces),
            confidence=sure * float(np.prod([TRUST[fault] for fault in found])),
            reasons=told(found),
        )

    def labels(self, document: Document, slots: Slots) -> tuple[Ints, float]:
        """The labels of all slots, shape (slots,), and how united the votes for text were."""
        values = features(document, slots)
        asked = np.flatnonzero(holds_text(values))
        classes = np.zeros(len(values), dtype=np.int32)
        classes[asked], sure = self._classes(values[asked])
        return labels_of(classes), sure

    def _classes(self, queries: Ints) -> tuple[Ints, float]:
        model = load_model(self.model)
        if self.algorithm == "igtree":
            return load_tree(self.model, self.w).predict(queries), _TREE_SURE
        counts = load_base(self.model, self.w).nearest(queries, self.k + 1).counts
        found = elected(counts, self.k, model.rank)
        of_text = found != GARBAGE
        united = shares(counts, self.k, found)[of_text]
        return found, float(united.mean()) if len(united) else 0.0


def in_order(document: Document, pieces: Ints) -> list[int]:
    """The labels in the page's order, pieces of one block that are labelled alike told once."""
    block = document.elements.block[document.pieces.owner]
    at = np.flatnonzero(pieces != GARBAGE)
    fresh = np.ones(len(at), dtype=bool)
    same = (np.diff(pieces[at]) == 0) & (np.diff(block[at]) == 0)
    fresh[1:] = ~same
    found: list[int] = pieces[at[fresh]].tolist()
    return found


def _of_pieces(document: Document, slots: Slots, labels: Ints) -> Ints:
    """The label of each piece that is shown; media in between texts go with them."""
    found = np.where(slots.place >= 0, labels[slots.place], GARBAGE).astype(np.int32)
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
