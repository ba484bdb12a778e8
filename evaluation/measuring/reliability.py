"""How far a method's confidence can be believed: its share of poor and good pages, its Brier score.

A page is poor below a word F1 of 0.8 and good from 0.9 on. Brier, "Verification of forecasts
expressed in terms of probability" (1950): the mean squared difference between the confidence and
what came true, here an F1 of at least ``LIKELY``, which ``auto`` states the probability of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Final

from winnow.evaluation.reporting.tables import aligned

POOR, LIKELY, GOOD = 0.8, 0.85, 0.9
CONFIDENT: Final = 0.85
"""The confidence from which a result is to be relied on."""
COLUMNS: Final = (
    "package", "pages", f"confidence >= {CONFIDENT}", "poor of these", "passed on",
    "good of these", "Brier",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reliability:
    """``confident``: the share of pages of a confidence from CONFIDENT on, ``poor`` of these;
    ``declined``: the share below the lowest confidence accepted, ``good`` of these."""

    pages: int
    confident: float
    poor: float
    declined: float
    good: float
    brier: float


def reliability(
    pages: Sequence[tuple[float, float]], is_shown: Callable[[float], bool]
) -> Reliability:
    """The figures of pages, each with confidence and word F1; ``is_shown``: whether a page of a
    confidence is not passed on."""
    sure = [f1 for confidence, f1 in pages if confidence >= CONFIDENT]
    declined = [f1 for confidence, f1 in pages if not is_shown(confidence)]
    return Reliability(
        len(pages),
        round(len(sure) / len(pages), 4),
        _mean([f1 < POOR for f1 in sure]),
        round(len(declined) / len(pages), 4),
        _mean([f1 >= GOOD for f1 in declined]),
        _mean([(confidence - (f1 >= LIKELY)) ** 2 for confidence, f1 in pages]),
    )


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4) if values else 0.0


def reliability_table(found: Sequence[tuple[str, Reliability]]) -> str:
    """A line for each package."""
    lines = [[name, *(f"{value:g}" for value in asdict(one).values())] for name, one in found]
    return aligned(COLUMNS, lines, 1)
