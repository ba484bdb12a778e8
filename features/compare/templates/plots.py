"""Small plots as SVG: strips, curves and bars, coloured by the page's stylesheet. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from winnow.features.compare.jobs import ChartBar, Curve
from winnow.proxy.own.templates.method_words import method_words
from winnow.proxy.own.translation import _

WIDTH, HEIGHT = 480, 150


def strip(shares: str, label: str) -> Markup:
    """The kept parts of a page, from left to right; ``shares`` are digits 0 to 9."""
    rectangles = Markup("").join(
        Markup('<rect class="kept" x="{}" y="0" width="{}" height="10" opacity="{}"/>').format(
            start, end - start, f"{share / 9:.2f}"
        )
        for start, end, share in _runs(shares)
        if share
    )
    return Markup(
        '<svg class="strip" viewBox="0 0 {} 10" preserveAspectRatio="none" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(max(len(shares), 1), label, rectangles)


def _runs(shares: str) -> list[tuple[int, int, int]]:
    runs: list[tuple[int, int, int]] = []
    for place, share in enumerate(map(int, shares)):
        if runs and runs[-1][2] == share:
            runs[-1] = (runs[-1][0], place + 1, share)
        else:
            runs.append((place, place + 1, share))
    return runs


def curve(shown: Curve) -> Markup:
    """A curve with its chosen areas shaded behind it."""
    areas = Markup("").join(
        Markup('<rect class="area" x="{}" y="0" width="{}" height="{}"/>').format(
            _px(low, WIDTH), _px(high - low, WIDTH), HEIGHT
        )
        for low, high in shown.areas
    )
    points = " ".join(f"{_px(x, WIDTH)},{_px(1 - y, HEIGHT)}" for x, y in shown.points)
    line = Markup('<polyline class="curve" points="{}"/>').format(points)
    return _plot(areas + line, f"{method_words(shown.title)}. {method_words(shown.caption)}")


def bars(shown: Sequence[ChartBar]) -> Markup:
    """Blocks in page order: height is words, red those in links, grey the removed."""
    tallest = max((bar.words for bar in shown), default=1)
    step = WIDTH / max(len(shown), 1)
    drawn = Markup("").join(
        _bar(bar, index * step, step, tallest) for index, bar in enumerate(shown)
    )
    return _plot(drawn, _("The page’s blocks in order: height is the number of words."))


def _bar(bar: ChartBar, x: float, step: float, tallest: int) -> Markup:
    height = max(HEIGHT * (bar.words / tallest) ** 0.5, 2.0)
    linked = height * bar.linked
    kind = "kept" if bar.kept >= 0.5 else "gone"
    shape = Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>')
    width = f"{max(step - 0.6, 0.4):.1f}"
    drawn = shape.format(kind, f"{x:.1f}", f"{HEIGHT - height:.1f}", width, f"{height:.1f}")
    if linked < 0.5:
        return drawn
    return drawn + shape.format(
        "links", f"{x:.1f}", f"{HEIGHT - linked:.1f}", width, f"{linked:.1f}"
    )


def _plot(inside: Markup, label: str) -> Markup:
    return Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, label, inside
    )


def _px(share: float, size: int) -> str:
    return f"{share * size:.1f}".removesuffix(".0")
