"""``python -m benchmarks.hostile_pages``: how CPU grows with pages that are made to be dear.

For each shape (benchmarks.hostile_shapes) prints CPU microseconds a kB at each size and e of time
~ size ** e, of every method and every form of output; then the largest e of each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Final

from benchmarks.hostile_shapes import SHAPES
from benchmarks.methods import Growth, growths
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Format, MethodOptions, Page, Profile, Recipe
from winnow.evaluation.tables import aligned
from winnow.extractors.registry import BUILT_IN, make

RENDERED: Final = {
    **{f"auto to {each.value}": Recipe(format=each) for each in Format},
    **{f"auto to {each.value}": Recipe(profile=each) for each in (Profile.BASIC, Profile.VOICE)},
    "auto to a live page": Recipe(
        "crunch", Format.PRUNED, options=MethodOptions(level=12), live=True
    ),
}
SIZES: Final = (30_000, 60_000, 120_000)


def main() -> int:
    """Print a table a shape, then one of all."""
    asked = _parser().parse_args()
    works = {name: _extracting(name) for name in asked.extractor or BUILT_IN}
    works |= {name: _showing(RENDERED[name]) for name in asked.rendered or RENDERED}
    for work in works.values():
        work(b"<p>a")  # imports and lazy tables
    largest: list[tuple[str, ...]] = []
    for shape in asked.shape or SHAPES:
        pages = [SHAPES[shape](size).encode() for size in asked.size or SIZES]
        heading = (shape, *(f"{len(page) // 1000} kB" for page in pages), "exponent")
        grown = list(growths(pages, works))
        sys.stdout.write(aligned(heading, list(map(_row, grown)), 1) + "\n\n")
        sys.stdout.flush()
        worst = max(grown, key=lambda each: each.exponent)
        slowest = max(grown, key=lambda each: each.per_kilobyte[-1])
        largest.append(
            (
                shape,
                worst.method,
                f"{worst.exponent:.3f}",
                slowest.method,
                f"{slowest.per_kilobyte[-1]:.0f}",
            )
        )
    heading = ("shape", "largest exponent of", "it is", "slowest", "us/kB")
    sys.stdout.write(aligned(heading, largest, 1) + "\n")
    return 0


def _row(grown: Growth) -> tuple[str, ...]:
    return grown.method, *(f"{one:.2f}" for one in grown.per_kilobyte), f"{grown.exponent:.3f}"


def _extracting(name: str) -> Callable[[bytes], object]:
    extractor = make(name)

    def work(body: bytes) -> object:
        try:
            return extractor.extract(Document.parse(Page(body)))
        except TooComplexError:
            return None

    return work


def _showing(recipe: Recipe) -> Callable[[bytes], object]:
    extractor, renderer = make(Recipe().extractor), renderer_for(recipe)

    def work(body: bytes) -> object:
        try:
            document = Document.parse(Page(body, "http://site.example/a"))
        except TooComplexError:
            return None
        return renderer.render(document, extractor.extract(document))

    return work


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile_pages", description=__doc__)
    add = parser.add_argument
    add("--shape", action="append", choices=list(SHAPES), help="these only; may be repeated")
    add("--extractor", action="append", metavar="NAME", help="these only; may be repeated")
    add("--rendered", action="append", choices=list(RENDERED), help="these only; may be repeated")
    add("--size", action="append", type=int, metavar="BYTES")
    return parser


if __name__ == "__main__":
    sys.exit(main())
