"""The thesis's experiments in one go: what is printed and which images are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.memory import result_tables
from winnow.evaluation.memory.learning_curves import curves
from winnow.evaluation.memory.pages import LabelledPage, read
from winnow.evaluation.memory.regimes import REGIMES, Results, folds, results, sampled
from winnow.evaluation.memory.scores import LABELS, micro
from winnow.evaluation.reporting.line_chart import from_tenth, line_chart
from winnow.extractors.memory.feature_weights import WEIGHTS
from winnow.extractors.memory.memory_extractor import Memory

MOST_K: Final = 10


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """What to do. ``grid``: search k and weighting; ``curves``: draw learning curves; ``sample``:
    for both of them test every so many pages of a group only; ``folder``: for tables and images.
    """

    packages: Sequence[Package]
    regimes: Sequence[str]
    methods: Sequence[Memory]
    grid: bool = False
    sample: int = 1
    curves: bool = False
    folder: Path | None = None


def report(plan: ExperimentPlan) -> Iterator[str]:
    """The tables, one after the other as they are made. Raises EvaluationError without pages."""
    pages = read(plan.packages)
    if len({page.group for page in pages}) < 2:
        raise EvaluationError("The regimes need annotated articles of two groups or sites.")
    if plan.sample == 1 or not (plan.grid or plan.curves):
        yield from _regimes(plan, pages)
    if plan.grid:
        for regime in (name for name in plan.regimes if name != "within"):
            yield from _grid(plan, pages, regime)
    if plan.curves:
        found = curves(pages, plan.methods[0], plan.sample)
        image = line_chart(
            found, "Mean F", "pages (across: sites)", from_tenth(found), logarithmic=True
        )
        _draw(plan, "curves.svg", image)
        yield "\n".join(
            f"{regime}: " + ", ".join(f"{count}: {value:.3f}" for count, value in curve.items())
            for regime, curve in found.items()
        )


def _regimes(plan: ExperimentPlan, pages: Sequence[LabelledPage]) -> Iterator[str]:
    gains = {}
    for regime in plan.regimes:
        parted = folds(regime, pages)
        found = results(parted, plan.methods)
        yield result_tables.by_label(regime, found)
        yield result_tables.by_group(regime, found[plan.methods[0].name])
        gains[regime] = result_tables.gains_of(parted)
    yield result_tables.weights(gains)


def _grid(plan: ExperimentPlan, pages: Sequence[LabelledPage], regime: str) -> Iterator[str]:
    methods = _settings()
    found = results(sampled(folds(regime, pages), plan.sample), methods)
    yield result_tables.by_weighting(regime, found, methods)
    yield result_tables.settings(regime, found, methods)
    lines = _by_k(found)
    image = line_chart(lines, f"F by k, {regime}", "k", from_tenth(lines))
    _draw(plan, f"k-{regime}.svg", image)


def _by_k(found: Results) -> dict[str, dict[int, float]]:
    """F of each label by k, the mean of the weightings (figures 6.1 and 6.2)."""
    return {
        label: {
            k: mean([micro(found[Memory(k=k, w=w).name], label).f1 for w in WEIGHTS])
            for k in range(1, MOST_K + 1)
        }
        for label in LABELS
    }


def _settings() -> list[Memory]:
    """What section 6.6 searches: every k and weighting, and the trees."""
    nearest = [Memory(k=k, w=w) for w in WEIGHTS for k in range(1, MOST_K + 1)]
    return [*nearest, *(Memory(algorithm="igtree", w=w) for w in WEIGHTS)]


def _draw(plan: ExperimentPlan, name: str, drawn: str) -> None:
    if plan.folder is not None:
        (plan.folder / name).write_text(drawn + "\n", encoding="utf-8")


def chosen(name: str) -> tuple[str, ...]:
    """The regimes that a name means: one, or all."""
    return tuple(REGIMES) if name == "all" else (name,)
