"""A document's markup as a browser is given it: elements numbered, addresses taken out.

What would be fetched, embedded or moved to is named by an attribute that no browser follows, so a
page can ask for nothing but what its styles import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags

MARK: Final = "data-winnow-element"
"""The attribute that holds an element's index in ``Document.elements``."""

_FETCHING: Final = tags.table_of("base embed frame iframe link meta object")
_ADDRESS: Final = re.compile(r' (src|srcdoc|href|data|http-equiv|charset)="', re.IGNORECASE)
_NAME: Final = re.compile(r"[^\s>/]*", re.ASCII)


def numbered_markup(document: Document) -> str:
    """The markup with every element's index in it; O(len(markup))."""
    return "".join(_parts(document))


def _parts(document: Document) -> Iterator[str]:
    markup, position = document.markup, 0
    elements = document.elements
    rows = np.stack([elements.open_start, elements.open_end, elements.tag], axis=1).tolist()
    for element, (start, end, tag) in enumerate(rows):
        name = _NAME.match(markup, start + 1)
        inside = name.end() if name else start + 1
        yield markup[position:inside]
        yield f' {MARK}="{element}"'
        opening = markup[inside:end]
        yield _ADDRESS.sub(r' data-was-\1="', opening) if _FETCHING[tag] else opening
        position = end
    yield markup[position:]
