"""What a word is, in every script.

A word is a run of letters, digits, marks and underscores that no tag parts. Scripts that put no
spaces between words (Han, Kana, Thai, Lao, Khmer, Myanmar) count each base character as a word of
its own: not a linguist's word, but the unit in which methods that count words agree across
languages. A symbol is any other visible character. U+FFFC, which stands for an image, is neither.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.values import MEDIA

_compiled: Any = optional_module("winnow.document._words")

Ints = npt.NDArray[np.int32]
Classes = npt.NDArray[np.uint8]

Mask = npt.NDArray[np.bool_]

BLANK, SYMBOL, WORD, IDEOGRAPH, MARK = range(5)
"""Character classes. A MARK continues what is directly before it and starts no word."""

_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x9FFF),  # Han
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),  # half-width Katakana
)
_NO_BREAKS: Final = np.zeros(0, dtype=np.int32)
_BMP: Final = 0x10000
_SUPPLEMENTARY_HAN: Final = range(0x20000, 0x40000)


def classes(text: str) -> Classes:
    """The class of every character of ``text``; shape (len(text),)."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    by_code = table()
    if text.isascii() or not len(codes) or codes.max() < _BMP:
        return by_code[codes]
    found = by_code[np.minimum(codes, _BMP - 1)]
    for position in np.flatnonzero(codes >= _BMP):
        found[position] = class_of(chr(codes[position]))
    return found


def word_starts(kinds: Classes, breaks: Ints) -> Mask:
    """Where a word starts, given the classes of a text; shape (len(text),).

    ``breaks``: offsets that part words though no blank does (a tag stands there).
    """
    goes_on = (kinds == WORD) | _continuing(kinds, breaks)
    is_start = np.ones(len(kinds), dtype=bool)
    is_start[1:] = ~goes_on[:-1]
    is_start[breaks] = True
    starts: Mask = (kinds == WORD) & is_start
    starts |= kinds == IDEOGRAPH
    return starts


def _continuing(kinds: Classes, breaks: Ints) -> Mask:
    """The marks that continue something: not those behind a blank or a break."""
    found: Mask = kinds == MARK
    if found.any():
        anchors = np.where(found, -1, np.arange(len(kinds)))
        anchors[breaks] = breaks
        anchors = np.maximum.accumulate(anchors)
        found &= (anchors >= 0) & (kinds[anchors] != BLANK) & (kinds[anchors] != MARK)
    return found


def bounds(kinds: Classes, breaks: Ints) -> tuple[Ints, Ints]:
    """Start and end of every word and symbol of a text, in order, given its classes."""
    begins = word_starts(kinds, breaks) | (kinds == SYMBOL)
    starts = np.flatnonzero(begins).astype(np.int32)
    stops = begins | (kinds == BLANK)
    stops[breaks] = True
    ends = np.append(np.flatnonzero(stops), len(kinds)).astype(np.int32)
    return starts, ends[np.searchsorted(ends, starts + 1)]


def counts(text: str, breaks: Ints) -> tuple[Ints, Ints]:
    """Words and symbols before each offset of ``text``; two arrays of shape (len(text) + 1,).

    The number that start in ``text[a:b]`` is ``counts[b] - counts[a]``.
    """
    kinds = classes(text)
    return _prefix(word_starts(kinds, breaks)), _prefix(kinds == SYMBOL)


def _piece_counts_compiled(text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    words, symbols = np.empty((2, len(starts)), dtype=np.int32)
    _compiled.piece_counts(text, starts, ends, table(), class_of, words, symbols)
    return words, symbols


def piece_counts_in_python(text: str, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Words and symbols of each ``text[start:end]``, parted from what is before by a tag.

    The stretches are in order and apart; two arrays of their shape.
    """
    words, symbols = counts(text, starts[starts < len(text)])
    return words[ends] - words[starts], symbols[ends] - symbols[starts]


piece_counts = loop(_compiled and _piece_counts_compiled, piece_counts_in_python)


def count(text: str) -> int:
    """The number of words of ``text``."""
    return int(counts(text, _NO_BREAKS)[0][-1])


def _prefix(mask: Mask) -> Ints:
    sums = np.zeros(len(mask) + 1, dtype=np.int32)
    np.cumsum(mask, out=sums[1:])
    return sums


@cache
def table() -> Classes:
    """The classes of the basic multilingual plane: made once, in some 20 ms."""
    return np.array([class_of(chr(code)) for code in range(_BMP)], dtype=np.uint8)


@lru_cache(maxsize=4096)
def class_of(character: str) -> int:
    """The class of one character."""
    if character.isspace() or character == MEDIA:
        return BLANK
    code = ord(character)
    mark = not character.isalnum() and unicodedata.category(character)[0] == "M"
    if mark:
        return MARK
    if code in _SUPPLEMENTARY_HAN or any(low <= code <= high for low, high in _UNSPACED):
        return IDEOGRAPH if character.isalnum() else SYMBOL
    if character.isalnum() or character == "_":
        return WORD
    return SYMBOL if character.isprintable() else BLANK
