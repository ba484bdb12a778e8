"""Labelled instances: rows of features, and the sixteen double classes (section 4.1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask
from winnow.document.values import Label

LETTERS: Final = "gthb"
"""Garbage, title, heading, body, as in the thesis; their places here are the labels' numbers."""
GARBAGE, TITLE, HEADING, BODY = range(len(LETTERS))
LABELS: Final = (None, Label.TITLE, Label.HEADING, Label.BODY)
CLASSES: Final = tuple(f"{text}+{tail}" for text in LETTERS for tail in LETTERS)
"""The classes as TiMBL reads them, by number."""


def classes_of(labels: npt.NDArray[np.integer]) -> Ints:
    """From the labels of slots, shape (2 n,), the classes of elements, shape (n,)."""
    return (labels[0::2] * len(LETTERS) + labels[1::2]).astype(np.int32)


def labels_of(classes: npt.NDArray[np.integer]) -> Ints:
    """From the classes of elements, shape (n,), the labels of slots, shape (2 n,)."""
    labels = np.empty(2 * len(classes), dtype=np.int32)
    labels[0::2], labels[1::2] = np.divmod(classes, len(LETTERS))
    return labels


@dataclass(frozen=True, slots=True, eq=False)
class LabelledInstances:
    """The training instances. ``values``: shape (n, features); ``classes``: shape (n,).

    ``numeric``: which features are numbers, shape (features,). ``number``: how many classes there
    are. ``times``: how often each instance occurred, shape (n,); None: once.
    """

    values: Ints
    classes: Ints
    numeric: Mask
    number: int
    times: Ints | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def frequencies(self) -> Ints:
        """How often each class occurred; shape (number,)."""
        return np.bincount(self.classes, self.times, self.number).astype(np.int32)

    def expanded(self) -> tuple[Ints, Ints]:
        """Values and classes, an instance as often as it occurred."""
        if self.times is None:
            return self.values, self.classes
        return np.repeat(self.values, self.times, axis=0), np.repeat(self.classes, self.times)

    def grouped(self, permutation: Ints) -> tuple[Ints, Ints]:
        """The distinct rows, sorted, with features as permuted, and their counts by class."""
        values = np.ascontiguousarray(self.values[:, permutation])
        order = np.argsort(_keys(values), kind="stable")
        values = values[order]
        is_first = np.ones(len(values), dtype=bool)
        is_first[1:] = (values[1:] != values[:-1]).any(axis=1)
        row = np.cumsum(is_first) - 1
        counts = np.zeros((int(is_first.sum()), self.number), dtype=np.int32)
        times = 1 if self.times is None else self.times[order]
        np.add.at(counts, (row, self.classes[order]), times)
        return np.ascontiguousarray(values[is_first]), counts


def _keys(values: Ints) -> npt.NDArray[np.void]:
    """Each row as bytes that sort as its numbers do."""
    if not values.size:
        return np.zeros(len(values), dtype="V1")
    return np.ascontiguousarray(values.astype(">u4")).view(f"V{4 * values.shape[1]}").ravel()
