"""F as lines over a number: learning curves, and F by k. Knows numbers; no pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from winnow.evaluation.reporting.svg import Scale, colour, element, image, text

WIDTH: Final = 640.0
HEIGHT: Final = 340.0
_LEFT, _BOTTOM = 50.0, 60.0
_APART: Final = 22.0
"""Numbers nearer to each other than this are not both written."""

Lines = Mapping[str, Mapping[int, float]]
"""By name: F in 0..1 by a number from 1."""


def chart(lines: Lines, title: str, under: str, logarithmic: bool = False) -> str:
    """An image with a line for each name; ``under``: what the numbers below are."""
    numbers = sorted({number for line in lines.values() for number in line})
    across = Scale(numbers[0], numbers[-1], _LEFT, WIDTH - 20, logarithmic)
    lowest = min(value for line in lines.values() for value in line.values())
    down = Scale(int(10 * lowest) / 10, 1.0, HEIGHT - _BOTTOM, 40)
    inside = [text(title, 10, 22, class_="title"), *_axes(across, down, numbers, under)]
    for index, (name, line) in enumerate(lines.items()):
        inside += _line(index, name, line, across, down)
    return image("".join(inside), WIDTH, HEIGHT, title)


def _axes(across: Scale, down: Scale, numbers: Sequence[int], under: str) -> list[str]:
    parts = [text(under, WIDTH / 2, HEIGHT - 26)]
    for value in down.ticks():
        place = down(value)
        parts.append(element("line", x1=_LEFT, x2=WIDTH - 20, y1=place, y2=place, class_="grid"))
        parts.append(text(f"{value:.2f}", _LEFT - 6, place + 4, class_="end"))
    last = -_APART
    for number in numbers:
        if across(number) - last >= _APART:
            last = across(number)
            parts.append(text(str(number), last, HEIGHT - _BOTTOM + 16))
    return parts


def _line(
    index: int, name: str, line: Mapping[int, float], across: Scale, down: Scale
) -> list[str]:
    points = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in sorted(line.items()))
    drawn = element("polyline", points=points, fill="none", stroke=colour(index), stroke_width=2)
    dots = [
        element("circle", cx=across(x), cy=down(y), r=2.5, fill=colour(index))
        for x, y in line.items()
    ]
    told = text(
        name, _LEFT + 190 * index, HEIGHT - 8, class_="start", style=f"fill:{colour(index)}"
    )
    return [drawn, *dots, told]
