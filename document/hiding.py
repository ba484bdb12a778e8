"""Which elements a browser would not show. Knows attributes; no style sheets, no scripts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from document.document import Document

_SIGNS: Final = (
    ' hidden="',
    "display:none",
    "display: none",
    "visibility:hidden",
    "visibility: hidden",
)
"""What hides an element where it stands in an opening tag; found by plain search, which is fast."""
_HIDING: Final = re.compile(
    r' hidden="(?!until-found)| style="[^"]*?(?:display: ?none|visibility: ?hidden)'
)
_STREAMED: Final = ' id="S:'
"""React streams parts of a page as ``<div hidden id="S:0">``, which a script moves later."""


def hiding_elements(document: Document) -> Iterator[int]:
    """The elements with ``hidden`` (HTML standard, 6.1) or an inline style that hides them."""
    elements, markup = document.elements, document.markup
    starts = elements.open_start.tolist()
    for offset in _offsets(markup):
        index = bisect_right(starts, offset) - 1
        if index < 0 or offset >= elements.open_end[index]:
            continue
        opening = markup[starts[index] : int(elements.open_end[index])]
        if _HIDING.search(opening) and _STREAMED not in opening:
            yield index


def _offsets(markup: str) -> Iterator[int]:
    for sign in _SIGNS:
        offset = markup.find(sign)
        while offset >= 0:
            yield offset
            offset = markup.find(sign, offset + 1)
