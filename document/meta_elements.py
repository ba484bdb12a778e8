"""What the ``<meta>`` elements of a page say."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

from winnow.document import start_tags
from winnow.document.document import Document

_META: Final = ("content", "property", "name", "itemprop", "http-equiv")
_MANY: Final = frozenset({"citation_author"})
"""Names that each author has for himself."""


def metas_of(document: Document) -> Mapping[str, str]:
    """The content of each ``<meta>`` by its name in lower case; the first that is not empty."""
    metas, elements = document.elements_named("meta"), document.elements
    starts, ends = elements.open_start[metas], elements.open_end[metas]
    contents, *names = start_tags.values(document.markup, starts, ends, _META)
    said = {at: " ".join(start_tags.unescaped(content).split()) for at, content in contents}
    found: dict[str, str] = {}
    for at, key in sorted(chain.from_iterable(names)):
        content, name = said.get(at), start_tags.unescaped(key).strip().lower()
        if not content or not name:
            continue
        before = found.get(name)
        if before is None:
            found[name] = content
        elif name in _MANY:
            found[name] = f"{before}; {content}"
    return found
