"""How well the best block of a page could do, and how well the chosen one does, by granularity."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.values import Page
from winnow.evaluation.measures import Score, score, word_score
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned
from winnow.evaluation.words import words
from winnow.extractors.errors import LayoutError
from winnow.extractors.vips.block_scoring import SCORES, pieces_of
from winnow.extractors.vips.content_structure import ContentBlock, content_structure
from winnow.extractors.vips.page_layout import Layouter
from winnow.extractors.vips.visual_tree import VisualTree

GRANULARITIES: Final = range(1, 11)
ORACLE: Final = "oracle"


@dataclass(frozen=True, slots=True)
class Measured:
    """One page at one granularity: how many blocks, and the word score of the block that each
    way of choosing takes (``ORACLE``: the one with the best F1)."""

    granularity: int
    blocks: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Timed:
    """What one page cost: seconds to lay it out and to cut it at granularity 8."""

    layout: float
    cutting: float


def sample(package: Package, count: int, page_type: str | None) -> Iterator[PackageEntry]:
    """``count`` evenly spaced pages, of one type where one is named and the package knows types."""
    typed = [entry.id for entry in package if page_type in (None, entry.page_type or page_type)]
    for name in typed[:: max(len(typed) // count, 1)][:count]:
        yield package.entry(name)


def measured(
    entries: Iterable[PackageEntry], layouter: Layouter
) -> Iterator[tuple[str, Sequence[Measured], Timed]]:
    """Each page's id with what was measured of it; none of a page that cannot be laid out."""
    for entry in entries:
        charset = entry.meta.get("encoding_used")
        page = Page(entry.body, entry.url, str(charset) if charset else None)
        document = Document.parse(page)
        start = time.perf_counter()
        try:
            layout = layouter(document)
        except LayoutError:
            yield entry.id, (), Timed(time.perf_counter() - start, 0.0)
            continue
        laid_out = time.perf_counter()
        tree = VisualTree(document, layout)
        content_structure(tree, 8)
        cut = time.perf_counter()
        found = [of_page(tree, entry.gold, granularity) for granularity in GRANULARITIES]
        yield entry.id, found, Timed(laid_out - start, cut - laid_out)


def of_page(tree: VisualTree, gold: str, granularity: int) -> Measured:
    """One page at one granularity."""
    blocks = content_structure(tree, granularity)
    if not blocks:
        nothing = word_score([], words(gold))
        return Measured(granularity, 0, dict.fromkeys((ORACLE, *SCORES), nothing))
    found = block_scores(tree.document, tree.shown, blocks, gold)
    extract_laid_out = {
        name: found[int(np.argmax(worth(tree.document, tree.shown, blocks)))]
        for name, worth in SCORES.items()
    }
    best = max(found, key=lambda each: each.f1)
    return Measured(granularity, len(blocks), {ORACLE: best, **extract_laid_out})


def block_scores(
    document: Document, shown: Mask, blocks: Sequence[ContentBlock], gold: str
) -> list[Score]:
    """The word score of every block's visible text, as a bag of words."""
    wanted = Counter(words(gold))
    total, found = wanted.total(), []
    for block in blocks:
        mine = Counter(words(text_of(document, shown, block)))
        found.append(score((mine & wanted).total(), mine.total(), total))
    return found


def text_of(document: Document, shown: Mask, block: ContentBlock) -> str:
    """The visible text of a block: neighbouring pieces as they stand in the page."""
    inside = np.flatnonzero(pieces_of(document, shown, block))
    if not len(inside):
        return ""
    breaks = np.flatnonzero(np.diff(inside) > 1) + 1
    starts = document.pieces.start[inside[np.concatenate([[0], breaks])]].tolist()
    ends = document.pieces.end[inside[np.append(breaks, len(inside)) - 1]].tolist()
    runs = (document.plain(start, end) for start, end in zip(starts, ends, strict=True))
    return "\n".join(runs)


def table(pages: Sequence[Sequence[Measured]]) -> str:
    """A row a granularity: blocks a page and F1, with precision and recall of the oracle's."""
    heading = ("granularity", "blocks", "oracle P", "R", "F1", *(f"by {name}" for name in SCORES))
    return aligned(heading, [_row(column) for column in zip(*pages, strict=True)], 0)


def timing(times: Sequence[Timed]) -> str:
    """The mean and the slowest page."""
    layout, cutting = [each.layout for each in times], [each.cutting for each in times]
    whole = sorted(each.layout + each.cutting for each in times)
    return (
        f"{mean(whole):.2f} s a page ({mean(layout):.2f} s layout, {mean(cutting):.2f} s cutting), "
        f"median {whole[len(whole) // 2]:.2f} s, slowest {whole[-1]:.2f} s"
    )


def _row(column: Sequence[Measured]) -> tuple[str, ...]:
    oracle = [each.scores[ORACLE] for each in column]
    means = [
        mean([each.precision for each in oracle]),
        mean([each.recall for each in oracle]),
        *(mean([each.scores[name].f1 for each in column]) for name in (ORACLE, *SCORES)),
    ]
    blocks = mean([each.blocks for each in column])
    return str(column[0].granularity), f"{blocks:.0f}", *(f"{value:.3f}" for value in means)
