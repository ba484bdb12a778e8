"""``python -m tests.definitions.vips_oracle PACKAGE... [--pages N]``: VIPS by its paper's measure.

For each granularity the mean number of blocks and word F1 of the block with the best F1, which no
program can choose (Pasternack & Roth 2009, section 7.6), and of the blocks that ``words`` and
``auto`` choose. Needs Chromium. Articles alone count where a package names page types.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from statistics import fmean

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.gold.packages import PackageEntry, find, load
from winnow.evaluation.measuring.measures import word_score
from winnow.evaluation.measuring.words import words
from winnow.evaluation.running.task_runner import sample
from winnow.extractors.errors import LayoutError
from winnow.extractors.vips.block_scoring import SCORES, pieces_of
from winnow.extractors.vips.browser_pool import shared
from winnow.extractors.vips.content_structure import content_structure
from winnow.extractors.vips.visual_tree import VisualTree

GRANULARITIES = range(1, 11)
Row = tuple[float, ...]
"""Blocks, and F1 of the best one, by ``words``, by ``auto``."""
NOTHING: Row = (0, 0, 0, 0)


def scored(entry: PackageEntry) -> list[Row]:
    """A page's row for each granularity."""
    document = Document.parse(Page(entry.body, entry.url))
    with suppress(LayoutError):
        tree = VisualTree(document, shared(document))
        return [_row(tree, entry.gold, granularity) for granularity in GRANULARITIES]
    return [NOTHING for _ in GRANULARITIES]


def _row(tree: VisualTree, gold: str, granularity: int) -> Row:
    blocks = content_structure(tree, granularity)
    if not blocks:
        return NOTHING
    document, wanted = tree.document, words(gold)
    bounds = zip(document.pieces.start.tolist(), document.pieces.end.tolist(), strict=True)
    held = [Counter(words(document.plain(*each))) for each in bounds]
    found = [
        word_score(
            sum((held[i] for i in np.flatnonzero(kept)), Counter[str]()).elements(), wanted
        ).f1
        for kept in (pieces_of(document, tree.shown, block) for block in blocks)
    ]
    chosen = (int(np.argmax(SCORES[by](document, tree.shown, blocks))) for by in ("words", "auto"))
    return (len(blocks), max(found), *(found[index] for index in chosen))


def table(name: str, pages: Sequence[list[Row]]) -> Iterator[str]:
    yield f"{name}, {len(pages)} pages: granularity, blocks, F1 of the best, by words, by auto"
    for place, granularity in enumerate(GRANULARITIES):
        blocks, *scores = (
            fmean(column) for column in zip(*(rows[place] for rows in pages), strict=True)
        )
        yield f"{granularity:11} {blocks:7.0f} " + " ".join(f"{score:.3f}" for score in scores)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.definitions.vips_oracle")
    parser.add_argument("package", nargs="+", help="a folder, or a name below $WINNOW_PACKAGES")
    parser.add_argument("--pages", type=int, default=100, metavar="N", help="at most (100)")
    arguments = parser.parse_args()
    for package in map(load, map(find, arguments.package)):
        named = [e.id for e in package if e.page_type == "article"] or package.ids
        chosen = sample(named, 1, arguments.pages)
        rows = [scored(package.entry(page)) for page in chosen]
        sys.stdout.write("\n".join(table(package.name, rows)) + "\n")


if __name__ == "__main__":
    main()
