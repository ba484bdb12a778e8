"""Small plots as SVG: strips, curves and bars, coloured by the page's stylesheet. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from markupsafe import Markup

from winnow.features.compare.jobs import ChartBar, Curve
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.method_words import method_words
from winnow.proxy.own.translation import _

WIDTH, HEIGHT = 480, 150
_TEMPLATE: Final = page_template(__package__, "plot.html")


class Shape(NamedTuple):
    """A rectangle; ``kind``: its class."""

    kind: str
    x: float | str
    y: float | str
    width: float | str
    height: float | str
    opacity: str = ""


def strip(shares: str, label: str) -> Markup:
    """The kept parts of a page, from left to right; ``shares`` are digits 0 to 9."""
    size, shapes, start = {"width": max(len(shares), 1), "height": 10}, [], 0
    for share, run in groupby(map(int, shares)):
        end = start + len(list(run))
        if share:
            shapes.append(Shape("kept", start, 0, end - start, 10, f"{share / 9:.2f}"))
        start = end
    return _TEMPLATE(is_strip=True, shapes=shapes, points="", label=label, **size)


def curve(shown: Curve) -> Markup:
    """A curve with its chosen areas shaded behind it."""
    areas = [
        Shape("area", _px(low, WIDTH), 0, _px(high - low, WIDTH), HEIGHT)
        for low, high in shown.areas
    ]
    points = " ".join(f"{_px(x, WIDTH)},{_px(1 - y, HEIGHT)}" for x, y in shown.points)
    return _plot(areas, f"{method_words(shown.title)}. {method_words(shown.caption)}", points)


def bars(shown: Sequence[ChartBar]) -> Markup:
    """Blocks in page order: height is words, red those in links, grey the removed."""
    tallest = max((bar.words for bar in shown), default=1)
    step = WIDTH / max(len(shown), 1)
    shapes = [each for at, bar in enumerate(shown) for each in _bar(bar, at * step, step, tallest)]
    return _plot(shapes, _("The page’s blocks in order: height is the number of words."))


def _bar(bar: ChartBar, x: float, step: float, tallest: int) -> Iterator[Shape]:
    height = max(HEIGHT * (bar.words / tallest) ** 0.5, 2.0)
    width = f"{max(step - 0.6, 0.4):.1f}"
    for kind, high in (
        ("kept" if bar.kept >= 0.5 else "gone", height),
        ("links", height * bar.linked),
    ):
        if kind != "links" or high >= 0.5:
            yield Shape(kind, f"{x:.1f}", f"{HEIGHT - high:.1f}", width, f"{high:.1f}")


def _plot(shapes: Sequence[Shape], label: str, points: str = "") -> Markup:
    size = {"width": WIDTH, "height": HEIGHT}
    return _TEMPLATE(is_strip=False, shapes=shapes, points=points, label=label, **size)


def _px(share: float, size: int) -> str:
    return f"{share * size:.1f}".removesuffix(".0")
