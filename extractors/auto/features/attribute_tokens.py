"""Hashed tokens of a page's attributes and short texts, and a table of what each is worth.

Tokens of elements: the words of ``class``, ``id``, ``role`` and ``itemprop`` and the parts of these
words, and the names of custom elements. Tokens of blocks: a short text as a whole and word by word,
a long text's first and last words. A token is 31 bits of a CRC-32 and a bit for those of ``class``.
This defines what is found; ``_fast.c``, where it could be built, finds the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, once
from winnow.document.parsing.scan import Ints

_compiled: Any = optional_module("winnow.extractors.auto._fast")

MARKS: Final = {"class": "c", "id": "c", "role": "r", "itemprop": "i"}
"""Attributes that are read and the mark of their tokens."""
MAX_WORDS, MAX_WORD = 12, 40
"""Words read of one attribute, and characters of a word that is read."""
HEAD, TAIL = 120, 40
"""Characters read of a block's beginning and, where it is longer, of its end."""
MAX_PHRASE, MAX_SHORT, MAX_SINGLE = 6, 15, 8
"""Words up to which a text is one token, counts as short, and is read word by word."""

OF_CLASS: Final = 1 << 31
"""The bit of tokens that come from a ``class``: elements of one class look alike."""

Hashes = npt.NDArray[np.uint32]

_ATTRIBUTE: Final = re.compile(r' ([^ ="]+)="([^"]*)"')
_PART: Final = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_DIGITS: Final = re.compile(r"\d+")
_UNEVEN: Final = frozenset("\u0130\u03a3")  # in a text these have another lower case than alone


class AttributeTokens(NamedTuple):
    """k tokens: the element or block each belongs to, and its hash; both of shape (k,)."""

    owner: Ints
    token: Hashes


def _element_tokens_compiled(document: Document) -> AttributeTokens:
    elements = document.elements
    columns = (elements.tag, elements.open_start, elements.open_end)
    return _from_bytes(_compiled.element_tokens(document.markup, *columns))


def element_tokens_in_python(document: Document) -> AttributeTokens:
    """The tokens of all opening tags, in document order."""
    return _collected(_of_elements(document))


element_tokens = once(loop(_compiled and _element_tokens_compiled, element_tokens_in_python))


def _block_tokens_compiled(document: Document, blocks: Blocks) -> AttributeTokens:
    return _from_bytes(_compiled.block_tokens(document.text, blocks.start, blocks.end))


def block_tokens_in_python(document: Document, blocks: Blocks) -> AttributeTokens:
    """The tokens of all blocks' texts, in document order."""
    return _collected(_of_blocks(document, blocks))


block_tokens = loop(_compiled and _block_tokens_compiled, block_tokens_in_python)


def fold(text: str) -> str:
    """Lower case, character by character, and each run of digits as one 0."""
    lower = text.lower() if _UNEVEN.isdisjoint(text) else "".join(c.lower()[0] for c in text)
    return _DIGITS.sub("0", lower)


def tokens_of_value(value: str, mark: str) -> Iterator[str]:
    """The tokens of one attribute's value."""
    for word in value.split()[:MAX_WORDS]:
        if len(word) > MAX_WORD:
            continue
        yield f"{mark}.{fold(word)}"
        for part in _PART.findall(word):
            if len(part) > 2:
                yield f"{mark}-{part.lower()}"


def tokens_of_text(text: str) -> Iterator[str]:
    """The tokens of one block's text."""
    words = _WORD.findall(fold(text[:HEAD]))
    if not words:
        return
    short = len(text) <= HEAD
    if short and len(words) <= MAX_PHRASE:
        yield "=" + " ".join(words)
    if short and len(words) <= MAX_SHORT:
        yield from ("w" + word for word in words[:MAX_SINGLE])
    else:
        yield ">" + " ".join(words[:2])
    last = words if short else _WORD.findall(fold(text[-TAIL:]))
    yield "^" + words[0]
    if last:
        yield "$" + last[-1]


def _of_elements(document: Document) -> Iterator[tuple[int, Iterable[int]]]:
    starts, ends = document.elements.open_start.tolist(), document.elements.open_end.tolist()
    custom = (document.elements.tag == 0).tolist()
    for element, (start, end) in enumerate(zip(starts, ends, strict=True)):
        opening = document.markup[start:end]
        found = []
        if custom[element]:
            found.append(_hash("n" + fold(opening[1:-1].partition(" ")[0][:MAX_WORD])))
        for name, value in _ATTRIBUTE.findall(opening):
            if name in MARKS:
                bit = OF_CLASS if name == "class" else 0
                found += [_hash(token) | bit for token in tokens_of_value(value, MARKS[name])]
        yield element, found


def _of_blocks(document: Document, blocks: Blocks) -> Iterator[tuple[int, Iterable[int]]]:
    edges = zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    for index, (start, end) in enumerate(edges):
        yield index, map(_hash, tokens_of_text(document.text[start:end]))


def _hash(token: str) -> int:
    return crc32(token.encode("utf-8", "surrogatepass")) & ~OF_CLASS


def _collected(owned: Iterable[tuple[int, Iterable[int]]]) -> AttributeTokens:
    pairs = [(owner, token) for owner, tokens in owned for token in tokens]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return AttributeTokens(table[:, 0].astype(np.int32), table[:, 1].astype(np.uint32))


def _from_bytes(found: tuple[bytes, bytes]) -> AttributeTokens:
    owner, token = found
    return AttributeTokens(
        np.frombuffer(owner, dtype=np.int32), np.frombuffer(token, dtype=np.uint32)
    )


BITS: Final = 20
"""A token's slot is the lowest bits of its hash; two tokens of one slot share one score."""
SCALE: Final = 24.0
"""Scores are stored as bytes: the logarithm of the odds times this, within -127..127."""
PRIOR, STRENGTH, SEEN_ON = 0.4, 2.0, 3
"""Share of words that are content, weight of this belief in pages, pages below which it stays."""

Scores = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


def slots_of(tokens: Hashes) -> npt.NDArray[np.intp]:
    """The slot of each token; shape (k,)."""
    return (tokens & np.uint32((1 << BITS) - 1)).astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """``scores``: a byte a slot, shape (2**BITS,); above 0 speaks for content, 0 says nothing."""

    scores: Scores

    def _score_compiled(self, tokens: AttributeTokens, size: int) -> Floats:
        found = _compiled.worths(self.scores, tokens.owner, tokens.token, size, SCALE)
        return np.frombuffer(found, dtype=np.float32)

    def score_in_python(self, tokens: AttributeTokens, size: int) -> Floats:
        """The sum of its tokens' scores over the root of their number, per owner; shape (size,).

        Tokens without a score do not count. The root lets agreeing tokens strengthen each other.
        """
        worth = self.scores.take(slots_of(tokens.token) & (len(self.scores) - 1))
        total = np.bincount(tokens.owner, worth, size)
        number = np.bincount(tokens.owner, worth != 0, size)
        return (total / (SCALE * np.sqrt(np.maximum(number, 1)))).astype(np.float32)

    score = loop(_compiled and _score_compiled, score_in_python)


def scores_from(content: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> Scores:
    """Scores from the pages' votes per slot, how much was content and how much was not.

    The smoothed logarithm of the odds, less that of the belief before any page was seen.
    """
    odds = (content + STRENGTH * PRIOR) / (other + STRENGTH * (1 - PRIOR))
    score = np.log(odds) - np.log(PRIOR / (1 - PRIOR))
    rounded = np.round(np.clip(score * SCALE, -127, 127))
    return np.where(content + other >= SEEN_ON, rounded, 0).astype(np.int8)
