"""DSC's window length against word F1, and DSC beside the other simple methods: table and chart.

Pinto and others (2002) call DSC the best of the methods that need no training; this tests it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.crunch.setting_scores import Means, measured
from winnow.evaluation.packages import Package
from winnow.evaluation.reporting.line_chart import YAxis, line_chart
from winnow.evaluation.tables import aligned

WINDOWS: Final = (10, 20, 30, 50, 75, 100, 150, 200, 300, 450)
SIMPLE: Final = ("plain", "largest-block", "largest-block:nested=true", "bte", "simple-mss", "lqf")

Curves = Mapping[str, Sequence[Means]]


def found(packages: Sequence[Package]) -> tuple[Curves, Mapping[str, Mapping[str, Means]]]:
    """By package: the means at each window, and those of the simple methods."""
    curves, others = {}, {}
    for package in packages:
        names = [f"dsc:window={window}" for window in WINDOWS]
        means = measured([package], [*names, *SIMPLE])
        curves[package.name] = [means[name] for name in names]
        others[package.name] = {name: means[name] for name in SIMPLE}
    return curves, others


def table(curves: Curves, others: Mapping[str, Mapping[str, Means]]) -> str:
    """Word F1: a row for each window, then one for each other method."""
    rows = [
        (f"dsc:window={window}", *(f"{curve[index].f1:.3f}" for curve in curves.values()))
        for index, window in enumerate(WINDOWS)
    ]
    rows += [(name, *(f"{means[name].f1:.3f}" for means in others.values())) for name in SIMPLE]
    return aligned(("method", *curves), rows, 1)


def chart(curves: Curves) -> str:
    """Word F1 by window, a line for each package."""
    lines = {
        name: {window: means.f1 for window, means in zip(WINDOWS, curve, strict=True)}
        for name, curve in curves.items()
    }
    values = [value for line in lines.values() for value in line.values()]
    axis = YAxis(min(values) - 0.02, max(values) + 0.02)
    title = "Word F1 of DSC against its window's length"
    return line_chart(lines, title, "tokens in a window", axis, logarithmic=True)
