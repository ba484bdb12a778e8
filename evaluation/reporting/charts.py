"""The charts of a report, after Gottron's figures 1 to 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winnow.evaluation.reporting.svg import Scale, colour, element, figure, note, text

_BAR = 14.0
_LETTER = 6.2  # wide, at most, on average
_LEFT, _TOP, _BOTTOM, _RIGHT = 48.0, 26.0, 46.0, 130.0
_HEIGHT = 240.0
_WIDTH = 560.0


@dataclass(frozen=True, slots=True)
class Point:
    """A subject in a scatter: ``x`` and ``y`` in the axes' units, its colour's number."""

    name: str
    x: float
    y: float
    colour: int


def bars(
    title: str,
    groups: Mapping[str, Mapping[str, float]],
    unit: str = "",
    names: Sequence[str] = (),
) -> str:
    """Groups of bars side by side: group name to bar name to value, from 0 up.

    ``names`` gives the bars' order and colours; without it the groups do.
    """
    names = names or list(dict.fromkeys(name for group in groups.values() for name in group))
    top = max((value for group in groups.values() for value in group.values()), default=0.0)
    wide = _BAR * len(names) + 18
    right = _room(names)
    width = max(_LEFT + wide * len(groups) + right, 190.0 + right)
    scale = Scale(0.0, _ceiling(top), _HEIGHT - _BOTTOM, _TOP)
    inside = [_title(title), _grid_lines(scale, width - right)]
    for number, (group, values) in enumerate(groups.items()):
        left = _LEFT + 9 + number * wide
        for index, name in enumerate(names):
            if name in values:
                note = f"{name}: {values[name]:.3g}{unit}"
                inside.append(
                    _bar(left + _BAR * index, scale(0.0), scale(values[name]), index, note)
                )
        inside.append(_group_name(group, left + _BAR * len(names) / 2, len(groups)))
    inside += _legend(names, width - right)
    return figure("".join(inside), width, _HEIGHT, title)


def scatter(
    title: str, points: Sequence[Point], across: str, up: str, logarithmic: bool = False
) -> str:
    """Named points; ``across`` and ``up`` name the axes."""
    right, edge = _room([point.name for point in points]), _WIDTH - _RIGHT
    x = _fitted([point.x for point in points], _LEFT, edge, logarithmic)
    y = _fitted([point.y for point in points], _HEIGHT - _BOTTOM + 60, _TOP + 14)
    height = _HEIGHT + 60
    inside = [_title(title), _grid_lines(y, edge), _ticks_below(x, height)]
    inside.append(text(across, (_LEFT + edge) / 2, height - 6, class_="axis"))
    inside.append(text(up, _LEFT, _TOP + 6, class_="start"))
    for point in points:
        place = {"cx": x(point.x), "cy": y(point.y)}
        caption = f"{point.name}: {across} {point.x:.3g}, {up} {point.y:.3f}"
        inside.append(element("circle", note(caption), **place, r=5, fill=colour(point.colour)))
    inside += _labels(points, x, y)
    return figure("".join(inside), edge + right, height, title)


def _title(title: str) -> str:
    return text(title, 4, 13, class_="title")


def _bar(left: float, base: float, top: float, index: int, caption: str) -> str:
    size = {"width": _BAR - 2, "height": max(base - top, 0.5)}
    return element("rect", note(caption), x=left, y=top, **size, fill=colour(index))


def _group_name(name: str, middle: float, groups: int) -> str:
    base = _HEIGHT - _BOTTOM + 14
    turned = {"transform": f"rotate(-18 {middle:.1f} {base:.1f})"} if groups > 3 else {}
    return text(name, middle, base, class_="end" if turned else "axis", **turned)


def _grid_lines(scale: Scale, right: float) -> str:
    lines = []
    for tick in scale.ticks():
        place = scale(tick)
        lines.append(element("line", x1=_LEFT, x2=right, y1=place, y2=place, class_="grid"))
        lines.append(text(f"{tick:g}", _LEFT - 6, place + 4, class_="end"))
    return "".join(lines)


def _ticks_below(scale: Scale, height: float) -> str:
    base = height - _BOTTOM
    return "".join(
        element("line", x1=scale(tick), x2=scale(tick), y1=_TOP + 14, y2=base, class_="grid")
        + text(f"{tick:g}", scale(tick), base + 15, class_="axis")
        for tick in scale.ticks()
    )


def _room(names: Sequence[str]) -> float:
    """What names in a legend, or beside points, need."""
    return max(_RIGHT, 34 + _LETTER * max(map(len, names), default=0))


def _legend(names: Sequence[str], chart: float) -> list[str]:
    left = chart + 10
    found = []
    for index, name in enumerate(names):
        top = _TOP + index * 17
        found.append(element("rect", x=left, y=top, width=11, height=11, fill=colour(index)))
        found.append(text(name, left + 16, top + 10, class_="start"))
    return found


def _labels(points: Sequence[Point], x: Scale, y: Scale) -> list[str]:
    """Names to the right of their points, pushed down where they would lie upon each other."""
    found = []
    taken: list[tuple[float, float]] = []
    for point in sorted(points, key=lambda point: y(point.y)):
        across, down = x(point.x) + 8, y(point.y) + 4
        while any(abs(down - other) < 12 and abs(across - left) < 90 for left, other in taken):
            down += 3
        taken.append((across, down))
        found.append(text(point.name, across, down, class_="start"))
    return found


def _fitted(values: Sequence[float], start: float, end: float, logarithmic: bool = False) -> Scale:
    low, high = min(values), max(values)
    if logarithmic:
        return Scale(max(low, 1e-3) / 2, max(high, 1e-3) * 2, start, end, logarithmic=True)
    margin = max((high - low) * 0.1, 0.02)
    return Scale(low - margin, high + margin, start, end)


def _ceiling(top: float) -> float:
    return 1.0 if 0.4 < top <= 1 else top * 1.05 or 1.0
