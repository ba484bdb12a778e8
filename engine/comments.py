"""Readers' comments: found by what publishing systems call them, and set apart from the text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np

from winnow.document import start_tags, tags
from winnow.document.document import Document, Mask
from winnow.document.spans import Record, joined
from winnow.document.values import Extraction, Purpose
from winnow.engine.selector_rules import without

_NAME: Final = re.compile(
    r"(?:(?:the|post|blog|article|entry|user|reader|wp|fb|story|page|main|site|content|node|news)"
    r"[-_]?)?comments?(?:[-_]*(?:list|area|section|wrap(?:per)?|container|contents?|block|body|box"
    r"|holder|threads?|tree|module|inner|feed|region|pane|panel|group|items|stream|display))?"
    r"|commentlist|disqus_thread|respond|comment-?\d+",
    re.IGNORECASE,
)
"""The whole of a class or an id; not ``comments-link`` or ``has-comments``."""
_MARKS: Final = (("omment", 1), ("respond", 3), ("disqus_thread", 3))
"""What they hold, and the index of its rarest letter."""
_AROUND: Final = tags.table_of("article aside dd details div dl footer li ol section table td ul")
_THREADS: Final = frozenset({Purpose.THREAD, Purpose.QUESTION})
_LEAST: Final = 25
"""Words of a text that has comments; where less is left, these are the text."""


def apart(
    document: Document, extraction: Extraction, comments: Mask, records: tuple[Record, ...]
) -> Extraction:
    """The extraction without the pieces of comments; ``records``: those that are folded.

    As it is where hardly any text would be left.
    """
    spans = without(document, extraction.spans, comments)
    if sum(len(document.text[span.start : span.end].split()) for span in spans) < _LEAST:
        return extraction
    folded = joined(span for record in records for span in record.spans)
    return replace(extraction, spans=tuple(spans), comments=folded, records=records)


def is_thread(extraction: Extraction) -> bool:
    """Whether what readers wrote is what the page is for."""
    return extraction.page_type == "forum" or extraction.purpose in _THREADS


def comments_of(document: Document) -> Mask:
    """The visible pieces in elements that are named as comments."""
    elements, markup = document.elements, document.markup
    found = [at for word, rare in _MARKS for at in start_tags.standing(markup, word, rare)]
    offsets = np.array(found, dtype=np.int32)
    owners = elements.open_start.searchsorted(offsets, side="right") - 1
    owners = owners[(owners >= 0) & (offsets < elements.open_end[owners])]
    named = [
        element
        for element in set(owners[_AROUND[elements.tag[owners]]].tolist())
        if any(map(_NAME.fullmatch, _names(document, element)))
    ]
    return document.inside(np.array(named, dtype=np.int64)) & ~document.hidden


def _names(document: Document, element: int) -> list[str]:
    return " ".join(document.attributes_of(element, {"class", "id"}).values()).split()
