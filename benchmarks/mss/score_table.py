"""Results as lines: mean word scores by extractor and group."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from winnow.evaluation.mss.folds import Result
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned

HEADING = ("group", "extractor", "pages", "word F1", "P", "R")


def table(
    results: Sequence[Result],
    group: Callable[[Result], str],
    beside: Sequence[tuple[str, ...]] = (),
) -> str:
    """A line for each group and extractor, in the order they came, and one for all pages.

    ``beside``: further lines, of other origin.
    """
    keys = dict.fromkeys((group(each), each.extractor) for each in results)
    names = dict.fromkeys(each.extractor for each in results)
    lines = [
        _line(
            where,
            name,
            [each for each in results if (group(each), each.extractor) == (where, name)],
        )
        for where, name in keys
    ]
    for name in names:
        lines.append(_line("all", name, [each for each in results if each.extractor == name]))
    return aligned(HEADING, [*lines, *beside], 2)


def _line(group: str, name: str, results: Sequence[Result]) -> tuple[str, ...]:
    scores = [each.score for each in results]
    means = (
        mean([getattr(score, part) for score in scores]) for part in ("f1", "precision", "recall")
    )
    return (group, name, str(len(scores)), *(f"{100 * value:.1f}" for value in means))
