"""Results of the regimes as lines, the thesis's beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from winnow.evaluation.memory.published_results import (
    BY_WEIGHTING,
    MACRO,
    MICRO,
    SETTINGS,
    WEIGHTS,
    Row,
)
from winnow.evaluation.memory.regimes import Confusion, Fold, Results
from winnow.evaluation.memory.scores import LABELS, average, counted, macro, micro
from winnow.evaluation.reporting.tables import aligned
from winnow.extractors.memory.element_features import NAMES
from winnow.extractors.memory.feature_weights import FeatureWeights, Floats
from winnow.extractors.memory.memory_extractor import Memory
from winnow.extractors.memory.memory_training import gathered


def by_label(regime: str, results: Results) -> str:
    """Macro and micro means of each method and label (tables 6.1 to 6.9, their last rows)."""
    lines = [line for name, groups in results.items() for line in _means(regime, name, groups)]
    heading = ("regime", "method", "label", *_three("macro"), *_three("micro"), *_three("thesis's"))
    return aligned(heading, lines, 3)


def by_group(regime: str, groups: Mapping[str, Confusion]) -> str:
    """F of each group and label (the tables' other rows)."""
    lines = [
        (regime, group, *(_told_or_none(matrix, label) for label in LABELS))
        for group, matrix in sorted(groups.items())
    ]
    return aligned(("regime", "group", *LABELS), lines, 2)


def weights(gains: Mapping[str, Floats]) -> str:
    """Information gain by feature, the mean of each regime's folds (table 6.10)."""
    regimes = [regime for regime in WEIGHTS if regime in gains]
    lines = [
        (
            str(index + 1),
            name,
            *(f"{gains[regime][index]:.3f}" for regime in regimes),
            *(f"{WEIGHTS[regime][index]:.3f}" for regime in regimes),
        )
        for index, name in enumerate(NAMES)
    ]
    heading = ("", "feature", *regimes, *(f"thesis's {regime}" for regime in regimes))
    return aligned(heading, lines, 2)


def gains_of(parted: Sequence[Fold]) -> Floats:
    """The information gain of each feature, the mean of the folds."""
    found = []
    for fold in parted:
        train = gathered([page.example for page in fold.train])
        feature_weights = FeatureWeights.of(train.values, train.classes, train.numeric)
        found.append(feature_weights.weights["ig"])
    mean: Floats = np.mean(found, axis=0)
    return mean


def by_weighting(regime: str, results: Results, methods: Sequence[Memory]) -> str:
    """F by weighting, the mean of IB1's runs with each k (tables 6.11 and 6.12)."""
    lines = []
    for kind, theirs in BY_WEIGHTING[regime].items():
        mine = [results[one.name] for one in methods if one.w == kind and one.algorithm == "ib1"]
        means = [float(np.mean([micro(groups, label).f1 for groups in mine])) for label in LABELS]
        figures = (*means, float(np.mean(means)), *theirs)
        lines.append((regime, kind, *(f"{value:.3f}" for value in figures)))
    parts = (*LABELS, "mean")
    return aligned(("regime", "w", *parts, *(f"thesis's {part}" for part in parts)), lines, 2)


def settings(regime: str, results: Results, methods: Sequence[Memory]) -> str:
    """The best settings, the default ones and the best tree (tables 6.13 and 6.14)."""
    trees = [one for one in methods if one.algorithm == "igtree"]
    nearest = [one for one in methods if one.algorithm == "ib1"]

    def best(among: Sequence[Memory]) -> Memory:
        return max(among, key=lambda one: average(results[one.name]))

    chosen = {"best": best(nearest), "default": Memory(), "igtree": best(trees)}
    lines = []
    for kind, method in chosen.items():
        theirs, figures = SETTINGS[regime, kind]
        mine = [micro(results[method.name], label).f1 for label in LABELS]
        values = (*(f"{value:.3f}" for value in mine), theirs)
        lines.append((regime, kind, method.name, *values, *(f"{value:.3f}" for value in figures)))
    heading = ("regime", "", "ours", *LABELS, "thesis's", *LABELS)
    return aligned(heading, lines, 3)


def _means(regime: str, name: str, groups: Mapping[str, Confusion]) -> Iterator[tuple[str, ...]]:
    for label in LABELS:
        wide, narrow = macro(groups, label), micro(groups, label)
        mine: tuple[Row, ...] = (
            (wide.precision, wide.recall, wide.f1),
            (narrow.precision, narrow.recall, narrow.f1),
        )
        theirs = (MACRO[regime, label][2], MICRO[regime, label][2])
        figures = (*mine[0], *mine[1], *theirs)
        yield (regime, name, label, *(f"{value:.3f}" for value in figures))


def _three(name: str) -> tuple[str, ...]:
    if name == "thesis's":
        return ("thesis's macro F", "micro F")
    return (f"{name} P", "R", "F")


def _told_or_none(matrix: Confusion, label: str) -> str:
    counts = counted(matrix, label)
    return f"{counts.f1:.3f}" if counts.right + counts.missed else "-"
