"""SVG as strings: elements, scales, the palette.

evaluation, benchmarks and docs draw with it. The proxy may not import evaluation, so the plots of
its own pages (``features/compare/templates/plots.py``) are written there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

PALETTE = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"),
    *("#7f7f7f", "#8c564b", "#6a3d9a", "#b2df8a", "#1b1b1b", "#f0e442"),
)
"""Okabe and Ito's colours first: distinct for colour-blind readers too."""


def colour(index: int) -> str:
    """The colour of the ``index``-th thing, the same in every chart of a report."""
    return PALETTE[index % len(PALETTE)]


def element(name: str, inside: str = "", **attributes: object) -> str:
    """One element; a trailing or inner underscore of an attribute's name is a hyphen or nothing."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_shown(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{inside}</{name}>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """A text at a place."""
    return element("text", escape(words), x=x, y=y, **attributes)


def note(words: str) -> str:
    """The tooltip of the surrounding element."""
    return element("title", escape(words))


def figure(inside: str, width: float, height: float, label: str) -> str:
    """An image of its own that shrinks with the page to what can be read, then scrolls."""
    drawn = element(
        "svg",
        note(label) + inside,
        viewBox=f"0 0 {_shown(width)} {_shown(height)}",
        role="img",
        aria_label=label,
        style=f"max-width: {_shown(width)}px; min-width: {_shown(0.7 * width)}px",
    )
    return element("div", drawn, class_="chart")


_STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#1c1c1c;text-anchor:middle}"
    ".title{font-size:15px;font-weight:600;text-anchor:start}"
    ".panel{font-size:12px;font-weight:600;text-anchor:start}"
    ".start{text-anchor:start}.end{text-anchor:end}"
    ".grid{stroke:#d9d9d9}.about{stroke:#1c1c1c;stroke-width:1.5}"
)


def image(inside: str, width: float, height: float, label: str, style: str = _STYLE) -> str:
    """A file of its own, on white."""
    paper = element("rect", width="100%", height="100%", fill="#fff")
    return element(
        "svg",
        note(label) + element("style", style) + paper + inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_shown(width)} {_shown(height)}",
        width=_shown(width),
        height=_shown(height),
        role="img",
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """From values in ``low``..``high`` to places in ``start``..``end``; logarithmic on demand."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The place of a value."""
        low, high, value = self._on(self.low), self._on(self.high), self._on(value)
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self) -> Sequence[float]:
        """Round values to mark: about five, or the powers of ten with 2 and 5 between."""
        if not self.logarithmic:
            return _linear_ticks(self.low, self.high)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        round_values = [step * 10.0**power for power in powers for step in (1, 2, 5)]
        return [value for value in round_values if self.low <= value <= self.high]

    def _on(self, value: float) -> float:
        return math.log10(max(value, 1e-9)) if self.logarithmic else value


def _linear_ticks(low: float, high: float) -> Sequence[float]:
    span = high - low or 1.0
    step = 10 ** math.floor(math.log10(span))
    for finer in (5, 2, 1, 0.5):
        if span / (step / finer) <= 6:
            step /= finer
            break
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _shown(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
