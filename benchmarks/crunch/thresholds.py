"""The result check's thresholds over a grid: where word F1 is best on packages. Prints a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchmarks.crunch.setting_scores import measured
from winnow.evaluation.packages import Package
from winnow.evaluation.tables import aligned

DRASTIC: Final = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)
NEGLIGIBLE: Final = (0.0, 0.0005, 0.005)
BLANKS_ALONE: Final = 1.0


def report(packages: Sequence[Package], level: int) -> str:
    """Mean word F1 at a level with modern cells: a row for ``drastic``, a column for the other."""
    cells = f"crunch:level={level},modern=true"
    without = f"{cells},check=false"
    names = {
        (drastic, negligible): f"{cells},drastic={drastic},negligible={negligible}"
        for drastic in (*DRASTIC, BLANKS_ALONE)
        for negligible in NEGLIGIBLE
    }
    means = measured(packages, [without, *names.values()])
    rows = [
        (f"{drastic:g}", *(f"{means[names[drastic, each]].f1:.4f}" for each in NEGLIGIBLE))
        for drastic in (*DRASTIC, BLANKS_ALONE)
    ]
    heading = ("drastic", *(f"negligible {each:g}" for each in NEGLIGIBLE))
    plain = means[without]
    return (
        f"level {level}, modern cells; without the check {plain.f1:.4f}, "
        f"{plain.blank} of {plain.pages} pages blank\n{aligned(heading, rows, 1)}"
    )
