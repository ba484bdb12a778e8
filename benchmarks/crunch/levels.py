"""Every level of Crunch on packages, plain, with modern cells, with the check: tables and a chart.

Knows what is printed; refuses to know how pages are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks.crunch.measuring import Means, measured
from winnow.evaluation.packages import Package
from winnow.evaluation.reporting.svg import Scale, colour, element, text
from winnow.evaluation.tables import aligned
from winnow.extractors.crunch.relax_levels import LEVELS

VARIANTS: Final[Mapping[str, str]] = {
    "exact": "",
    "exact, check": ",check=true",
    "modern": ",modern=true",
    "modern, check": ",modern=true,check=true",
}
PEERS: Final = ("plain", "lqf")
COLUMNS: Final[Mapping[str, Callable[[Means], str]]] = {
    "word F1": lambda each: f"{each.f1:.3f}",
    "words kept": lambda each: f"{each.words:.0f}",
    "blank pages": lambda each: str(each.blank),
}
WIDTH: Final = 620.0
HEIGHT: Final = 340.0

Found = Mapping[str, Sequence[Means]]


def found(packages: Sequence[Package]) -> tuple[Found, Mapping[str, Means]]:
    """The means of each variant by level, and those of the peers."""
    names = {
        variant: [f"crunch:level={level}{told}" for level in LEVELS]
        for variant, told in VARIANTS.items()
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
        said = ", ".join(f"{peer} {shown(each)}" for peer, each in peers.items())
        parts.append(f"{title} ({said})\n{aligned(('level', *VARIANTS), rows, 1)}")
    return "\n\n".join(parts)


def falls(by_level: Found) -> list[int]:
    """The levels from 4 on that keep fewer words than the level before, without the check."""
    means = by_level["exact"]
    return [level for level in LEVELS[3:] if means[level - 1].words < means[level - 2].words]


def chart(by_level: Found) -> str:
    """Mean words kept by level, a line for each variant."""
    words = {variant: [each.words for each in by_level[variant]] for variant in VARIANTS}
    most = max(max(values) for values in words.values())
    across = Scale(LEVELS[0], LEVELS[-1], 60, WIDTH - 20)
    down = Scale(0, most, HEIGHT - 70, 20)
    parts = [text("level", WIDTH / 2, HEIGHT - 34, text_anchor="middle")]
    for value in down.ticks():
        place = down(value)
        parts.append(element("line", x1=60, x2=WIDTH - 20, y1=place, y2=place, stroke="#ddd"))
        parts.append(text(f"{value:,.0f}", 54, place + 4, text_anchor="end"))
    for level in LEVELS:
        parts.append(text(str(level), across(level), HEIGHT - 52, text_anchor="middle"))
    for index, (variant, values) in enumerate(words.items()):
        parts += _line(index, variant, [(across(n), down(v)) for n, v in enumerate(values, 1)])
    return drawn("".join(parts), "Mean words kept at each of Crunch's levels")


def _line(index: int, name: str, places: Sequence[tuple[float, float]]) -> list[str]:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    stroke = colour(index)
    line = element("polyline", points=points, fill="none", stroke=stroke, stroke_width=2)
    return [line, text(name, 60 + 140 * index, HEIGHT - 10, style=f"fill:{stroke}")]


def drawn(inside: str, label: str, width: float = WIDTH, height: float = HEIGHT) -> str:
    """A chart as an image of its own."""
    return element(
        "svg",
        element("style", "text{font:12px sans-serif;fill:#1b1b1b}")
        + element("rect", width="100%", height="100%", fill="#fff")
        + inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_label=label,
    )
