"""Training of ``memory``: labelled pages to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

import numpy as np

from winnow.document.arrays import Ints, Mask
from winnow.document.document import Document
from winnow.extractors.errors import ModelError
from winnow.extractors.memory.element_features import NAMES, NUMERIC, features
from winnow.extractors.memory.labelled_instances import CLASSES, LabelledInstances, classes_of
from winnow.extractors.memory.memory_model import MemoryModel
from winnow.extractors.memory.text_slots import Slots

STORED: Final = 100_000
"""Instances that a model keeps at most, by default."""
_TEXT: Final = NAMES.index("text length +0")
_TAIL: Final = NAMES.index("tail length +0")


@dataclass(frozen=True, slots=True, eq=False)
class MemoryExample:
    """A labelled page, as instances; ``id`` names it, ``source`` is its site."""

    values: Ints
    classes: Ints
    id: str
    source: str

    @classmethod
    def of(
        cls, document: Document, slots: Slots, labels: Ints, name: str, source: str
    ) -> MemoryExample:
        """``labels``: of the slots, shape (slots,), see classes."""
        return cls(features(document, slots), classes_of(labels), name, source)


def gathered(examples: Sequence[MemoryExample]) -> LabelledInstances:
    """The instances of pages, those without text too, as in the thesis."""
    return LabelledInstances(
        np.concatenate([np.zeros((0, len(NAMES)), np.int32), *(each.values for each in examples)]),
        np.concatenate([np.zeros(0, np.int32), *(each.classes for each in examples)]),
        NUMERIC,
        len(CLASSES),
    )


def characters(values: Ints) -> Ints:
    """The characters of each element's text and tail; shape (n,)."""
    counted: Ints = values[:, _TEXT] + values[:, _TAIL]
    return counted


def holds_text(values: Ints) -> Mask:
    """Which elements have text or a tail: the others are garbage by definition."""
    return characters(values) > 0


def learn(examples: Sequence[MemoryExample], stored: int, notes: Mapping[str, Any]) -> MemoryModel:
    """A model of all elements that hold text; of no more than ``stored`` it keeps the instances.

    Weights, frequencies and the order of features are those of all. Raises ModelError where no
    element holds text.
    """
    learned = _with_text(gathered(examples))
    if not learned.frequencies[1:].any():
        raise ModelError("There is no page with a labelled text: add pages to train.")
    chosen = list(_chosen(examples, stored))
    retained = _distinct(_with_text(gathered(chosen)))
    counts = {"pages": len(examples), "pages_stored": len(chosen), "most_stored": stored}
    return MemoryModel.of(learned, retained, {**notes, **counts})


def _chosen(examples: Sequence[MemoryExample], stored: int) -> Iterable[MemoryExample]:
    """Pages until there are instances enough: one of every site first, then a second, ..."""
    turns: dict[str, int] = {}
    keyed = []
    for example in sorted(examples, key=lambda each: (crc32(each.id.encode()), each.id)):
        turns[example.source] = turn = turns.get(example.source, 0) + 1
        keyed.append((turn, crc32(example.source.encode()), example))
    count = 0
    for _, _, example in sorted(keyed, key=lambda each: each[:2]):
        count += len(_distinct(_with_text(gathered([example]))))
        if count > stored:
            return
        yield example


def _with_text(instances: LabelledInstances) -> LabelledInstances:
    has_text = holds_text(instances.values)
    return LabelledInstances(
        instances.values[has_text], instances.classes[has_text], instances.numeric, instances.number
    )


def _distinct(instances: LabelledInstances) -> LabelledInstances:
    """Equal instances as one, with the number of times it occurred."""
    identity = np.arange(instances.values.shape[1], dtype=np.int32)
    rows, counts = instances.grouped(identity)
    row, kind = np.nonzero(counts)
    return LabelledInstances(
        rows[row],
        kind.astype(np.int32),
        instances.numeric,
        instances.number,
        counts[row, kind],
    )
