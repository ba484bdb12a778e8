"""The features of a page's blocks (Marek, Pecina, Spousta 2007; Spousta, Marek, Pecina 2008).

Victor's are of three kinds: the markup around a block, its text, and its place in the document.
Each is a small whole number here, since a CRF has a weight for each value: shares in tenths, counts
by their logarithm. The binning is ours, and so are the features named in ``OURS``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, range_sums
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.parsing import tags

Column = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float64]
CONTAINERS: Final = {
    "container.p": "p",
    "container.a": "a",
    "container.u": "u",
    "container.class-heading": "h1 h2 h3 h4 h5 h6",
    "container.class-bold": "b strong",
    "container.class-italic": "i em",
    "container.class-list": "ul ol dl",
    "container.class-form": "form",
    "container.td": "td th",
}
NEAR: Final = ("container.a", "token.count", "container.p", "sentence-end", "tag")
"""Features that the blocks before and behind give as well."""
OURS: Final = ("tag", *(f"{side}.{name}" for side in ("before", "behind") for name in NEAR))
BINS: Final = 256
"""More than any feature has values."""
_TENTHS: Final = 10
_SENTENCE_END: Final = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s|$)|[。！？]")
_URL: Final = re.compile(r"https?://|www\.|\w\.(?:com|org|net)\b", re.IGNORECASE)
_DATE: Final = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_TIME: Final = re.compile(r"\b\d{1,2}:\d\d\b")
_BULLETS: Final = "•·*-–—»›▪■"
_CLASSES: Final = ("alpha", "num", "punct", "white", "other")
_BMP: Final = 0x10000


@dataclass(frozen=True, slots=True, eq=False)
class BlockFeatures:
    """``index``: the n blocks with visible words, in winnow.document.blocks. ``columns``: the value
    of each feature, 0..BINS - 1, each of shape (n,)."""

    index: Ints
    columns: Mapping[str, Column]

    def attributes(self) -> list[list[str]]:
        """Each block's features as words, for training."""
        rows = zip(*(column.tolist() for column in self.columns.values()), strict=True)
        return [
            [f"{name}={value}" for name, value in zip(self.columns, row, strict=True)]
            for row in rows
        ]


def block_features(document: Document) -> BlockFeatures:
    """The features of a document's blocks."""
    blocks = blocks_of(document)
    index = np.flatnonzero((blocks.words > 0) & ~blocks.hidden).astype(np.int32)
    own: dict[str, Column] = {
        **dict(_markup(document, blocks, index)),
        **dict(_text(document, blocks, index)),
        **dict(_place(document, blocks, index)),
    }
    near = {name: own[name] + 1 for name in NEAR}  # 0: there is no such block
    before = {f"before.{name}": np.append(0, column[:-1]) for name, column in near.items()}
    behind = {f"behind.{name}": np.append(column[1:], 0) for name, column in near.items()}
    columns = own | before | behind
    return BlockFeatures(
        index,
        {name: np.clip(column[: len(index)], 0, BINS - 1) for name, column in columns.items()},
    )


def _markup(document: Document, blocks: Blocks, index: Ints) -> Iterator[tuple[str, Column]]:
    first, last = blocks.first_piece[index], blocks.last_piece[index]
    lengths = document.piece_lengths
    every = np.maximum(range_sums(lengths, first, last), 1)
    for name, elements in CONTAINERS.items():
        inside = np.where(document.inside_tags(elements), lengths, 0)
        yield name, _tenths(range_sums(inside, first, last) / every)
    yield "container.img", (range_sums(document.media, first, last) > 0).astype(np.int64)
    yield "tag", np.append(document.elements.tag, 0)[blocks.element[index]].astype(np.int64)


def _text(document: Document, blocks: Blocks, index: Ints) -> Iterator[tuple[str, Column]]:
    start, end = blocks.start[index], blocks.end[index]
    size = np.maximum(end - start, 1)
    for name, counts in zip(_CLASSES, _character_counts(document.text), strict=True):
        yield f"char.{name}-rel", _tenths((counts[end] - counts[start]) / size)
    texts = [document.plain(*edges) for edges in zip(start.tolist(), end.tolist(), strict=True)]
    yield from _tokens(texts)
    yield from _sentences(texts)
    seen = Counter(texts)
    yield "duplicate-count", _logarithm([seen[text] - 1 for text in texts])
    firsts = {text: place for place, text in reversed([*enumerate(texts)])}
    yield "first-duplicate", _flags(firsts[text] == place for place, text in enumerate(texts))
    for name, pattern in (("url", _URL), ("date", _DATE), ("time", _TIME)):
        yield f"regexp.{name}", _flags(pattern.search(text) is not None for text in texts)
    yield "bullet", _flags(text.lstrip()[:1] in _BULLETS for text in texts)


def _tokens(texts: Sequence[str]) -> Iterator[tuple[str, Column]]:
    counts = np.array([_token_kinds(text) for text in texts], dtype=np.int64).reshape(-1, 4)
    every = np.maximum(counts.sum(axis=1), 1)
    yield "token.count", _logarithm(counts.sum(axis=1))
    for place, name in enumerate(("alpha", "num", "mix", "other")):
        yield f"token.{name}-rel", _tenths(counts[:, place] / every)


def _token_kinds(text: str) -> tuple[int, int, int, int]:
    """Tokens of letters, of digits, of both, of neither."""
    counts = [0, 0, 0, 0]
    for token in text.split():
        if token.isalpha():
            counts[0] += 1
        else:
            letters, digits = any(map(str.isalpha, token)), any(map(str.isdigit, token))
            counts[2 if letters and digits else 0 if letters else 1 if digits else 3] += 1
    return counts[0], counts[1], counts[2], counts[3]


def _sentences(texts: Sequence[str]) -> Iterator[tuple[str, Column]]:
    counts = np.array([len(_SENTENCE_END.findall(text)) for text in texts], dtype=np.int64)
    words = np.array([len(text.split()) for text in texts], dtype=np.int64)
    yield "sentence.count", _logarithm(counts)
    yield "sentence.avg-length", _logarithm(words // np.maximum(counts, 1))
    yield "sentence-begin", _flags(text.lstrip()[:1].isupper() for text in texts)
    yield "sentence-end", _flags(text.rstrip()[-1:] in '.!?…。！？”"' for text in texts)


def _place(document: Document, blocks: Blocks, index: Ints) -> Iterator[tuple[str, Column]]:
    size, words = len(index), blocks.words[index]
    every = max(int(words.sum()), 1)
    yield "position", _tenths(np.arange(size) / max(size - 1, 1))
    yield "document.block-count", _logarithm(np.full(size, size))
    yield "document.word-count", _logarithm(np.full(size, every))
    for name in ("div", "td"):
        group = np.append(_nearest(document, name), -1)[blocks.element[index]] + 1
        ratio = np.bincount(group, words, len(document.elements) + 1)[group] / every
        yield f"{name}-group.word-ratio", _tenths(ratio)
        yield f"document.max-{name}-group", _tenths(np.full(size, ratio.max(initial=0)))


def _nearest(document: Document, name: str) -> Ints:
    """The innermost element of a name around, or equal to, each element; or -1."""
    code, found = tags.CODES[name], list[int]()
    rows = zip(document.elements.tag.tolist(), document.elements.parent.tolist(), strict=True)
    for index, (tag, parent) in enumerate(rows):
        found.append(index if tag == code else found[parent] if parent >= 0 else -1)
    return np.array(found, dtype=np.int32)


def _character_counts(text: str) -> npt.NDArray[np.int64]:
    """How many characters of each class stand before each offset; (5, characters + 1)."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _kinds()[np.where(codes < _BMP, codes, 0)]
    is_kind = kinds[None, :] == np.arange(len(_CLASSES))[:, None]
    return np.pad(np.cumsum(is_kind, axis=1), ((0, 0), (1, 0)))


@lru_cache(maxsize=1)
def _kinds() -> npt.NDArray[np.uint8]:
    """The class of each character of the basic plane."""
    return np.array([_kind(chr(code)) for code in range(_BMP)], dtype=np.uint8)


def _kind(character: str) -> int:
    is_of = (
        character.isalpha(),
        character.isdigit(),
        category(character).startswith("P"),
        character.isspace(),
        True,
    )
    return is_of.index(True)


def _tenths(shares: Floats) -> Column:
    return (np.asarray(shares) * _TENTHS).astype(np.int64)


def _logarithm(counts: Sequence[int] | Column) -> Column:
    return np.log2(np.asarray(counts, dtype=np.float64) + 1).astype(np.int64)


def _flags(values: Iterator[bool]) -> Column:
    return np.fromiter(values, np.int64)
