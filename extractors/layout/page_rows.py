"""A page's blocks as keyed hashes and numbers, for learning the layout of its site.

A block's path is that of the three innermost block elements around it with the words of their
``class`` and ``id``, digits blanked (Webstemmer, step 1, where a path is spelt out). A container is
a block element with a name of its own that holds more than a line of text; it is identified by its
own step and that of the named element around it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.extractors.auto.features.attribute_tokens import element_tokens
from winnow.extractors.base import block_sums
from winnow.extractors.layout.hashing import Hashes, hashes

Ints = npt.NDArray[np.int64]
_Wide = npt.NDArray[np.uint64]

DEPTH: Final = 3
LEAST: Final = 100
"""Characters from which an element is a container."""
MOST_CONTAINERS: Final = 200
NOWHERE: Final = -1

_FRAME: Final = tags.table_of("html body")
_NAMED: Final = tags.table_of("main article section")


@dataclass(frozen=True, slots=True, eq=False)
class PageRows:
    """What a page shows: n blocks and m containers, in document order.

    ``index``: which of winnow.document.blocks each is. ``path``, ``text``: keyed hashes; that of a
    text is one of path and text. ``weight``, ``plain``: characters, all and outside links.
    ``words``. ``container``: the innermost, or -1. All (n,). ``keys``: hashes of the containers;
    ``outer``: the container around each, or -1. Both (m,). ``page``: names the page, by its address
    where it has one.
    """

    page: bytes
    blocks: Blocks
    index: Ints
    path: Hashes
    text: Hashes
    weight: Ints
    plain: Ints
    words: Ints
    container: Ints
    keys: Hashes
    outer: Ints


def page_rows_of(document: Document, key: bytes, least: int = LEAST) -> PageRows:
    """The rows of a page; ``key``: the secret of all hashes, ``least``: of a container."""
    known, rows, paths = document.found.get(page_rows_of, (None, None, None))
    if known != key:  # each is extracted with its site's layout and then learned from
        rows, paths = _compute_rows(document, key)
        document.found[page_rows_of] = (key, rows, paths)
    element = rows.blocks.element[rows.index].astype(np.int64)
    container, keys, outer = paths.containers(element, rows.weight, least)
    found: PageRows = replace(rows, container=container, keys=keys, outer=outer)
    return found


def _compute_rows(document: Document, key: bytes) -> tuple[PageRows, _ElementPaths]:
    """What does not depend on the least size of a container: rows without containers."""
    blocks = blocks_of(document)
    index = np.flatnonzero(~blocks.hidden & (blocks.words > 0))
    paths = _ElementPaths.of(document, int.from_bytes(blake2b(key, digest_size=8).digest(), "big"))
    path = paths.paths(blocks.element[index].astype(np.int64))
    text = hashes(document.text, blocks.start[index], blocks.end[index], path, key)
    lengths, none = document.piece_lengths, np.zeros(0, dtype=np.int64)
    page_rows = PageRows(
        _page(document, text, key),
        blocks,
        index,
        path,
        text,
        block_sums(document, lengths)[index],
        block_sums(document, np.where(document.linked, 0, lengths))[index],
        blocks.words[index].astype(np.int64),
        np.full(len(index), NOWHERE, dtype=np.int64),
        none.astype(np.uint32),
        none,
    )
    return page_rows, paths


@dataclass(frozen=True, eq=False)
class _ElementPaths:
    """The elements of a page: ``step``: the hash of each, ``outer``: the block element around it.

    ``named``: whether it is a block element with a name of its own. These have one row more than
    there are elements: no element. ``last``: what it holds ends before that element.
    ``numbers``: of the elements in their order, -1 for none.
    """

    step: _Wide
    outer: Ints
    named: npt.NDArray[np.bool_]
    last: Ints
    numbers: Ints

    @classmethod
    def of(cls, document: Document, seed: int) -> _ElementPaths:
        elements = document.elements
        owner, token = element_tokens(document)
        token_sums = np.bincount(owner, token, len(elements))
        step = _mixed(token_sums.astype(np.uint64) + elements.tag.astype(np.uint64), seed)
        frame = _FRAME[elements.tag]
        numbers, named = np.arange(len(elements)), _NAMED[elements.tag]
        named[owner] = True
        inside = elements.parent >= 0
        outer = np.where(inside, elements.block[np.where(inside, elements.parent, 0)], NOWHERE)
        step[frame], named[frame | (elements.block != numbers)] = 0, False
        return cls(
            np.append(step, np.uint64(0)),
            np.append(outer, NOWHERE).astype(np.int64),
            np.append(named, False),
            elements.last.astype(np.int64),
            np.append(numbers, NOWHERE),
        )

    def paths(self, element: Ints) -> Hashes:
        """The hash of the path at each of the elements."""
        found = np.zeros(len(element), dtype=np.uint64)
        for depth in range(DEPTH):
            found = _mixed(found ^ self.step[element], depth + 1)
            element = self.outer[element]
        return _narrow(found)

    def containers(self, element: Ints, weight: Ints, least: int) -> tuple[Ints, Hashes, Ints]:
        """For each block its innermost container; for each container its key and the outer one."""
        chosen = self._large(element, weight, least)
        number = np.full(len(self.step), NOWHERE, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        inner, above = self._first(number >= 0), self.outer[chosen]
        keys = _narrow(_mixed(self.step[chosen] ^ _mixed(self.step[self.around[above]], 5), 6))
        return number[inner[element]], keys, number[inner[above]]

    @cached_property
    def around(self) -> Ints:
        """The nearest named element from each on, itself or around it; -1 where there is none."""
        return self._first(self.named)

    def _first(self, wanted: npt.NDArray[np.bool_]) -> Ints:
        """The nearest wanted element from each on, in the logarithm of the depth."""
        found = np.where(wanted, self.numbers, self.outer)
        while True:
            further = found[found]
            if np.array_equal(further, found):
                return found
            found = further

    def _large(self, element: Ints, weight: Ints, least: int) -> Ints:
        """The named elements with enough text, those with most where there are too many."""
        before = np.cumsum(np.bincount(element + 1, weight, len(self.step)))
        places = np.flatnonzero(self.named)
        total = before[self.last[places]] - before[places]
        large = total >= least
        chosen = places[large]
        if len(chosen) > MOST_CONTAINERS:
            most = np.argsort(-total[large], kind="stable")[:MOST_CONTAINERS]
            chosen = np.sort(chosen[most])
        return chosen


def tags_of(document: Document, page_rows: PageRows) -> Ints:
    """How many tags stand before and in each block; (n,)."""
    ends = document.tags_before[page_rows.blocks.last_piece[page_rows.index] - 1]
    before = np.concatenate([[0], ends[:-1]])[: len(ends)]
    found: Ints = (ends - before).astype(np.int64)
    return found


def _page(document: Document, text: Hashes, key: bytes) -> bytes:
    url = (document.page.url or "").partition("#")[0]
    name = url.encode("utf-8", "surrogatepass") if url else text.tobytes()
    return blake2b(name, key=key[:64], digest_size=8).digest()


def _mixed(values: _Wide, seed: int) -> _Wide:
    """splitmix64 of the values (Steele, Lea & Flood 2014), salted with ``seed``."""
    mixed: _Wide = values + np.uint64((seed | 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _narrow(values: _Wide) -> Hashes:
    return (values >> np.uint64(32)).astype(np.uint32)
