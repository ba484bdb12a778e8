"""Hashed tokens of a whole page, and what each is worth for each page type.

Three groups: the tokens of its attributes and of its texts (attribute_tokens.py), and those of its
head: the words of address, title and structured data. A page has a token or has it not. The worth
is that of a naive Bayes classifier of binary features (McCallum & Nigam 1998, section 2.1), with a
term for tokens present alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.document.addresses import NO_PARTS, parts_of
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document
from winnow.extractors.auto.features import head_metadata
from winnow.extractors.auto.features.attribute_tokens import AttributeTokens, fold

_compiled: Any = optional_module("winnow.extractors.auto._fast")

Floats = npt.NDArray[Any]
Slots = npt.NDArray[np.intp]
Scores = npt.NDArray[np.int8]

BITS: Final = 17
"""A token's slot is the lowest bits of its hash."""
_MASK: Final = (1 << BITS) - 1
SCALE: Final = 6.0
"""Scores are stored as bytes: the logarithm of the odds times this. Finer ones gain nothing, and
make the model larger."""
STRONGEST: Final = 15
"""The largest score: a factor of twelve."""
SEEN_ON: Final = 6
"""Training pages below which a token says nothing."""
GROUPS: Final = ("attributes", "texts", "head")
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORDS: Final = 20
"""Words read of a title or of one part of an address."""


def page_tokens(document: Document, *found: AttributeTokens) -> tuple[Slots, ...]:
    """The distinct slots of each group of GROUPS; ``found``: tokens of elements and of blocks."""
    tokens = "\0".join(head_tokens(document)).encode().split(b"\0")
    head = {crc32(token) & _MASK for token in tokens}
    return (*[distinct(each.token) for each in found], np.array(sorted(head), dtype=np.intp))


def _distinct_compiled(tokens: npt.NDArray[np.uint32]) -> Slots:
    return np.frombuffer(_compiled.distinct(tokens), dtype=np.int64)


def distinct_in_python(tokens: npt.NDArray[np.uint32]) -> Slots:
    """The distinct slots of tokens, in order."""
    is_there = np.zeros(1 << BITS, dtype=np.bool_)
    is_there[tokens & np.uint32(_MASK)] = True
    return np.flatnonzero(is_there)


distinct = loop(_compiled and _distinct_compiled, distinct_in_python)


def head_tokens(document: Document) -> list[str]:
    """What the head says: structured data, the page's own address, its title."""
    head = head_metadata.head_of(document)
    found = ["k" + kind for kind in head.kinds] + ["o" + head.open_graph_type]
    found += ["i" + kind.lower() for kind in document.item_types]
    found += ["t" + word for word in _WORD.findall(fold(document.title))[:_WORDS]]
    return [*found, *_of_address(head.address)]


@lru_cache(maxsize=64)
def _of_address(address: str) -> tuple[str, ...]:
    return tuple(_parts_of_address(address))


def _parts_of_address(address: str) -> Iterator[str]:
    parts = parts_of(address)
    if parts is NO_PARTS:
        return
    *folders, last = parts.path.lower().strip("/").split("/")
    yield from ("f" + word for folder in folders for word in _WORD.findall(folder)[:_WORDS])
    yield from ("l" + word for word in _WORD.findall(last)[:_WORDS])
    yield from ("h" + name for name in parts.netloc.split(".")[:-1])
    yield from ("n" + _shape(part) for part in (*folders, last) if any(map(str.isdigit, part)))
    yield f"d{min(len(folders), 6)}"
    yield f"-{min(last.count('-'), 8)}"
    if parts.query:
        yield "q"


def _shape(part: str) -> str:
    """Letters as one a, each digit as 0."""
    return re.sub(r"\d", "0", _WORD.sub("a", part))[:12]


@dataclass(frozen=True, eq=False)
class TypeLexicon:
    """``scores``: a byte for each page type and slot, shape (types, 2**BITS); 0 says nothing."""

    scores: Scores

    def _score_compiled(self, tokens: Sequence[Slots]) -> npt.NDArray[np.float32]:
        types = len(self.scores)
        worths = [_compiled.type_worths(self._by_slot, types, slots, SCALE) for slots in tokens]
        return np.frombuffer(b"".join(worths), dtype=np.float32)

    @cached_property
    def _by_slot(self) -> Scores:
        """The scores with those of a slot side by side."""
        return np.ascontiguousarray(self.scores.T)

    def score_in_python(self, tokens: Sequence[Slots]) -> npt.NDArray[np.float32]:
        """The sum of the scores over the root of their number, for each group and in it for each
        type; (groups * types,)."""
        taken = [self.scores.take(slots, axis=1) for slots in tokens]
        sums = np.array([scores.sum(axis=1, dtype=np.int32) for scores in taken])
        counts = np.array([np.count_nonzero(scores, axis=1) for scores in taken])
        weighed = sums / (SCALE * np.sqrt(np.maximum(counts, 1)))
        found: npt.NDArray[np.float32] = weighed.ravel().astype(np.float32)
        return found

    score = loop(_compiled and _score_compiled, score_in_python)


def type_lexicon(typed: Iterable[tuple[int, Sequence[Slots]]], types: int) -> TypeLexicon:
    """What tokens are worth, by pages: the number of the type, and the page's tokens."""
    pages, sizes = np.zeros((types, 1 << BITS)), np.zeros(types)
    for kind, groups in typed:
        sizes[kind] += 1
        pages[kind, np.unique(np.concatenate(groups))] += 1
    return TypeLexicon(worth(pages, sizes))


def worth(pages: Floats, sizes: Floats) -> Scores:
    """The logarithm of the odds of a type if a token is there, smoothed by its share of all pages.

    ``pages``: how many of each type have each token, (types, slots); ``sizes``: of each type.
    """
    every, total = pages.sum(axis=0), float(sizes.sum())
    prior = (every + 1) / (total + 1)
    inside = (pages + prior) / (sizes[:, None] + 1)
    outside = (every - pages + prior) / (total - sizes[:, None] + 1)
    scores = np.clip(np.round(np.log(inside / outside) * SCALE), -STRONGEST, STRONGEST)
    return np.where(every >= SEEN_ON, scores, 0).astype(np.int8)
