"""Webstemmer (Shinyama 2007) by its description, over the plain walk of a page's tree.

Sequences are compared as difflib does (the longest run first), the shorter one indexed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import reduce
from itertools import combinations, groupby, zip_longest
from math import log
from typing import NamedTuple

from tests.definitions.token_stream import walk

PATHS = frozenset(
    "p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dl dir menu pre div center font span blockquote "
    "table address".split()
)
KEYS = frozenset("id class align valign rowspan colspan".split())


class Block(NamedTuple):
    """``path``, the text as it stands, its letters, and how many of these are outside links."""

    path: str
    text: str
    letters: str
    plain: int


class Site(NamedTuple):
    """A page: its address, its blocks, and the texts of the links to it."""

    url: str
    blocks: list[Block]
    anchors: Sequence[str] = ()


class Scored(NamedTuple):
    path: str
    difference: float
    main: float


class Pattern(NamedTuple):
    name: str
    blocks: list[Scored]
    pages: int
    title: int

    @property
    def score(self) -> float:
        return log(self.pages) * sum(block.main for block in self.blocks)


def letters(text: str) -> str:
    return "".join(re.findall(r"\w+", text)).lower()


def blocks_of(markup: str | bytes, title: str) -> list[Block]:
    """The title, and a block for each run of text that no element of a path cuts."""
    found = [Block("title", title, letters(title), len(letters(title)))]
    path: list[str] = []
    links = 0
    text, plain = "", 0

    def flush() -> None:
        nonlocal text, plain
        if letters(text):
            found.append(Block("/".join(path[-3:]), " ".join(text.split()), letters(text), plain))
        text, plain = "", 0

    for kind, node in walk(markup):
        if kind == "text":
            text += node.text_content or ""
            plain += 0 if links else len(letters(node.text_content or ""))
            continue
        is_step = node.tag in PATHS
        if is_step or node.tag in ("br", "hr"):
            flush()
        links += {"start": 1, "end": -1}[kind] if node.tag == "a" else 0
        if is_step and kind == "start":
            path.append(step(str(node.tag), node.attributes))
        elif is_step:
            path.pop()
    flush()
    return [block for block in found if len(block.letters) >= 5]


def step(tag: str, attributes: Mapping[str, str | None]) -> str:
    named = [
        f"{name}={(value or '').lower()}" for name, value in attributes.items() if name in KEYS
    ]
    return ":".join([tag, *sorted(named)])


def matcher(one: Sequence[str], other: Sequence[str]) -> SequenceMatcher[str]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return SequenceMatcher(None, longer, shorter)


def common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    longer = one if len(one) >= len(other) else other
    runs = matcher(one, other).get_matching_blocks()
    return [path for run in runs for path in longer[run.a : run.a + run.size]]


def paths(page: Site) -> list[str]:
    return [path for path, _ in groupby(block.path for block in page.blocks)]


def placed(layout: Sequence[str], page: Site) -> list[list[Block]]:
    """Of each path of a layout the page's blocks there: as many as can be, in order, at the
    earliest paths."""
    rows, columns = len(page.blocks), len(layout)
    most = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row, block in enumerate(page.blocks):
        for column, path in enumerate(layout):
            here = most[row][column + 1] + (path == block.path)
            most[row + 1][column + 1] = max(most[row + 1][column], here)
    found: list[list[Block]] = [[] for _ in layout]
    column = columns
    for row in range(rows, 0, -1):
        while column > 1 and most[row][column - 1] == most[row][column]:
            column -= 1
        is_new = column and most[row - 1][column] < most[row][column]
        if is_new and layout[column - 1] == page.blocks[row - 1].path:
            found[column - 1].insert(0, page.blocks[row - 1])
    return found


def weight(groups: Sequence[Sequence[Block]]) -> int:
    return sum(len(block.letters) for group in groups for block in group)


def similarity(one: Site, other: Site) -> float:
    shared = common(paths(one), paths(other))
    rows = placed(shared, one), placed(shared, other)
    held = sum(weight([left, right]) for left, right in zip(*rows, strict=True) if left)
    return held / max(weight([one.blocks]) + weight([other.blocks]), 1)


def clusters(pages: Sequence[Site], threshold: float = 0.97) -> list[list[Site]]:
    """Each page joins the first cluster in which it is like every page; near folders first."""
    found: list[list[Site]] = []
    for page in pages:
        found.sort(key=lambda group: min(apart(page.url, other.url) for other in group))
        for group in found:
            if all(similarity(page, other) >= threshold for other in group):
                group.append(page)
                break
        else:
            found.append([page])
    return found


def apart(one: str, other: str) -> list[bool]:
    steps = zip_longest(one.split("/")[2:-1], other.split("/")[2:-1])
    return [left != right for left, right in steps]


def difference(texts: Sequence[str]) -> float:
    pairs = list(combinations([text for text in texts if text], 2))
    every = sum(len(one) + len(other) for one, other in pairs)
    apart_in_all = sum(
        (len(one) + len(other)) * (1 - matcher(one, other).ratio()) for one, other in pairs
    )
    return apart_in_all / every if every else 0.0


def learn(pages: Sequence[Site], cluster: float = 0.97, title: float = 0.6) -> list[Pattern]:
    """The patterns of the clusters of two pages and more, the highest score first."""
    groups = clusters(sorted(pages, key=lambda page: page.url), cluster)
    found = [pattern_of(group, title) for group in groups if len(group) > 1]
    return sorted(
        (pattern for pattern in found if pattern.blocks), key=lambda pattern: -pattern.score
    )


def pattern_of(pages: Sequence[Site], title: float) -> Pattern:
    shared = reduce(common, map(paths, pages))
    columns = zip(shared, zip(*(placed(shared, page) for page in pages), strict=True), strict=True)
    kept = [(path, row) for path, row in columns if row[0]]
    texts = [["".join(block.letters for block in group) for group in row] for _, row in kept]
    blocks = []
    for (path, row), column in zip(kept, texts, strict=True):
        varies = difference(column)
        plain = sum(block.plain for group in row for block in group) / len(pages)
        blocks.append(Scored(path, varies, varies * plain))
    return Pattern(pages[0].url, blocks, len(pages), elected(pages, blocks, texts, title))


def elected(
    pages: Sequence[Site], blocks: Sequence[Scored], texts: Sequence[Sequence[str]], least: float
) -> int:
    """The title: what most pages take for it among the blocks before the largest; -1 for none."""
    largest = max(range(len(blocks)), key=lambda index: blocks[index].main, default=0)
    votes: Counter[int] = Counter()
    for number, page in enumerate(pages if blocks else ()):
        before = [index for index in range(largest) if texts[index][number]]
        anchors = [letters(anchor) for anchor in page.anchors if letters(anchor)]
        vote = -1
        by_links = [
            (max(matcher(a, texts[i][number]).ratio() for a in anchors) * blocks[i].difference, -i)
            for i in before
            if anchors
        ]
        by_text = [
            (repeated(texts[i][number], texts[largest][number]) * blocks[i].difference, -i)
            for i in before
        ]
        for likeness, threshold in ((by_links, least), (by_text, 1.0)):
            if likeness and max(likeness)[0] > threshold:
                vote = -max(likeness)[1]
                break
        votes[vote] += 1
    return max(votes, key=lambda index: votes[index], default=-1)


def repeated(title: str, text: str) -> float:
    runs = matcher(title, text).get_matching_blocks()
    return sum(run.size**2 for run in runs) / len(title)


def matched(
    page: Site, patterns: Sequence[Pattern], least: float = 0.8
) -> tuple[Pattern, list[list[Block]]] | None:
    """The pattern that covers the largest share of the page's letters, more than ``least``."""
    best = None
    for pattern in patterns:
        groups = placed([block.path for block in pattern.blocks], page)
        share = weight(groups) / max(weight([page.blocks]), 1)
        if share > least:
            best, least = (pattern, groups), share
    return best


def lines(
    page: Site, patterns: Sequence[Pattern], varies: float = 0.5, main: float = 50
) -> Iterator[str]:
    """What extract.py prints of a page."""
    found = matched(page, patterns)
    if found is None:
        yield f"!UNMATCHED: {page.url}"
        return
    pattern, groups = found
    yield f"!MATCHED: {page.url}"
    yield f"PATTERN: {pattern.name}"
    for index, (block, group) in enumerate(zip(pattern.blocks, groups, strict=True)):
        is_main = index > pattern.title and block.main >= main
        kind = "MAIN" if is_main else "SUB"
        head = "TITLE" if index == pattern.title else f"{kind}-{index}"
        if index == pattern.title or block.difference >= varies:
            yield from (f"{head}: {one.text}" for one in group)
