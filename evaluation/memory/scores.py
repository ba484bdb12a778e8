"""Precision, recall and F by label, and their macro and micro means (section 6.1).

As in the thesis an element counts for a label when its class names it: body is all of g+b, b+g,
b+b, ..., and b+g taken for b+b is one miss and one false alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.evaluation.memory.regimes import Confusion
from winnow.extractors.memory.labelled_instances import BODY, CLASSES, HEADING, LETTERS, TITLE

LABELS: Final = {"title": TITLE, "heading": HEADING, "body": BODY}


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives, false negatives, summed over the classes of a label."""

    right: int = 0
    alarms: int = 0
    missed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.right + other.right, self.alarms + other.alarms, self.missed + other.missed
        )

    @property
    def precision(self) -> float:
        """0 where nothing was predicted."""
        return self.right / max(self.right + self.alarms, 1)

    @property
    def recall(self) -> float:
        """0 where there is nothing to find."""
        return self.right / max(self.right + self.missed, 1)

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        return 2 * self.right / max(2 * self.right + self.alarms + self.missed, 1)


@dataclass(frozen=True, slots=True)
class Mean:
    """Precision, recall and F."""

    precision: float
    recall: float
    f1: float


def counted(matrix: Confusion, label: str) -> Counts:
    """The counts of a label in a confusion."""
    letter = LETTERS[LABELS[label]]
    mine = [index for index, name in enumerate(CLASSES) if letter in name]
    right = int(np.diagonal(matrix)[mine].sum())
    return Counts(right, int(matrix[:, mine].sum()) - right, int(matrix[mine].sum()) - right)


def micro(groups: Mapping[str, Confusion], label: str) -> Counts:
    """The counts of all groups together."""
    return sum((counted(matrix, label) for matrix in groups.values()), Counts())


def macro(groups: Mapping[str, Confusion], label: str) -> Mean:
    """The mean of the groups that have the label; one where it was never found counts 0."""
    found = [counted(matrix, label) for matrix in groups.values()]
    return _mean([one for one in found if one.right + one.missed])


def average(groups: Mapping[str, Confusion]) -> float:
    """The mean of the labels' micro F: the thesis's global F-score."""
    return float(np.mean([micro(groups, label).f1 for label in LABELS]))


def _mean(found: Sequence[Counts]) -> Mean:
    def of(values: Iterable[float]) -> float:
        return sum(values) / max(len(found), 1)

    return Mean(
        of(one.precision for one in found),
        of(one.recall for one in found),
        of(one.f1 for one in found),
    )
