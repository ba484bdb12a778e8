"""The hashes of a text's words, most of them from a cache: a language repeats itself.

``hashes_in_python`` is the
definition of what is found; ``_loops.c``, where it could be built, finds the same in a fifth of
the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from winnow.document.compiled import loop, optional_module
from winnow.document.parsing.scan import Ints
from winnow.extractors.mss.stems import Hashes

if TYPE_CHECKING:
    from winnow.extractors.mss import _loops
else:
    _loops = optional_module("winnow.extractors.mss._loops")

BITS: Final = 16
_SLOT: Final = 48
_UTF_32: Final = f"utf-32-{sys.byteorder[0]}e"


class Vocabulary:
    """A function of words with a cache of 2**bits words at most, 48 bytes each.

    The function gives numbers of 64 bits. A full cache starts again.
    """

    def __init__(self, function: Callable[[str], int], bits: int = BITS) -> None:
        self._function = function
        self._table = np.zeros(_SLOT << bits if _loops else 0, dtype=np.uint8)
        self._cache = _WordCache(function, 1 << bits)

    def _compiled(self, text: str, starts: Ints, ends: Ints) -> Hashes:
        found = _loops.hashes(self._table, text, starts, ends, self._function)
        return np.frombuffer(found, dtype=np.uint64)

    def hashes_in_python(self, text: str, starts: Ints, ends: Ints) -> Hashes:
        """The function of every ``text[start:end]``, words without a blank; shape (starts,)."""
        words = _cut(text, starts, ends)
        return np.fromiter(map(self._cache.__getitem__, words), np.uint64, len(starts))

    hashes = loop(_compiled if _loops else None, hashes_in_python)


def _cut(text: str, starts: Ints, ends: Ints) -> list[str]:
    """Every ``text[start:end]``, none of which holds a blank: one copy of them all, blanks between,
    is split in half the time that cutting takes."""
    lengths = (ends - starts).astype(np.int64)
    behind = np.cumsum(lengths)
    characters = np.array([text]).view(np.uint32)
    number = np.repeat(np.arange(len(starts)), lengths)
    place = np.arange(len(number))
    spaced = np.full(len(number) + len(starts), ord(" "), dtype=np.uint32)
    spaced[place + number] = characters[place + (starts - behind + lengths)[number]]
    return spaced.tobytes().decode(_UTF_32, "surrogatepass").split(" ")[: len(starts)]


class _WordCache(dict[str, int]):
    """Computes missing values by the function, and empties itself when it is full."""

    def __init__(self, function: Callable[[str], int], limit: int) -> None:
        super().__init__()
        self._function, self._limit = function, limit

    def __missing__(self, word: str) -> int:
        if len(self) >= self._limit:
            self.clear()
        found = self[word] = self._function(word)
        return found
