"""Training pages of ``auto``: gold text, votes of their tokens, sampled blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import range_sums
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.extractors.auto.features import attribute_tokens
from winnow.extractors.auto.features.attribute_tokens import AttributeTokens, slots_of

FOLDS: Final = 5

Floats = npt.NDArray[Any]


class PageForm(NamedTuple):
    """Another form of a page, and how much of each of its blocks is content, (blocks,)."""

    document: Document
    blocks: Blocks
    shares: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class AutoExample:
    """A page with gold text. ``shares``: of each block, how much is content, (blocks,);
    ``gold_words``: words of its gold text; ``domain``: pages of one are in one fold;
    ``bare``: the same page without its main content, as (document, blocks), if there is one;
    ``forms``: makes other forms of the page, from which the choice among its stretches is learned
    (switch_training.py)."""

    document: Document
    blocks: Blocks
    shares: npt.NDArray[np.float32]
    gold_words: int
    domain: str
    page_type: str | None = None
    bare: tuple[Document, Blocks] | None = None
    forms: Callable[[], Iterable[PageForm]] = tuple

    @property
    def fold(self) -> int:
        """Which fold its domain is in; the same in every run."""
        return crc32(self.domain.encode()) % FOLDS


def bare_of(document: Document, blocks: Blocks, shares: Floats) -> tuple[Document, Blocks]:
    """The page without the text of its main content: chrome alone, as on a page that has none."""
    pieces, gone = document.pieces, np.repeat(shares >= 0.3, blocks.last_piece - blocks.first_piece)
    parts, position = list[str](), 0
    edges = zip(pieces.source_start[gone].tolist(), pieces.source_end[gone].tolist(), strict=True)
    for start, end in edges:
        parts.append(document.markup[position:start])
        position = max(end, position)
    parts.append(document.markup[position:])
    bare = Document.from_html("".join(parts), document.page.url)
    return bare, blocks_of(bare)


def tokens_of(document: Document, blocks: Blocks) -> tuple[AttributeTokens, AttributeTokens]:
    return attribute_tokens.element_tokens(document), attribute_tokens.block_tokens(
        document, blocks
    )


def add_votes(
    votes: npt.NDArray[np.float32], example: AutoExample, *tokens: AttributeTokens
) -> None:
    """A page's vote on each of its tokens: the share of content in what bears the token."""
    blocks, elements = example.blocks, example.document.elements
    words = blocks.words.astype(np.float64)
    of_piece = np.append(
        np.repeat(np.arange(len(blocks)), blocks.last_piece - blocks.first_piece), len(blocks)
    )
    first, last = of_piece[elements.first_piece], of_piece[np.maximum(elements.last_piece - 1, 0)]
    last = np.where(elements.last_piece > elements.first_piece, last + 1, first)
    inside, content = (range_sums(each, first, last) for each in (words, words * example.shares))
    spoken = (words > 0).astype(np.float64)
    of_kind = ((inside, content), (spoken, spoken * example.shares))
    for found, (whole, part) in zip(tokens, of_kind, strict=True):
        slots, owner = np.unique(slots_of(found.token), return_inverse=True)
        weight = np.bincount(owner, whole[found.owner])
        counts = weight > 0
        share = np.bincount(owner, part[found.owner])[counts] / weight[counts]
        votes[0, slots[counts]] += share
        votes[1, slots[counts]] += 1 - share


def sampled_blocks(example: AutoExample, most: int) -> tuple[npt.NDArray[np.intp], Floats]:
    """Which blocks are learned from, and what an error in each costs its page's F1, about: its
    words over those at stake."""
    words = example.blocks.words
    some = np.flatnonzero(words > 0)
    share = max(len(some) / most, 1.0)
    if share > 1:
        draw = np.random.default_rng(crc32(example.domain.encode()))
        some = np.sort(draw.choice(some, most, replace=False))
    stake = 0.5 * example.gold_words + 0.25 * float(words.sum()) + 20
    return some, np.minimum(words[some], 200) / stake * share
