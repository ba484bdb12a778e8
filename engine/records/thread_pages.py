"""Which pages are threads: what readers wrote is what they are for."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.parsing.signature import needs
from winnow.document.values import Extraction, Purpose
from winnow.engine.net.completion import kept_pieces
from winnow.engine.records.comment_tails import tail_of
from winnow.engine.records.comments import comments_of

_THREADS: Final = frozenset({Purpose.THREAD, Purpose.QUESTION})
_POST: Final = re.compile(r'p(?:id|ost_(?:message_|content)?)?(\d+)"')
_MANY: Final = 10
"""Records, by which a page is a thread where the rest is less than _FEW words."""
_FEW: Final = 150
_STORY: Final = 60
"""Words of a story above its discussion."""


def is_thread_page(document: Document, extraction: Extraction) -> bool:
    """Whether posts are what the page is for; a story is not one, nor an article whose comments are
    numbered as forums number posts."""
    if is_thread(extraction):
        return not is_story(document, extraction)
    if not has_posts(document):
        return False
    nothing = np.zeros(len(document.pieces), dtype=np.bool_)
    is_article = extraction.page_type == "article"
    return not (is_article and tail_of(document, extraction, nothing).any())


def is_thread(extraction: Extraction) -> bool:
    """Whether what readers wrote is what the page is for."""
    return extraction.page_type == "forum" or extraction.purpose in _THREADS


def is_story(document: Document, extraction: Extraction) -> bool:
    """Whether what looks like a forum is a text of some length above its comments, which are named
    beyond doubt: news that readers discuss."""
    if extraction.purpose in _THREADS:
        return False
    kept = kept_pieces(document, extraction) & ~document.hidden
    certain = comments_of(document).certain & kept
    rest = (kept & ~certain & (document.piece_words > 0)).nonzero()[0]
    said = certain.nonzero()[0]
    before = rest[rest < said[0]] if len(said) else rest[:0]
    return bool(document.piece_words[before].sum() >= _STORY)


def is_discussed(document: Document, extraction: Extraction, comments: Mask, number: int) -> bool:
    """Whether a few words have many answers: they begin a thread, unless they are a story."""
    if is_thread(extraction):
        return False  # is_story found that they are one
    words, kept = document.piece_words, kept_pieces(document, extraction)
    said, rest = int(words[kept & comments].sum()), int(words[kept & ~comments].sum())
    return number >= _MANY and rest < _FEW and said > 5 * rest


@needs(' id="p', absent=False)
def has_posts(document: Document) -> bool:
    """Whether elements are numbered as forum programs number posts, and blogs do not."""
    starts = document.elements.id_start
    markup = document.markup
    begun = (at for at in starts[starts > 0].tolist() if markup[at] == "p")
    return len({post[1] for at in begun if (post := _POST.match(markup, at))}) > 2
