"""From the pages of a site to its layout patterns (Webstemmer, steps 2 to 5, and its program).

The order of the pages makes no difference: they are sorted before anything depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import reduce
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Final

from winnow.document.addresses import joined, parts_of
from winnow.document.document import Document
from winnow.extractors.layout.layout_blocks import LayoutBlock, layout_blocks, letters
from winnow.extractors.layout.patterns import (
    LayoutPattern,
    PatternBlock,
    Patterns,
    dice,
    difference,
    matching,
    sections,
)


@dataclass(frozen=True, slots=True)
class LearnedPage:
    """A page's layout blocks, the texts of the links that point to it, and its address."""

    blocks: tuple[LayoutBlock, ...]
    anchors: tuple[str, ...] = ()
    url: str = ""

    @property
    def features(self) -> tuple[str, ...]:
        """The path of each block."""
        return tuple(block.feature for block in self.blocks)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths, equal neighbours as one."""
        return tuple(path for path, _ in groupby(self.features))

    @property
    def weight(self) -> int:
        """Its letters and digits."""
        return sum(block.weight for block in self.blocks)

    @property
    def folders(self) -> tuple[str, ...]:
        """Host and folders of its address."""
        parts = parts_of(self.url)
        return (parts.netloc, *parts.path.split("/")[:-1])


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Webstemmer's: of clustering, and of a title's likeness to the links.

    ``fallback``: of a title's likeness to the main text.
    """

    cluster: float = 0.97
    title: float = 0.6
    fallback: float = 1.0


THRESHOLDS: Final = Thresholds()


def learn(pages: Iterable[LearnedPage], thresholds: Thresholds = THRESHOLDS) -> Patterns:
    """The patterns of a site's pages; a layout needs two pages at least. O(pages^2)."""
    ordered = sorted(pages, key=lambda page: (page.url, [*map(str, page.blocks)]))
    groups = clusters(ordered, thresholds)
    found = [pattern_of(group, thresholds) for group in groups if len(group) > 1]
    useful = [pattern for pattern in found if pattern.blocks]
    return Patterns(tuple(sorted(useful, key=lambda pattern: (-pattern.score, pattern.features))))


def clusters(pages: Sequence[LearnedPage], limits: Thresholds) -> list[list[LearnedPage]]:
    """Groups of pages: each page joins the first in which it is alike to every page.

    Those with pages of near folders are tried first.
    """
    found: list[list[LearnedPage]] = []
    for page in pages:
        found.sort(key=lambda group: min(_apart(page, other) for other in group))
        for group in found:
            if all(similarity(page, other) >= limits.cluster for other in group):
                group.append(page)
                break
        else:
            found.append([page])
    return found


def _apart(left: LearnedPage, right: LearnedPage) -> list[bool]:
    """Which steps of two folders differ: the first one counts most."""
    return [one != other for one, other in zip_longest(left.folders, right.folders)]


def similarity(left: LearnedPage, right: LearnedPage) -> float:
    """Sim(A, B): the weight of the blocks at common paths, over the weight of both pages; 0..1.

    The page prints the formula with the common weight counted once, with which two equal pages
    have .5 and its own threshold of .97 could not be reached: it counts on both sides here.
    """
    shared = common_paths((left, right))
    rows = zip(_row(shared, left), _row(shared, right), strict=True)
    weights = (sum(block.weight for block in (*one, *other)) for one, other in rows if one)
    return sum(weights) / max(left.weight + right.weight, 1)


def common_paths(pages: Sequence[LearnedPage]) -> tuple[str, ...]:
    """The paths that all pages share, in order."""

    def both(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(left[one] for one, _ in matching(left, right))

    return reduce(both, (page.paths for page in pages))


def _row(paths: Sequence[str], page: LearnedPage) -> list[list[LayoutBlock]]:
    """The page's blocks at each path."""
    return [[page.blocks[index] for index in group] for group in sections(paths, page.features)]


@dataclass(frozen=True, slots=True)
class _Column:
    """What stands at one path: of each page the letters, and those outside links."""

    path: str
    texts: tuple[str, ...]
    plain: int

    @classmethod
    def of(cls, path: str, groups: Sequence[Sequence[LayoutBlock]]) -> _Column:
        texts = tuple("".join(block.text for block in group) for group in groups)
        return cls(path, texts, sum(block.plain for group in groups for block in group))

    def scored(self) -> PatternBlock:
        varies = difference(self.texts)
        return PatternBlock(self.path, varies, varies * self.plain / len(self.texts))


def pattern_of(pages: Sequence[LearnedPage], limits: Thresholds) -> LayoutPattern:
    """What all pages of a cluster share, scored (steps 3 to 5)."""
    shared = common_paths(pages)
    rows = zip(*(_row(shared, page) for page in pages), strict=True)
    columns = [_Column.of(path, row) for path, row in zip(shared, rows, strict=True) if row[0]]
    blocks = tuple(column.scored() for column in columns)
    title = _title(blocks, columns, pages, limits)
    return LayoutPattern(blocks, len(pages), title, tuple(page.url for page in pages))


def _title(
    blocks: Sequence[PatternBlock],
    columns: Sequence[_Column],
    pages: Sequence[LearnedPage],
    limits: Thresholds,
) -> int:
    """The block before the largest that most pages elect; -1 if most elect none."""
    largest = max(range(len(blocks)), key=lambda index: blocks[index].main, default=0)
    votes: Counter[int] = Counter()
    for number, page in enumerate(pages if columns else ()):
        before = [
            (index, columns[index].texts[number], blocks[index].difference)
            for index in range(largest)
            if columns[index].texts[number]
        ]
        votes[_vote(before, page, columns[largest].texts[number], limits)] += 1
    return max(votes, key=lambda index: votes[index], default=-1)


def _vote(
    before: Sequence[tuple[int, str, float]], page: LearnedPage, main: str, limits: Thresholds
) -> int:
    """The block most like a link to the page, else most like the main text behind it; or -1.

    ``before``: index, text and DiffScore of each block before the main text.
    """
    anchors = [anchor for anchor in map(letters, page.anchors) if anchor]
    by_links = [
        (max(dice(anchor, text) for anchor in anchors) * varies, index)
        for index, text, varies in before
        if anchors
    ]
    best, index = max(by_links, key=itemgetter(0), default=(0.0, -1))
    if best > limits.title:
        return index
    by_text = [(repeated(text, main) * varies, index) for index, text, varies in before]
    best, index = max(by_text, key=itemgetter(0), default=(0.0, -1))
    return index if best > limits.fallback else -1


def repeated(title: str, text: str) -> float:
    """The squares of the runs that a text repeats of a title, over the title's letters."""
    longer, shorter = (title, text) if len(title) >= len(text) else (text, title)
    runs = SequenceMatcher(None, longer, shorter).get_matching_blocks()
    return sum(run.size**2 for run in runs) / len(title)


def learned_pages(
    documents: Iterable[Document], links: Mapping[str, Sequence[str]]
) -> list[LearnedPage]:
    """Documents as pages to learn from; ``links``: the texts of links by address."""
    return [
        LearnedPage(layout_blocks(one), anchors_to(links, one.page.url), one.page.url or "")
        for one in documents
    ]


def anchors_to(links: Mapping[str, Sequence[str]], url: str | None) -> tuple[str, ...]:
    """The texts of the links to an address, fragments left aside."""
    return tuple(links.get((url or "").partition("#")[0], ()))


def links_of(documents: Iterable[Document]) -> Mapping[str, tuple[str, ...]]:
    """Address to the texts of all links that lead there, fragments left aside."""
    found: dict[str, dict[str, None]] = {}
    for document in documents:
        for address, text in _links(document):
            found.setdefault(address, {})[text] = None
    return {address: tuple(texts) for address, texts in found.items()}


def _links(document: Document) -> Iterable[tuple[str, str]]:
    for element in document.elements_named("a"):
        target = document.attributes_of(element).get("href", "")
        first = int(document.elements.first_piece[element])
        last = int(document.elements.last_piece[element])
        if not target or first == last:
            continue
        start, end = int(document.pieces.start[first]), int(document.pieces.end[last - 1])
        text = document.plain(start, end).strip()
        address = joined(document.page.url or "", target).partition("#")[0]
        if text and address:
            yield address, text
