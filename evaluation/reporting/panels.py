"""Gottron's figures 1 to 3 over many packages and subjects, each an image of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from winnow.evaluation.measuring.statistic import mean
from winnow.evaluation.reporting.figures import WORD, FigureLine
from winnow.evaluation.reporting.svg import Scale, colour, element, image, note, text
from winnow.evaluation.running.runs import Summary

_ROW = 15.0
_LETTER = 6.2  # wide, on average
_NAMES, _PLOT, _VALUES = 128.0, 150.0, 42.0
_HEAD, _FOOT, _GAP = 24.0, 10.0, 18.0
_ACROSS = 3
_LEGEND = 30.0
_LOGARITHMIC = ", logarithmic"
Place = tuple[float, float, str]
Packages = Mapping[str, Sequence[FigureLine]]


@dataclass(frozen=True, slots=True)
class PanelBar:
    """A named value; ``about`` is half of its interval; ``group`` gives the colour."""

    name: str
    value: float
    group: str
    about: float = 0.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A subject by recall and precision."""

    name: str
    recall: float
    precision: float
    group: str


def likeness(packages: Packages, groups: Mapping[str, str]) -> str:
    """Figure 1: word F1 of each subject on each package, the best first."""
    panels = {
        f"{package} ({max(line.summary.pages for line in lines)} pages)": [
            PanelBar(
                line.summary.subject,
                line.summary.values[WORD],
                groups[line.summary.subject],
                line.estimate.plus_minus,
            )
            for line in lines
        ]
        for package, lines in packages.items()
    }
    return _grid("Word F1 by package, with 95 % intervals", panels, 1.0)


def steadiness(packages: Packages, groups: Mapping[str, str]) -> str:
    """Figure 3: deviation of word F1, and time, each the mean over the packages."""
    deviation = {name: _mean(packages, name, attrgetter("deviation")) for name in groups}
    parses = {name: _mean(packages, name, attrgetter("ratio")) for name in groups}
    kilobyte = {
        name: 1000 * _mean(packages, name, attrgetter("seconds_per_kilobyte")) for name in groups
    }
    panels = {
        "Deviation of word F1": _ranked(deviation, groups),
        f"Milliseconds per kB{_LOGARITHMIC}": _ranked(kilobyte, groups),
        f"Time in bare parses{_LOGARITHMIC}": _ranked(parses, groups),
    }
    return _grid("Steadiness and cost, means over the packages", panels, None)


def exactness(packages: Packages, groups: Mapping[str, str]) -> str:
    """Figure 2: precision against recall, the means over the packages."""
    dots = [
        Dot(
            name,
            _mean(packages, name, lambda found: found.values["word.recall"]),
            _mean(packages, name, lambda found: found.values["word.precision"]),
            group,
        )
        for name, group in groups.items()
    ]
    low = min((min(dot.recall, dot.precision) for dot in dots), default=0.0) - 0.03
    x, y = Scale(low, 1.0, 46.0, 760.0), Scale(low, 1.0, 560.0, 46.0)
    inside = [_heading("Precision against recall, means over the packages"), _axes(x, y)]
    inside += [_dot(dot, x, y, groups) for dot in dots]
    inside += _names(dots, x, y)
    inside.append(_legend(groups, 430.0))
    return image("".join(inside), 880.0, 606.0, "Precision against recall")


def _grid(title: str, panels: Mapping[str, Sequence[PanelBar]], top: float | None) -> str:
    kinds = list(dict.fromkeys(bar.group for bars in panels.values() for bar in bars))
    rows = max((len(bars) for bars in panels.values()), default=0)
    wide, high = _NAMES + _PLOT + _VALUES + _GAP, _HEAD + rows * _ROW + _FOOT
    inside = [_heading(title), _legend({kind: kind for kind in kinds}, 430.0)]
    for number, (name, bars) in enumerate(panels.items()):
        left, down = number % _ACROSS * wide, _LEGEND + number // _ACROSS * high
        inside.append(
            element(
                "g",
                _panel(name, bars, top, kinds),
                transform=f"translate({left:.0f} {down:.0f})",
            )
        )
    across = min(len(panels), _ACROSS)
    deep = -(-len(panels) // _ACROSS)
    return image("".join(inside), max(across * wide, 700.0), _LEGEND + deep * high, title)


def _panel(title: str, bars: Sequence[PanelBar], top: float | None, kinds: Sequence[str]) -> str:
    scale = _scale([bar.value for bar in bars], top, title.endswith(_LOGARITHMIC))
    rows = [_row(bar, _HEAD + index * _ROW, scale, kinds) for index, bar in enumerate(bars)]
    return text(title, 4, 15, class_="panel") + "".join(rows)


def _scale(values: Sequence[float], top: float | None, logarithmic: bool) -> Scale:
    highest = top or max(values, default=1.0) or 1.0
    low = max(min(values, default=1.0), 1e-3) / 2 if logarithmic else 0.0
    return Scale(low, highest, _NAMES, _NAMES + _PLOT, logarithmic=logarithmic)


def _row(bar: PanelBar, down: float, scale: Scale, kinds: Sequence[str]) -> str:
    middle, end = down + _ROW / 2, scale(bar.value)
    width = max(end - _NAMES, 0.5)
    fill = colour(kinds.index(bar.group))
    parts = [
        text(bar.name, _NAMES - 6, middle + 4, class_="end"),
        element(
            "rect",
            note(f"{bar.name}: {bar.value:.3g}"),
            **{"x": _NAMES, "y": down + 2, "width": width, "height": _ROW - 4, "fill": fill},
        ),
        text(f"{bar.value:#.3g}".rstrip("."), _NAMES + _PLOT + 6, middle + 4, class_="start"),
    ]
    if bar.about:
        left, right = scale(max(bar.value - bar.about, 0.0)), scale(bar.value + bar.about)
        right = min(right, _NAMES + _PLOT)
        parts.append(element("line", x1=left, x2=right, y1=middle, y2=middle, class_="about"))
    return "".join(parts)


def _dot(dot: Dot, x: Scale, y: Scale, groups: Mapping[str, str]) -> str:
    kinds = list(dict.fromkeys(groups.values()))
    caption = f"{dot.name}: recall {dot.recall:.3f}, precision {dot.precision:.3f}"
    place = {"cx": x(dot.recall), "cy": y(dot.precision), "fill": colour(kinds.index(dot.group))}
    return element("circle", note(caption), r=5, **place)


def _names(dots: Sequence[Dot], x: Scale, y: Scale) -> list[str]:
    """Names right of their dots, pushed down where they would lie upon each other."""
    found: list[str] = []
    taken: list[Place] = []
    for dot in sorted(dots, key=lambda dot: y(dot.precision)):
        across, down = x(dot.recall) + 9, y(dot.precision) + 4
        while any(_meet((across, down, dot.name), other) for other in taken):
            down += 2
        taken.append((across, down, dot.name))
        found.append(text(dot.name, across, down, class_="start"))
    return found


def _meet(one: Place, other: Place) -> bool:
    """Whether two texts would lie upon each other."""
    (left, down, name), (start, place, named) = one, other
    apart = left > start + _LETTER * len(named) or start > left + _LETTER * len(name)
    return not apart and abs(down - place) < 12


def _axes(x: Scale, y: Scale) -> str:
    lines = []
    for tick in x.ticks():
        lines.append(
            element("line", x1=x(tick), x2=x(tick), y1=y.start, y2=y.end, class_="grid")
            + text(f"{tick:.2g}", x(tick), y.start + 15)
        )
    for tick in y.ticks():
        lines.append(
            element("line", x1=x.start, x2=x.end, y1=y(tick), y2=y(tick), class_="grid")
            + text(f"{tick:.2g}", x.start - 6, y(tick) + 4, class_="end")
        )
    lines.append(text("recall", (x.start + x.end) / 2, y.start + 36))
    lines.append(text("precision", x.start, y.end - 6, class_="start"))
    return "".join(lines)


def _heading(title: str) -> str:
    return text(title, 4, 18, class_="title")


def _legend(groups: Mapping[str, str], left: float) -> str:
    parts = []
    for index, kind in enumerate(dict.fromkeys(groups.values())):
        at = left + index * 130
        parts.append(element("rect", x=at, y=8, width=11, height=11, fill=colour(index)))
        parts.append(text(kind, at + 16, 18, class_="start"))
    return "".join(parts)


def _ranked(values: Mapping[str, float], groups: Mapping[str, str]) -> list[PanelBar]:
    return [
        PanelBar(name, value, groups[name])
        for name, value in sorted(values.items(), key=lambda item: item[1])
    ]


def _mean(packages: Packages, name: str, of: Callable[[Summary], float]) -> float:
    return mean([of(line.summary) for line in _of(packages, name)])


def _of(packages: Packages, name: str) -> list[FigureLine]:
    return [line for lines in packages.values() for line in lines if line.summary.subject == name]
