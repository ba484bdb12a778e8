"""What all features of a page are computed from.

Everything is computed for all blocks at once; what concerns ancestors comes from
``ancestry.py``. Sums of scores are of double precision, which for single scores is
exact: so their order does not matter, and ``_features.c`` finds the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.extractors.auto.features import lookup_tables
from winnow.extractors.auto.features.ancestry import Ancestry, ancestry_of
from winnow.extractors.auto.features.attribute_tokens import OF_CLASS, AttributeTokens

Array = npt.NDArray[Any]
Row = npt.NDArray[Any]

WORDS, LINKED, GOOD, SENTENCES, COUNT, MEDIA, SHORT, TEASER = range(8)
"""Columns of the sums: words; those in links; those in long blocks of few links, and in blocks with
sentences; blocks; media; blocks of three words at most; those in blocks that open with a link and
go on without."""
LEVELS: Final = 5
CARDS: Final = 3
"""So many siblings of the same tag and class make a row of cards."""
_ODD: Final = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class BlockContext:
    """What all features of one page are computed from.

    ``sums``: prefix sums over blocks, (n + 1, 8); ``inner``: sums inside each element, the whole
    page's in the last row, (elements + 1, 8). ``element_scores``: of each element's tokens
    (elements + 1,); ``block_scores``: of each block's text (n,). ``owner``: the innermost element
    of each block's first piece, ``outer``: the block elements around each block, LEVELS + 1 rows,
    (levels, n). ``siblings``: equals among an element's siblings, itself included; ``path``: hashes
    of the tags and classes, and of the tags alone, from the root, (elements + 1, 2). ``first``,
    ``last``: each element's half-open range of blocks.
    """

    document: Document
    blocks: Blocks
    ancestry: Ancestry
    tag: Array
    sums: Row
    inner: Row
    element_scores: Row
    block_scores: Row
    owner: Array
    outer: Array
    siblings: Row
    path: Array
    first: Array
    last: Array
    kinds: Row


def context_of(
    document: Document,
    blocks: Blocks,
    tokens: AttributeTokens,
    element_scores: Row,
    block_scores: Row,
) -> BlockContext:
    """Compute what the features share. ``tokens`` are those of the elements."""
    elements, pieces = document.elements, document.pieces
    nowhere, n = len(elements), len(blocks)
    ancestry = ancestry_of(elements)
    tag = np.append(elements.tag, lookup_tables.NO_TAG)
    kinds, sums = _sums(document, blocks)
    of_piece = np.append(np.repeat(np.arange(n), blocks.last_piece - blocks.first_piece), n)
    first = np.append(of_piece.take(elements.first_piece), 0)
    filled = elements.last_piece > elements.first_piece
    inner = of_piece.take(np.maximum(elements.last_piece - 1, 0)) + 1
    last = np.append(np.where(filled, inner, first[:-1]), n)
    block = np.append(np.where(elements.block >= 0, elements.block, nowhere), nowhere).astype(
        np.intp
    )
    around = block.take(ancestry.parents)
    classes = np.where(tokens.token & np.uint32(OF_CLASS), tokens.token, 0)
    look_alike = np.bincount(tokens.owner, classes, nowhere + 1).astype(np.int64)
    look_alike = look_alike * np.int64(1_000_003) + tag
    return BlockContext(
        document, blocks, ancestry, tag, sums, sums.take(last, axis=0) - sums.take(first, axis=0),
        np.append(element_scores, np.float32(0)), block_scores,
        pieces.owner.take(blocks.first_piece).astype(np.intp),
        _outwards(np.where(blocks.element >= 0, blocks.element, nowhere), around),
        _equals(look_alike * np.int64(7919) + around * np.int64(2_654_435_761)),
        _paths(ancestry, look_alike, tag), first, last, kinds,
    )  # fmt: skip


def _sums(document: Document, blocks: Blocks) -> tuple[Row, Row]:
    """Characters per block and class, (n, 8), and the prefix sums."""
    n = len(blocks)
    kinds = lookup_tables.counts(document.text, blocks.start)
    words, linked = blocks.words, blocks.linked_words
    columns = np.empty((n, 8))
    columns[:, WORDS], columns[:, LINKED], columns[:, COUNT] = words, linked, 1
    columns[:, GOOD] = words * ((words >= 10) & (linked < 0.35 * words))
    columns[:, SENTENCES] = words * (
        (words >= 8) & (kinds[:, lookup_tables.STOP] > 0) & (linked < 0.5 * words)
    )
    columns[:, MEDIA] = np.add.reduceat(document.media, blocks.first_piece, dtype=np.int32)
    columns[:, SHORT] = words <= 3
    columns[:, TEASER] = words * (document.linked[blocks.first_piece] & (linked < words))
    sums = np.zeros((n + 1, 8))
    np.cumsum(columns, axis=0, out=sums[1:])
    return kinds.astype(np.float32), sums


def _outwards(innermost: Array, around: Array) -> Array:
    rows = [innermost]
    for _ in range(LEVELS):
        rows.append(around.take(rows[-1]))
    return np.stack(rows)


def grouped(keys: Array) -> tuple[Array, Array]:
    """The number of each key's group, and how many are in each group; groups sorted by key."""
    order = np.argsort(keys, kind="stable")
    ordered = keys.take(order)
    starts = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    group = np.empty(len(keys), dtype=np.intp)
    group[order] = np.cumsum(starts) - 1
    return group, np.diff(np.append(np.flatnonzero(starts), len(keys)))


def _equals(keys: Array) -> Row:
    """How many have the same key; nobody equals "no element"."""
    group, counts = grouped(keys)
    found = counts.astype(np.float32).take(group)
    found[-1] = 1
    return found


def _paths(ancestry: Ancestry, look_alike: Array, tag: Array) -> Array:
    hashes = np.stack([look_alike, tag + 1], axis=1).astype(np.uint64)
    hashes = (hashes ^ (hashes >> np.uint64(29))) * _ODD
    hashes[-1] = 0
    depth = np.ones(len(tag), dtype=np.int64)
    depth[-1] = 0
    depth = ancestry.gather(depth, np.add)
    powers = np.full(int(depth.max()) + 1, _ODD)
    powers[0] = 1
    return ancestry.gather(hashes * np.multiply.accumulate(powers).take(depth)[:, None], np.add)
