"""``python -m tests.definitions.vips_oracle PACKAGE... [--pages N] [--sheets KB]``: VIPS by its
paper's measure.

For each granularity the mean number of blocks and word F1 of the block with the best F1, which no
program can choose (Pasternack & Roth 2009, section 7.6), and of the blocks that ``words`` and
``auto`` choose. Needs Chromium. Articles alone count where a package names page types.

``--sheets KB``: packages hold no style sheets but those that stand in their pages. Of pages with so
many kB of them each is measured as if they had been linked: with these fetched, and without.
"""

from __future__ import annotations

import argparse
import re
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


_STYLE = re.compile(rb"<style(?P<rest>[^>]*)>(?P<css>.*?)</style>", re.DOTALL | re.IGNORECASE)


def linked(entry: PackageEntry, *, fetched: bool) -> Page:
    """The page with links to sheets in place of its own styles."""
    texts: list[tuple[str, str]] = []

    def link(found: re.Match[bytes]) -> bytes:
        texts.append(
            (f"https://sheets.test/{len(texts)}.css", found["css"].decode("utf-8", "replace"))
        )
        return b"<link rel=stylesheet href=" + texts[-1][0].encode() + found["rest"] + b">"

    body = _STYLE.sub(link, entry.body)
    return Page(body, entry.url, sheets=tuple(texts) if fetched else ())


def styles(entry: PackageEntry) -> int:
    """Bytes of the page's own styles."""
    return sum(len(found["css"]) for found in _STYLE.finditer(entry.body))


def scored(entry: PackageEntry, page: Page | None = None) -> list[Row]:
    """A page's row for each granularity."""
    document = Document.parse(page or Page(entry.body, entry.url))
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
    parser.add_argument("--sheets", type=int, metavar="KB", help="with and without linked sheets")
    arguments = parser.parse_args()
    for package in map(load, map(find, arguments.package)):
        named = [e.id for e in package if e.page_type == "article"] or package.ids
        if arguments.sheets:
            least = 1000 * arguments.sheets
            entries = [e for e in map(package.entry, named) if styles(e) >= least]
            entries = entries[:: max(-(-len(entries) // arguments.pages), 1)]
            for fetched in (True, False):
                rows = [scored(each, linked(each, fetched=fetched)) for each in entries]
                name = f"{package.name}, sheets {'fetched' if fetched else 'not fetched'}"
                sys.stdout.write("\n".join(table(name, rows)) + "\n")
            continue
        chosen = sample(named, 1, arguments.pages)
        rows = [scored(package.entry(page)) for page in chosen]
        sys.stdout.write("\n".join(table(package.name, rows)) + "\n")


if __name__ == "__main__":
    main()
