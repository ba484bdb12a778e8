"""From the pages of a site to its layout patterns (Webstemmer, steps 2 to 5).

The order of the pages makes no difference: they are sorted before anything depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin

from rapidfuzz.distance import LCSseq

from winnow.document.document import Document
from winnow.extractors.layout.layout_blocks import LayoutBlock, layout_blocks, letters
from winnow.extractors.layout.patterns import (
    LayoutPattern,
    PatternBlock,
    Patterns,
    common,
    difference,
    similarity,
)

LONGEST_TEXT: Final = 4000
"""Letters of a block that are compared: enough to distinguish varying from static, whatever its
length."""


@dataclass(frozen=True, slots=True)
class LearnedPage:
    """A page's layout blocks and the texts of the links that point to it."""

    blocks: tuple[LayoutBlock, ...]
    anchors: tuple[str, ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        """The paths in order."""
        return tuple(block.feature for block in self.blocks)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights in order."""
        return tuple(block.weight for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Webstemmer's: of clustering, of a title's likeness, of a static block, of a main block."""

    cluster: float = 0.97
    title: float = 0.6
    difference: float = 0.5
    main: float = 50.0


@dataclass(slots=True)
class _DisjointSets:
    """Disjoint sets of page numbers (union-find): single linkage, whatever the order."""

    parents: list[int] = field(default_factory=list)

    def find(self, item: int) -> int:
        while self.parents[item] != item:
            self.parents[item] = self.parents[self.parents[item]]
            item = self.parents[item]
        return item

    def join(self, left: int, right: int) -> None:
        self.parents[self.find(right)] = self.find(left)


def learn(pages: Iterable[LearnedPage], thresholds: Thresholds | None = None) -> Patterns:
    """The patterns of a site's pages; a layout needs two pages at least. O(pages^2)."""
    limits = thresholds or Thresholds()
    ordered = sorted(pages, key=lambda page: [(block.feature, block.text) for block in page.blocks])
    groups = [[ordered[number] for number in group] for group in clusters(ordered, limits.cluster)]
    found = [pattern_of(group, limits) for group in groups if len(group) > 1]
    useful = [pattern for pattern in found if pattern.blocks]
    return Patterns(tuple(sorted(useful, key=lambda pattern: (-pattern.score, pattern.features))))


def clusters(pages: Sequence[LearnedPage], threshold: float) -> list[list[int]]:
    """Groups of page numbers: two pages at least as similar as the threshold are in one."""
    groups = _DisjointSets(list(range(len(pages))))
    for right, page in enumerate(pages):
        for left in range(right):
            if groups.find(left) != groups.find(right) and is_alike(pages[left], page, threshold):
                groups.join(left, right)
    gathered: dict[int, list[int]] = {}
    for number in range(len(pages)):
        gathered.setdefault(groups.find(number), []).append(number)
    return list(gathered.values())


def is_alike(left: LearnedPage, right: LearnedPage, threshold: float) -> bool:
    """Whether two pages have the same layout."""
    return similarity(left.features, right.features, left.weights, right.weights) >= threshold


def pattern_of(pages: Sequence[LearnedPage], limits: Thresholds) -> LayoutPattern:
    """What all pages of a cluster share, scored (steps 3 to 5)."""
    shared = list(pages[0].features)
    for page in pages[1:]:
        shared = [shared[left] for left, _ in common(shared, page.features)]
    columns = [_column(shared, page) for page in pages]
    rows = list(zip(*columns, strict=True))
    blocks = tuple(_scored(feature, row) for feature, row in zip(shared, rows, strict=True))
    return LayoutPattern(blocks, len(pages), _title(blocks, rows, pages, limits))


def _column(shared: Sequence[str], page: LearnedPage) -> list[LayoutBlock]:
    return [page.blocks[right] for _, right in common(shared, page.features)]


def _scored(feature: str, row: Sequence[LayoutBlock]) -> PatternBlock:
    varies = difference([letters(block.text)[:LONGEST_TEXT] for block in row])
    plain = sum(block.plain for block in row) / len(row)
    weight = sum(block.weight for block in row) / len(row)
    return PatternBlock(feature, weight, varies, varies * plain)


def _title(
    blocks: Sequence[PatternBlock],
    rows: Sequence[Sequence[LayoutBlock]],
    pages: Sequence[LearnedPage],
    limits: Thresholds,
) -> int:
    """The block most like the links to the pages; else the one most like the text behind it."""
    varying = [index for index, block in enumerate(blocks) if block.difference >= limits.difference]
    likeness = {index: _likeness_to_anchors(rows[index], pages) for index in varying}
    best = max(likeness, key=lambda index: likeness[index], default=-1)
    if best >= 0 and likeness[best] >= limits.title:
        return best
    main = max(varying, key=lambda index: blocks[index].main, default=-1)
    before = {
        index: _likeness_to_main(rows[index], rows[main]) for index in varying if index < main
    }
    best = max(before, key=lambda index: before[index], default=-1)
    return best if best >= 0 and before[best] >= limits.title else -1


def _likeness_to_anchors(row: Sequence[LayoutBlock], pages: Sequence[LearnedPage]) -> float:
    scores = [
        max(_likeness(letters(block.text), letters(anchor)) for anchor in page.anchors)
        for block, page in zip(row, pages, strict=True)
        if page.anchors
    ]
    return sum(scores) / len(scores) if scores else 0.0


def _likeness_to_main(row: Sequence[LayoutBlock], main: Sequence[LayoutBlock]) -> float:
    """The share of a block's words that the main text repeats."""
    shares = []
    for block, text in zip(row, main, strict=True):
        own, main_words = set(block.text.lower().split()), set(text.text.lower().split())
        shares.append(len(own & main_words) / len(own) if own else 0.0)
    return sum(shares) / len(shares)


def _likeness(left: str, right: str) -> float:
    return float(LCSseq.similarity(left, right)) * 2 / (len(left) + len(right) or 1)


def learned_pages(
    documents: Iterable[Document], links: Mapping[str, Sequence[str]]
) -> list[LearnedPage]:
    """Documents as pages to learn from; ``links``: the texts of links by address."""
    return [LearnedPage(layout_blocks(one), anchors_to(links, one.page.url)) for one in documents]


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
        try:
            address = urljoin(document.page.url or "", target).partition("#")[0]
        except ValueError:
            continue
        if text:
            yield address, text
