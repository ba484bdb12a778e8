"""Short texts of a page, such as titles and names: on one line, cut, compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from winnow.document.document import Document
from winnow.document.values import MEDIA

PERMALINK_SIGNS: Final = "\u00b6#\u00a7\U0001f517\uf0c1"
"""What headings carry as links to themselves."""

_OTHER: Final = re.compile(r"[\W_]+")


def shortened(text: str, limit: int) -> str:
    """A text on one line, cut at a word where it is longer than ``limit`` characters."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return flat[:limit].rsplit(" ", 1)[0] + "\u2026"


@lru_cache(maxsize=256)
def key_of(text: str) -> str:
    """A text's letters and digits in lower case: what two titles are compared by."""
    return _OTHER.sub("", text.casefold())


def is_key_of(key: str, text: str) -> bool:
    """Whether ``key`` is ``key_of(text)``; for most texts their length decides."""
    return len(text.casefold()) >= len(key) and key_of(text) == key


def text_inside(document: Document, element: int) -> str:
    """The text of an element on one line, media left out."""
    first, behind = document.elements.first_piece[element], document.elements.last_piece[element]
    if first >= behind:
        return ""
    pieces = document.pieces
    start, end = int(pieces.start[first]), int(pieces.end[behind - 1])
    return " ".join(document.text[start:end].replace(MEDIA, " ").split())
