"""The blocks of a plain text with their places, and links that lead to them.

Source: URL Fragment Text Directives (WICG): ``#:~:text=start,end``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from winnow.document.article_fields import TextBlock

_BLOCK: Final = re.compile(r"\S(?:.*\S)?(?:\n(?!\n).*\S)*")
_WHOLE: Final = 12
"""A block of so many words is named whole; a longer one by its first and last words."""
_ENDS: Final = 5


def blocks_of_text(text: str, url: str | None) -> Iterator[TextBlock]:
    """The blocks, which an empty line separates; offsets in code points."""
    page = (url or "").partition("#")[0]
    for block in _BLOCK.finditer(text):
        link = f"{page}#:~:text={fragment(block[0])}" if page else None
        yield TextBlock(block.start(), block.end(), link)


def fragment(block: str) -> str:
    """The text directive's value for a block: its words within one line each."""
    lines = [line.split() for line in re.split(r"[\n\t]", block) if line.strip()]
    first, last = lines[0], lines[-1]
    if len(lines) == 1 and len(first) <= _WHOLE:
        return _escaped(first)
    return f"{_escaped(first[:_ENDS])},{_escaped(last[-_ENDS:])}"


def _escaped(words: list[str]) -> str:
    """A hyphen would name what stands before or behind."""
    return quote(" ".join(words), safe="").replace("-", "%2D")
