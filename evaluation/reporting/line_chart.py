"""Lines over a number as an SVG image: learning curves, F1 by k, words by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from winnow.evaluation.reporting.svg import Scale, colour, element, image, text

WIDTH: Final = 640.0
HEIGHT: Final = 340.0
_LEFT, _BOTTOM = 56.0, 60.0
_LABEL_DISTANCE: Final = 22.0
"""Pixels between two labels of the x axis, at least."""

Lines = Mapping[str, Mapping[int, float]]
"""By name: y by x; x from 1 on."""


@dataclass(frozen=True, slots=True)
class YAxis:
    """The range of the y axis; ``number`` is the format specification of its labels."""

    low: float
    high: float
    number: str = ".2f"


def line_chart(
    lines: Lines, title: str, x_label: str, y_axis: YAxis, *, logarithmic: bool = False
) -> str:
    """A line for each name; ``logarithmic`` is of the x axis."""
    numbers = sorted({number for line in lines.values() for number in line})
    across = Scale(numbers[0], numbers[-1], _LEFT, WIDTH - 20, logarithmic)
    down = Scale(y_axis.low, y_axis.high, HEIGHT - _BOTTOM, 40)
    inside = [text(title, 10, 22, class_="title"), text(x_label, WIDTH / 2, HEIGHT - 26)]
    inside += [*_rows(down, y_axis.number), *_numbers(across, numbers)]
    for index, (name, line) in enumerate(lines.items()):
        place = _LEFT + (WIDTH - _LEFT) / len(lines) * index
        inside += [*_line(index, line, across, down), _name(index, name, place)]
    return image("".join(inside), WIDTH, HEIGHT, title)


def from_tenth(lines: Lines, top: float = 1.0, number: str = ".2f") -> YAxis:
    """From a whole tenth of ``top`` below the least value to ``top``."""
    least = min(min(line.values()) for line in lines.values())
    return YAxis(int(10 * least / top) * top / 10, top, number)


def _rows(down: Scale, number: str) -> list[str]:
    parts = []
    for value in down.ticks():
        place = down(value)
        parts.append(element("line", x1=_LEFT, x2=WIDTH - 20, y1=place, y2=place, class_="grid"))
        parts.append(text(format(value, number), _LEFT - 6, place + 4, class_="end"))
    return parts


def _numbers(across: Scale, numbers: Sequence[int]) -> list[str]:
    parts, last = [], -_LABEL_DISTANCE
    for number in numbers:
        if across(number) - last >= _LABEL_DISTANCE:
            last = across(number)
            parts.append(text(str(number), last, HEIGHT - _BOTTOM + 16))
    return parts


def _line(index: int, line: Mapping[int, float], across: Scale, down: Scale) -> list[str]:
    places = [(across(x), down(y)) for x, y in sorted(line.items())]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    stroke = colour(index)
    dots = [element("circle", cx=x, cy=y, r=2.5, fill=stroke) for x, y in places]
    return [
        element("polyline", points=points, fill="none", stroke=stroke, stroke_width=2),
        *dots,
    ]


def _name(index: int, name: str, place: float) -> str:
    return text(name, place, HEIGHT - 8, class_="start", style=f"fill:{colour(index)}")
