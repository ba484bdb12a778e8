"""The classifier's features of a token: its trigram and the most recent unclosed tag (section 6.2).

Computed in arrays, in one pass over the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.scan import Elements, Ints
from winnow.document.tokens import TAG, WORD, Tokens
from winnow.extractors.mss import stems
from winnow.extractors.mss.stems import Hashes, Mask, string_hash, tag_hashes, token_hash
from winnow.extractors.mss.vocabulary import Vocabulary

if TYPE_CHECKING:
    from winnow.extractors.mss import _loops
else:
    _loops = optional_module("winnow.extractors.mss._loops")

_IS_VOID: Final = np.isin(np.arange(len(tags.NAMES)), list(tags.VOID))
_SECOND: Final = np.uint64(0x9E3779B97F4A7C15)
_THIRD: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_FOLD: Final = np.uint64(32)
_NUMBER: Final = np.uint64(token_hash("1"))
_ANY_WORD: Final = np.uint64(string_hash(stems.WORD))
_VOCABULARY: Final = Vocabulary(token_hash)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of a page's n tokens; every array has the shape (n,).

    ``unigrams``: hash of each token. ``trigrams``: hash of it and the two behind it. ``open``: tag
    code of the most recent unclosed tag (0: none, or no common one). ``words``: whether it is a
    word and no number.
    """

    unigrams: Hashes
    trigrams: Hashes
    open: Ints
    words: Mask

    def shapes(self) -> Hashes:
        """The trigrams with every word replaced by one: they match in any language."""
        return trigrams(np.where(self.words, _ANY_WORD, self.unigrams))


def features(document: Document, common: Mask) -> Features:
    """The features of a document's tokens; ``common``: which tag codes have a name, not UNKNOWN."""
    tokens = document.tokens
    unigrams = _unigrams(document, common)
    codes = np.append(document.elements.tag, 0)[unclosed(tokens, document.elements)]
    words = (tokens.kind == WORD) & (unigrams != _NUMBER)
    return Features(unigrams, trigrams(unigrams), np.where(common[codes], codes, 0), words)


def _unigrams(document: Document, common: Mask) -> Hashes:
    tokens, text = document.tokens, document.text
    found = np.empty(len(tokens), dtype=np.uint64)
    is_tag = tokens.kind == TAG
    codes = document.elements.tag[tokens.element[is_tag]]
    found[is_tag] = tag_hashes(common)[codes, tokens.closing[is_tag].astype(np.intp)]
    found[~is_tag] = _VOCABULARY.hashes(text, tokens.start[~is_tag], tokens.end[~is_tag])
    return found


def trigrams(unigrams: Hashes) -> Hashes:
    """The hash of each token and the two behind it; behind the last stand zeros; shape (n,)."""
    behind = np.append(unigrams, np.zeros(2, dtype=np.uint64))
    mixed: Hashes = unigrams + behind[1:-1] * _SECOND + behind[2:] * _THIRD
    mixed ^= mixed >> _FOLD
    mixed *= _MIX
    mixed ^= mixed >> _FOLD
    return mixed


def _unclosed_compiled(tokens: Tokens, elements: Elements) -> Ints:
    opening, void = _openings(tokens, elements)
    found = _loops.unclosed(tokens.element, opening.view(np.uint8) + void, elements.parent)
    return np.frombuffer(found, dtype=np.int32)


def unclosed_in_python(tokens: Tokens, elements: Elements) -> Ints:
    """The element whose opening tag is the most recent unclosed one before each token; -1: none.

    The stack of section 6.2 without the stack: it is the element around the token, or, since a
    void element is never closed before its parent is, the last void element before it in there.
    """
    opening, voids = _openings(tokens, elements)
    around = np.where(opening, elements.parent[tokens.element], tokens.element)
    void = np.flatnonzero(voids)
    size = np.int64(len(tokens) + 1)
    keys = np.append(np.sort(around[void] * size + void), -2 * size)
    before = np.searchsorted(keys[:-1], around * size + np.arange(len(tokens))) - 1
    parent, position = np.divmod(keys[before], size)
    found = np.where(parent == around, tokens.element[position], around)
    return found.astype(np.int32)


unclosed = loop(_unclosed_compiled if _loops else None, unclosed_in_python)


def _openings(tokens: Tokens, elements: Elements) -> tuple[Mask, Mask]:
    """Which tokens are opening tags, and which of them those of void elements."""
    opening = (tokens.kind == TAG) & ~tokens.closing
    return opening, opening & _IS_VOID[elements.tag[tokens.element]]
