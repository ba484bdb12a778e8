"""A page as learning sees it: blocks as keyed hashes and numbers. Knows paths; judges nothing.

A block's path is that of the three innermost block elements around it with the words of their
``class`` and ``id``, digits blanked (Webstemmer, step 1, where a path is spelt out). A container is
a block element with a name of its own that holds more than a line of text; it is known by its own
step and that of the named element around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from document import tags
from document.blocks import Blocks, blocks_of
from document.document import Document
from extractors.auto.lexis import element_tokens

Hashes = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int64]
_Wide = npt.NDArray[np.uint64]

DEPTH: Final = 3
LEAST: Final = 100
"""Characters from which an element is a container."""
MOST_CONTAINERS: Final = 200
NOWHERE: Final = -1

_DIGITS: Final = b"0123456789"
_FRAME: Final = tags.table_of("html body")
_NAMED: Final = tags.table_of("main article section")


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a page shows: n blocks and m containers, in document order.

    ``index``: which of document.blocks each is. ``path``, ``text``: keyed hashes; that of a text
    is one of path and text. ``weight``, ``plain``: characters, all and outside links. ``words``.
    ``container``: the innermost, or -1. All (n,).
    ``keys``: hashes of the containers; ``outer``: the container around each, or -1. Both (m,).
    ``page``: names the page, by its address where it has one.
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


def look(document: Document, key: bytes, least: int = LEAST) -> Sight:
    """See a page; ``key`` is the secret of all hashes, ``least`` what a container must hold."""
    blocks = blocks_of(document)
    index = np.flatnonzero(~blocks.hidden & (blocks.words > 0))
    places = _Places.of(document, int.from_bytes(blake2b(key, digest_size=8).digest(), "big"))
    element = blocks.element[index].astype(np.int64)
    path, lengths = places.paths(element), document.piece_lengths
    weight = _per_block(lengths, blocks)[index]
    containers = places.containers(element, weight, least)
    text = _texts(document, blocks, index, path, key)
    return Sight(
        _page(document, text, key),
        blocks,
        index,
        path,
        text,
        weight,
        _per_block(np.where(document.linked, 0, lengths), blocks)[index],
        blocks.words[index].astype(np.int64),
        *containers,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """The block elements of a page: ``step``: the hash of each, ``outer``: the one around it.

    ``named``: whether it has a name of its own. One row more than there are elements: no element.
    """

    step: _Wide
    outer: Ints
    named: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, document: Document, seed: int) -> _Places:
        elements = document.elements
        owner, token = element_tokens(document)
        said = np.bincount(owner, token, len(elements))
        step = _mixed(said.astype(np.uint64) + elements.tag.astype(np.uint64), seed)
        frame = _FRAME[elements.tag]
        named = (np.bincount(owner, minlength=len(elements)) > 0) | _NAMED[elements.tag]
        inside = elements.parent >= 0
        outer = np.where(inside, elements.block[np.where(inside, elements.parent, 0)], NOWHERE)
        step[frame], named[frame] = 0, False
        return cls(
            np.append(step, np.uint64(0)),
            np.append(outer, NOWHERE).astype(np.int64),
            np.append(named, False),
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
        around = self._next_named()
        chosen = self._large(
            np.where(self.named[element], element, around[element]), weight, around, least
        )
        number = np.full(len(self.step), NOWHERE, dtype=np.int64)
        number[chosen] = np.arange(len(chosen))
        nearest = self._nearest(number >= 0, around)
        inner = np.where(number[element] >= 0, element, nearest[element])
        keys = _narrow(_mixed(self.step[chosen] ^ _mixed(self.step[around[chosen]], 5), 6))
        return number[inner], keys, number[nearest[chosen]]

    def _next_named(self) -> Ints:
        return self._nearest(self.named, self.outer)

    @staticmethod
    def _nearest(wanted: npt.NDArray[np.bool_], outer: Ints) -> Ints:
        """The nearest wanted element around each, following ``outer``; -1 where there is none."""
        found = outer.copy()
        while True:
            astray = np.flatnonzero((found >= 0) & ~wanted[found])
            if not len(astray):
                return found
            found[astray] = outer[found[astray]]

    def _large(self, inner: Ints, weight: Ints, around: Ints, least: int) -> Ints:
        """The named elements with enough text, those with most where there are too many."""
        total = np.zeros(len(self.step), dtype=np.int64)
        while (inside := inner >= 0).any():
            inner, weight = inner[inside], weight[inside]
            np.add.at(total, inner, weight)
            inner = around[inner]
        chosen = np.flatnonzero(total >= least)
        most = np.argsort(-total[chosen], kind="stable")[:MOST_CONTAINERS]
        kept: Ints = np.sort(chosen[most])
        return kept


def tags_of(document: Document, sight: Sight) -> Ints:
    """How many tags stand before and in each block; (n,)."""
    ends = document.tags_before[sight.blocks.last_piece[sight.index] - 1]
    before = np.concatenate([[0], ends[:-1]])[: len(ends)]
    found: Ints = (ends - before).astype(np.int64)
    return found


def _per_block(values: npt.NDArray[Any], blocks: Blocks) -> Ints:
    before = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    found: Ints = before[blocks.last_piece] - before[blocks.first_piece]
    return found


def _texts(document: Document, blocks: Blocks, index: Ints, path: Hashes, key: bytes) -> Hashes:
    """The hash of each block's path and text, in which numbers do not count."""
    text, seeds = document.text, path.astype("<u4").tobytes()
    base = blake2b(key=key[:64], digest_size=4)
    found = []
    spans = zip(blocks.start[index].tolist(), blocks.end[index].tolist(), strict=True)
    for number, (start, end) in enumerate(spans):
        told = base.copy()
        told.update(seeds[4 * number : 4 * number + 4])
        told.update(text[start:end].encode("utf-8", "surrogatepass").translate(None, _DIGITS))
        found.append(told.digest())
    return np.frombuffer(b"".join(found), dtype="<u4").astype(np.uint32)


def _page(document: Document, text: Hashes, key: bytes) -> bytes:
    url = (document.page.url or "").partition("#")[0]
    name = url.encode("utf-8", "surrogatepass") if url else text.tobytes()
    return blake2b(name, key=key[:64], digest_size=8).digest()


def _mixed(values: _Wide, seed: int) -> _Wide:
    """splitmix64 of the values (Steele, Lea & Flood 2014), told apart by ``seed``."""
    mixed: _Wide = values + np.uint64((seed | 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _narrow(values: _Wide) -> Hashes:
    return (values >> np.uint64(32)).astype(np.uint32)
