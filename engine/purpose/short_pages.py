"""What a page that says little must say, or hold beside its words, to be shown as an article."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing.tags import codes_of
from winnow.document.spans import RecordKind, Span
from winnow.document.values import Extraction
from winnow.engine.base.main_region import kept_pieces

_LETTERS: Final = 5
"""Letters of a word in scripts with spaces. Where words are long, as in Finnish, 20 are a lot."""
_HAN: Final = "[\u2e80-\u2fdf\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_KANA: Final = "[\u3041-\u3096\u30a1-\u30fc\u31f0-\u31ff\uff66-\uff9d]"
_SOUTHEAST: Final = "[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]"
_UNSPACED: Final = (
    (re.compile(_HAN), 1.6),
    (re.compile(_KANA), 3.0),
    (re.compile(_SOUTHEAST), 4.0),
)
"""Letters of Han, of Kana, and of Thai, Lao, Khmer and Myanmar with their vowel signs, and how many
of them say about as much as an English word; rounded: translators reckon with 1.5 to 1.7 of Han."""
LETTERS_A_WORD: Final = 4
"""The most of these: so many times a least number of words is long in any script, for where there
are no spaces each letter counts as a word (winnow.document.words)."""
_POSTS: Final = frozenset((RecordKind.POST, RecordKind.QUESTION, RecordKind.ANSWER))
_THREAD: Final = 2
"""Posts that make a thread."""
_PLAYERS: Final = codes_of("audio embed iframe math object video")
_IMAGE: Final = codes_of("img")
_SIZES: Final = ("width", "height")
_ICON: Final = 100
"""Pixels of width or height from which a picture is no icon."""


def length_of(text: str) -> int:
    """How many words a text has, measured by its letters in each script; O(length).

    In scripts with spaces the words themselves count where these are more.
    """
    unspaced, rest = 0.0, text
    for letter, size in _UNSPACED:
        rest, number = letter.subn(" ", rest)
        unspaced += number / size
    words = sum(any(map(str.isalnum, word)) for word in rest.split())
    return max(words, sum(map(str.isalpha, rest)) // _LETTERS) + int(unspaced)


def kept_length(document: Document, spans: tuple[Span, ...]) -> int:
    """``length_of`` what spans hold."""
    return length_of(" ".join(document.plain(span.start, span.end) for span in spans))


def holds_more(document: Document, extraction: Extraction) -> bool:
    """Whether the posts of a thread, code, or a picture or player that is no icon were kept."""
    if sum(record.kind in _POSTS for record in extraction.records) >= _THREAD:
        return True
    kept = kept_pieces(document, extraction) & ~document.hidden
    if (kept & document.inside_tags("pre") & (document.piece_words > 0)).any():
        return True
    in_figure = document.inside_tags("figure")
    own = np.flatnonzero(kept & document.media).tolist()
    return any(_is_own(document, piece, in_figure=bool(in_figure[piece])) for piece in own)


def _is_own(document: Document, piece: int, *, in_figure: bool) -> bool:
    """Whether a medium is content: a player, or a picture in a figure or of a stated size."""
    element = int(document.pieces.owner[piece])
    tag, attributes = document.elements.tag[element], document.attributes_of(element, _SIZES)
    if any(size.isdecimal() and int(size) < _ICON for size in attributes.values()):
        return False
    return tag in _PLAYERS or (tag in _IMAGE and (in_figure or len(attributes) == len(_SIZES)))
