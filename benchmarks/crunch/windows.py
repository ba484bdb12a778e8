"""DSC's window length against word F1, and DSC beside the other simple methods: table and chart.

Pinto and others (2002) call DSC the best of the methods that need no training; this tests it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.crunch.levels import drawn
from benchmarks.crunch.measuring import Means, measured
from winnow.evaluation.packages import Package
from winnow.evaluation.reporting.svg import Scale, colour, element, text
from winnow.evaluation.tables import aligned

WINDOWS: Final = (10, 20, 30, 50, 75, 100, 150, 200, 300, 450)
SIMPLE: Final = ("plain", "largest-block", "largest-block:nested=true", "bte", "simple-mss", "lqf")
WIDTH: Final = 620.0
HEIGHT: Final = 320.0

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
    values = [means.f1 for curve in curves.values() for means in curve]
    across = Scale(WINDOWS[0], WINDOWS[-1], 60, WIDTH - 20, logarithmic=True)
    down = Scale(min(values) - 0.02, max(values) + 0.02, HEIGHT - 70, 20)
    parts = [text("tokens in a window", WIDTH / 2, HEIGHT - 34, text_anchor="middle")]
    for value in down.ticks():
        place = down(value)
        parts.append(element("line", x1=60, x2=WIDTH - 20, y1=place, y2=place, stroke="#ddd"))
        parts.append(text(f"{value:.2f}", 54, place + 4, text_anchor="end"))
    for window in WINDOWS:
        parts.append(text(str(window), across(window), HEIGHT - 52, text_anchor="middle"))
    for index, (name, curve) in enumerate(curves.items()):
        points = " ".join(
            f"{across(window):.1f},{down(means.f1):.1f}"
            for window, means in zip(WINDOWS, curve, strict=True)
        )
        stroke = colour(index)
        parts.append(element("polyline", points=points, fill="none", stroke=stroke, stroke_width=2))
        parts.append(text(name, 60 + 180 * index, HEIGHT - 10, style=f"fill:{stroke}"))
    return drawn("".join(parts), "Word F1 of DSC against its window's length", WIDTH, HEIGHT)
