"""``python -m benchmarks.comment_folding PACKAGE... [--every N]``: word F1 by comments alone.

The text of `auto` with readers' comments kept and folded, compared with each package's gold. Some
gold has comments and some has none: the difference says which.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from winnow.document.document import Document
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Comments, Page, Recipe
from winnow.engine.pipeline import extracted
from winnow.evaluation.measures import word_f1
from winnow.evaluation.packages import PackageEntry, found, load
from winnow.evaluation.progress import watched
from winnow.evaluation.tables import aligned
from winnow.extractors.registry import DEFAULT

_MUCH: Final = 0.02
"""A difference of a page's F1 that is counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each package."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comment_folding")
    parser.add_argument("package", nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    given = parser.parse_args(arguments)
    lines = []
    for package in map(load, found(given.package)):
        names = package.ids[:: given.every]
        pages = (package.entry(name) for name in watched(names, len(names), "pages"))
        lines.append([package.name, *map(str, row([scores(page) for page in pages]))])
    columns = ["package", "pages", "kept", "folded", "gain", "better", "worse"]
    sys.stdout.write(aligned(columns, lines, 1) + "\n")
    return 0


def scores(entry: PackageEntry) -> tuple[float, float]:
    """Word F1 of a page's text with comments kept and with comments folded."""
    document = Document.parse(Page(entry.body, entry.url))
    kept, folded = (_f1(document, entry, choice) for choice in (Comments.KEEP, Comments.FOLD))
    return kept, folded


def _f1(document: Document, entry: PackageEntry, choice: Comments) -> float:
    extraction = extracted(document, Recipe(DEFAULT, comments=choice))[1]
    return word_f1(RenderContext.of(document, extraction).text(), entry.gold).f1


def row(pages: Sequence[tuple[float, float]]) -> tuple[int, str, str, str, int, int]:
    """Pages, both means, their difference, and the pages that are better and worse by _MUCH."""
    kept, folded = (sum(each) / max(len(pages), 1) for each in zip(*pages, strict=True))
    gains = [after - before for before, after in pages]
    better, worse = (sum(sign * gain > _MUCH for gain in gains) for sign in (1, -1))
    return len(pages), f"{kept:.4f}", f"{folded:.4f}", f"{folded - kept:+.4f}", better, worse


if __name__ == "__main__":
    sys.exit(main())
