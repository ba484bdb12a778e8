"""What the ``<meta>`` elements of a page say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from winnow.document.document import Document
from winnow.document.parsing.start_tags import unescaped, values

_UNEVEN: Final = re.compile(r"[^\S ]|(?:\A|\0| ) | (?:\Z|\0)")
"""Blanks that are not one between two words, in texts with a NUL between them."""
_BLANK: Final = re.compile(r"\s")
_META: Final = ("content", "property", "name", "itemprop", "http-equiv")
_MANY: Final = frozenset({"citation_author"})  # each author has one for himself


def metas_of(document: Document) -> Mapping[str, str]:
    """The content of each ``<meta>`` by its name in lower case; the first that is not empty."""
    elements, metas = document.elements, document.elements_named("meta")
    starts, ends = elements.open_start[metas], elements.open_end[metas]
    contents, *keys = values(document.markup, starts, ends, _META)
    said, found = dict(contents), dict[str, str]()
    named = [pair for pair in sorted(chain(*keys)) if pair[0] in said]
    lowered = "\0".join([key for _, key in named]).lower()
    plain = not ("&" in lowered or _BLANK.search(lowered))
    texts = [unescaped(text) if "&" in text else text for text in said.values()]
    if _UNEVEN.search("\0".join(texts)):
        texts = [" ".join(text.split()) for text in texts]
    said = dict(zip(said, texts, strict=True))
    for (index, _), key in zip(named, lowered.split("\0"), strict=False):  # without any, one empty
        name = key if plain else unescaped(key).strip()
        content = said[index]
        if name and content and (name not in found or name in _MANY):
            found[name] = f"{found[name]}; {content}" if name in found else content
    return found
