"""``python -m benchmarks.hostile_pages``: how CPU grows with pages that are made to be dear."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Final

from benchmarks.methods import growths
from winnow.document.document import Document
from winnow.document.errors import TooComplexError
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Format, Page, Recipe
from winnow.evaluation.tables import aligned
from winnow.extractors.registry import make

METHODS: Final = ("auto", "bte", "dsc", "lqf", "simple-mss", "crunch", "mss", "memory", "layout")
SIZES: Final = (10_000, 100_000, 1_000_000)
_DEEP: Final = 240


def _filled(unit: str, before: str = "", behind: str = "") -> Callable[[int], str]:
    """A page of one thing, repeated up to a size."""
    return lambda size: before + unit * max((size - len(before + behind)) // len(unit), 1) + behind


def _numbered(unit: str) -> Callable[[int], str]:
    return lambda size: "".join(unit.format(number) for number in range(size // (len(unit) + 3)))


SHAPES: Final = {
    "nested to the limit": _filled("<ul><li>a" * (_DEEP // 2) + "</ul>" * (_DEEP // 2)),
    "tables in tables": _filled("<table><tr><td>a" * 80 + "</table>" * 80),
    "siblings": _filled("<p>a</p>"),
    "inline siblings": _filled("<b>a</b> "),
    "text without spaces": _filled("a", "<p>"),
    "unclosed": _filled("<p>a<li>b<dd>c<option>"),
    "links": _numbered("<a href=/{0}>link {0}</a>"),
    "headings": _numbered("<h2 id=h{0}>heading {0}</h2><p>words of it"),
    "attributes": _filled(f"<p {' '.join(f'a{n}=b' for n in range(900))}>a</p>"),
    "images": _numbered("<img src=/{0}.jpg alt=a><p>a"),
    "nested too deep": _filled("<ul><li>"),
    "entities": _filled("&amp;&#x61;&notin;", "<p>"),
}


def main() -> int:
    """Print a table a shape."""
    options = _parser().parse_args()
    works = {name: _extracting(name) for name in options.extractor or METHODS}
    works |= {f"auto to {fmt.value}": _showing(fmt) for fmt in options.format or ()}
    for shape in options.shape or SHAPES:
        pages = [SHAPES[shape](size).encode() for size in options.size or SIZES]
        heading = (shape, *(f"{len(page) // 1000} kB" for page in pages), "exponent")
        rows = [
            (grown.method, *(f"{one:.2f}" for one in grown.per_kilobyte), f"{grown.exponent:.3f}")
            for grown in growths(pages, works)
        ]
        sys.stdout.write(aligned(heading, rows, 1) + "\n\n")
        sys.stdout.flush()
    return 0


def _extracting(name: str) -> Callable[[bytes], object]:
    extractor = make(name)

    def work(body: bytes) -> object:
        try:
            return extractor.extract(Document.parse(Page(body)))
        except TooComplexError:
            return None

    return work


def _showing(fmt: Format) -> Callable[[bytes], object]:
    extractor, renderer = make(Recipe().extractor), renderer_for(Recipe(format=fmt))

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
    add("--format", action="append", type=Format, help="show auto's pages so, too")
    add("--size", action="append", type=int, metavar="BYTES")
    return parser


if __name__ == "__main__":
    sys.exit(main())
