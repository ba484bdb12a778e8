"""What the ``<meta>`` elements of a page say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from winnow.document.document import Document

_META: Final = frozenset({"content", "property", "name", "itemprop", "http-equiv"})
_MANY: Final = frozenset({"citation_author"})
"""Names that each author has for himself."""


def metas_of(document: Document) -> Mapping[str, str]:
    """The content of each ``<meta>`` by its name in lower case; the first that is not empty."""
    found: dict[str, str] = {}
    for element in document.elements_named("meta"):
        attributes = document.attributes_of(element, _META)
        content = " ".join(attributes.pop("content", "").split())
        for key in attributes.values() if content else ():
            if name := key.strip().lower():
                before = found.get(name)
                if before is None:
                    found[name] = content
                elif name in _MANY:
                    found[name] = f"{before}; {content}"
    return found
