"""The learning curve as an image, like the paper's figure 2. Knows numbers; no pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from winnow.evaluation.reporting.svg import Scale, colour, element, text

WIDTH: Final = 560.0
HEIGHT: Final = 320.0


def chart(curves: Mapping[str, Sequence[float]]) -> str:
    """Word F1 in % by number of training sources, from 1; a line for each name."""
    most = max(len(values) for values in curves.values())
    lowest = min(min(values) for values in curves.values())
    across = Scale(1, most, 50, WIDTH - 20)
    down = Scale(10 * (lowest // 10), 100, HEIGHT - 60, 20)
    parts = [*_axes(across, down, most), *_lines(curves, across, down)]
    return element(
        "svg",
        element("style", "text{font:12px sans-serif;fill:#1b1b1b}")
        + element("rect", width="100%", height="100%", fill="#fff")
        + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        role="img",
        aria_label="Word F1 against the number of training sources",
    )


def _axes(across: Scale, down: Scale, most: int) -> list[str]:
    parts = [text("number of training sources", WIDTH / 2, HEIGHT - 24, text_anchor="middle")]
    for value in down.ticks():
        place = down(value)
        parts.append(element("line", x1=50, x2=WIDTH - 20, y1=place, y2=place, stroke="#ddd"))
        parts.append(text(f"{value:.0f} %", 44, place + 4, text_anchor="end"))
    for count in range(1, most + 1):
        parts.append(text(str(count), across(count), HEIGHT - 42, text_anchor="middle"))
    return parts


def _lines(curves: Mapping[str, Sequence[float]], across: Scale, down: Scale) -> list[str]:
    parts = []
    for index, (name, values) in enumerate(curves.items()):
        points = " ".join(
            f"{across(count):.1f},{down(value):.1f}" for count, value in enumerate(values, 1)
        )
        stroke = colour(index)
        line = element("polyline", points=points, fill="none", stroke=stroke, stroke_width=2)
        parts.append(line)
        parts.append(text(name, 60 + 170 * index, HEIGHT - 6, style=f"fill:{colour(index)}"))
    return parts
