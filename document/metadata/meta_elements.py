"""What the ``<meta>`` elements of a page say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from winnow.document.document import Document
from winnow.document.parsing.start_tags import unescaped, values

_UNEVEN: Final = re.compile(r"[^\S ]|\A | \Z|  ")
"""Blanks that are not one between two words."""
_META: Final = ("content", "property", "name", "itemprop", "http-equiv")
_MANY: Final = frozenset({"citation_author"})  # each author has one for himself


def metas_of(document: Document) -> Mapping[str, str]:
    """The content of each ``<meta>`` by its name in lower case; the first that is not empty."""
    elements, metas = document.elements, document.elements_named("meta")
    starts, ends = elements.open_start[metas], elements.open_end[metas]
    contents, *keys = values(document.markup, starts, ends, _META)
    said, found = dict(contents), dict[str, str]()
    named = [pair for pair in sorted(chain(*keys)) if pair[0] in said]
    lowered = "\0".join([key for _, key in named]).lower().split("\0")
    for (index, _), key in zip(named, lowered, strict=False):  # without any, one that is empty
        name = (unescaped(key) if "&" in key else key).strip()
        if not name or (name in found and name not in _MANY):
            continue
        content = unescaped(said[index]) if "&" in said[index] else said[index]
        if _UNEVEN.search(content):
            content = " ".join(content.split())
        if content:
            found[name] = f"{found[name]}; {content}" if name in found else content
    return found
