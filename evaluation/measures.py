"""Precision, recall and F1 of an extracted text against its gold text (Gottron 2007, section 3).

Knows two texts; refuses to know pages, extractors and files.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.words import words


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float


NOTHING = Score(0.0, 0.0, 0.0)
PERFECT = Score(1.0, 1.0, 1.0)


def score(common: int, extracted: int, gold: int) -> Score:
    """The score of ``extracted`` items, ``common`` of which are among the ``gold`` ones.

    Both empty is a perfect answer, one of them empty a worthless one.
    """
    if not extracted and not gold:
        return PERFECT
    if not common:
        return NOTHING
    return Score(common / extracted, common / gold, 2 * common / (extracted + gold))


def word_f1(extracted: str, gold: str) -> Score:
    """Word F1: bags of ``words``, so that order does not matter and number does."""
    mine, wanted = Counter(words(extracted)), Counter(words(gold))
    return score((mine & wanted).total(), mine.total(), wanted.total())


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing, so that an empty row prints."""
    return statistics.fmean(values) if values else 0.0


def deviation(values: Sequence[float]) -> float:
    """The estimated (n - 1) standard deviation: how steady a method is (section 3)."""
    return statistics.stdev(values) if len(values) > 1 else 0.0
