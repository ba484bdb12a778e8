"""Every level of Crunch on packages: plain, with modern cells, with the check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks.crunch.setting_scores import Means, measured
from winnow.evaluation.packages import Package
from winnow.evaluation.reporting.line_chart import from_zero, line_chart
from winnow.evaluation.tables import aligned
from winnow.extractors.crunch.relax_levels import LEVELS

VARIANTS: Final[Mapping[str, str]] = {
    "exact": ",check=false",
    "exact, check": "",
    "modern": ",modern=true,check=false",
    "modern, check": ",modern=true",
}
PEERS: Final = ("plain", "lqf")
COLUMNS: Final[Mapping[str, Callable[[Means], str]]] = {
    "word F1": lambda each: f"{each.f1:.3f}",
    "words kept": lambda each: f"{each.words:.0f}",
    "blank pages": lambda each: str(each.blank),
}

Found = Mapping[str, Sequence[Means]]


def found(packages: Sequence[Package]) -> tuple[Found, Mapping[str, Means]]:
    """The means of each variant by level, and those of the peers."""
    names = {
        variant: [f"crunch:level={level}{suffix}" for level in LEVELS]
        for variant, suffix in VARIANTS.items()
    }
    every = [*PEERS, *(name for listed in names.values() for name in listed)]
    means = measured(packages, every)
    by_level = {variant: [means[name] for name in listed] for variant, listed in names.items()}
    return by_level, {peer: means[peer] for peer in PEERS}


def table(by_level: Found, peers: Mapping[str, Means]) -> str:
    """Word F1, mean words kept and blank pages, a row for each level."""
    parts = []
    for title, shown in COLUMNS.items():
        rows = [
            (str(level), *(shown(by_level[variant][level - 1]) for variant in VARIANTS))
            for level in LEVELS
        ]
        peers_line = ", ".join(f"{peer} {shown(each)}" for peer, each in peers.items())
        parts.append(f"{title} ({peers_line})\n{aligned(('level', *VARIANTS), rows, 1)}")
    return "\n\n".join(parts)


def falls(by_level: Found) -> list[int]:
    """The levels from 4 on that keep fewer words than the level before, without the check."""
    means = by_level["exact"]
    return [level for level in LEVELS[3:] if means[level - 1].words < means[level - 2].words]


def chart(by_level: Found) -> str:
    """Mean words kept by level, a line for each variant."""
    lines = {
        variant: {level: by_level[variant][level - 1].words for level in LEVELS}
        for variant in VARIANTS
    }
    title = "Mean words kept at each of Crunch's levels"
    return line_chart(lines, title, "level", from_zero(lines, ",.0f"))
