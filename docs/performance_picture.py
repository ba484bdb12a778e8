"""Draws docs/images/accuracy-and-cpu.svg: word F1 against CPU a page, ours beside every peer.

``python -m docs.performance_picture`` reads the figures that are committed, the model's own among
them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, read
from winnow.evaluation.reporting.svg import Scale, colour, element, image, note, text
from winnow.extractors.registry import DEFAULT

HERE: Final = Path(__file__).parent
FIGURES: Final = HERE.parent / "benchmarks" / "figures_data"
MODELS: Final = HERE.parent / "extractors" / "models"
TARGET: Final = HERE / "images" / "accuracy-and-cpu.svg"
PACKAGE: Final = "wcxb-dev"
PEERS: Final = frozenset(
    {
        *("boilerpy3", "goose3", "inscriptis", "justext", "newspaper4k", "readability-js"),
        *("readability-linkedom", "readability-lxml", "resiliparse", "trafilatura"),
    }
)
_WIDTH, _HEIGHT = 760.0, 440.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 130.0, 44.0, 54.0
_LINE: Final = 12.0  # between two names at least


def picture(figures: Sequence[Figure]) -> str:
    """Word F1 upwards, CPU in bare lexbor parses of the same pages to the right, logarithmic."""
    x = Scale(2, 500, _LEFT, _WIDTH - _RIGHT, logarithmic=True)
    y = Scale(0.4, 0.95, _HEIGHT - _BOTTOM, _TOP)
    title = f"Word F1 against CPU on {PACKAGE}: up is better, left is cheaper"
    inside = [text(title, 8.0, 20.0, class_="title"), *_grid(x, y)]
    inside += [_point(figure, x, y) for figure in figures]
    inside += _names(figures, x, y)
    across = "CPU from bytes to text, in bare lexbor parses of the same pages"
    inside.append(text(across, (_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12))
    return image("".join(inside), _WIDTH, _HEIGHT, title)


def _grid(x: Scale, y: Scale) -> list[str]:
    drawn = []
    for value in y.ticks():
        edge, up = _WIDTH - _RIGHT, y(value)
        drawn.append(element("line", x1=_LEFT, x2=edge, y1=up, y2=up, class_="grid"))
        drawn.append(text(f"{value:.1f}", 30.0, up + 4))
    for value in x.ticks():
        drawn.append(text(f"{value:g}", x(value), _HEIGHT - _BOTTOM + 18))
    return drawn


def _point(figure: Figure, x: Scale, y: Scale) -> str:
    title = note(f"{figure['subject']}: F1 {figure['f1']:.3f}, {figure['ratio']:.1f} parses")
    across, up = x(float(figure["ratio"])), y(float(figure["f1"]))
    kind = colour(int(figure["subject"] in PEERS))
    return element("circle", title, cx=across, cy=up, r=5, fill=kind)


def _names(figures: Sequence[Figure], x: Scale, y: Scale) -> list[str]:
    """Beside their points, moved down where one would stand on another."""
    drawn: list[str] = []
    placed: list[tuple[float, float]] = []
    for figure in sorted(figures, key=lambda figure: -float(figure["f1"])):
        left, top = x(float(figure["ratio"])) + 9, y(float(figure["f1"])) + 4
        while any(abs(left - a) < 80 and abs(top - b) < _LINE for a, b in placed):
            top += _LINE / 2
        placed.append((left, top))
        drawn.append(text(str(figure["subject"]), left, top, class_="start"))
    return drawn


def committed() -> list[Figure]:
    """The figures of all pages of the package, whatever their type; ``auto``'s from elsewhere."""
    rows = read("peers", FIGURES)
    found = [one for one in rows if (one["package"], one["page_type"]) == (PACKAGE, "")]
    return [*(one for one in found if one["subject"] != DEFAULT), _learned()]


def _learned() -> Figure:
    """``auto`` has learned from this package: its F1 is the cross-validated one of its training."""
    title = json.loads((MODELS / DEFAULT / "manifest.json").read_text("utf-8"))
    (cost,) = (one for one in read("methods", FIGURES) if one["method"] == DEFAULT)
    return {"subject": DEFAULT, "f1": title["word_f1"][PACKAGE], "ratio": cost["ratio"]}


def main() -> int:
    TARGET.write_text(picture(committed()) + "\n", encoding="utf-8")
    sys.stdout.write(f"{TARGET.relative_to(HERE.parent)} was drawn.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
