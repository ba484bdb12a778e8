"""A token's 64-bit hash: words as Porter stems, numbers as 1, symbols and tags as they are.

The hashes are the same in every process, so that models can store them.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt
from Stemmer import Stemmer

from winnow.document.parsing import tags

Hashes = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

WORD: Final = "<WORD>"
"""Stands for any word but a number in a shape."""
UNKNOWN: Final = "<UNKNOWN>"
"""Stands for every tag that too few training sources have (section 5.2)."""
_PORTER: Final = Stemmer("porter", 0)


def token_hash(token: str) -> int:
    """The hash of a word or symbol; words that share a Porter stem share it, and so do numbers."""
    if token.isdecimal():
        return string_hash("1")
    return string_hash(_PORTER.stemWord(token.lower()))


def string_hash(text: str) -> int:
    """The first 64 bits of a BLAKE2b digest."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@cache
def _tag_hashes() -> Hashes:
    """Of each tag code: the hash of its opening and of its closing tag; shape (codes, 2)."""
    rows = [(string_hash(f"<{name}>"), string_hash(f"</{name}>")) for name in tags.NAMES]
    return np.array(rows, dtype=np.uint64)


def tag_hashes(common: Mask) -> Hashes:
    """The same, where a tag that is not common is the one unknown tag; shape (codes, 2)."""
    hashes: Hashes = np.where(common[:, None], _tag_hashes(), np.uint64(string_hash(UNKNOWN)))
    return hashes
