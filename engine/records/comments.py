"""Readers' comments: found by what publishing systems call them, and set apart from the text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from winnow.document.arrays import NOTHING
from winnow.document.document import Document, Mask
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.spans import Record, joined
from winnow.document.values import Extraction
from winnow.engine.base.selector_rules import without
from winnow.engine.net.completion import kept_pieces
from winnow.engine.records.comment_words import SECTIONS, SINGLE
from winnow.extractors.base import spans_of_pieces

_FOREIGN: Final = (
    rf"(?:lista?[-_]?)?(?:{SECTIONS})(?:[-_]*(?:lista?|section|area|wrap(?:per)?|container|block"
    r"|box))?"
)
_NAME: Final = re.compile(
    r"(?:(?:the|post|blog|article|entry|user|reader|wp|fb|story|page|main|site|content|node|news)"
    r"[-_]?)?comments?(?:[-_]*(?:list|area|section|wrap(?:per)?|container|contents?|block|body|box"
    r"|holder|threads?|tree|module|inner|feed|region|pane|panel|group|items|stream|display))?"
    r"|commentlist|disqus_thread|respond|comment-?\d+"
    rf"|{_FOREIGN}",
    re.IGNORECASE,
)
"""The whole of a class or an id; not ``comments-link`` or ``has-comments``."""
_CERTAIN: Final = re.compile(
    r"(?:(?:the|post|blog|article|entry|user|reader)[-_]?)?comments(?:[-_]*(?:list|area|section"
    r"|wrap(?:per)?|container|block|template|tpl|box))?|commentlist|disqus_thread"
    rf"|{_FOREIGN}",
    re.IGNORECASE,
)
"""Names of a whole section; an essay may stand in a ``div.comment``."""
_ONE: Final = re.compile(
    r' (?:id|class)="(?:[^"]* )?(?:li-|Blog1_)?'
    rf'(?:comment|cmt|{SINGLE})(?:[-_]?[c\d][^"]*|"|\s)'
)
"""The start tag of one comment in such a section."""
_MARKS: Final = (
    "omment", "respond", "disqus_thread", "omentar", "eacties", "yorumlar", "hozzaszolasok",
)  # fmt: skip
"""What every such name holds."""
_AROUND: Final = tags.table_of("article aside dd details div dl footer li ol section table td ul")
_LEAST: Final = 25
"""Words of a text that has comments; where less is left, these are the text."""


class CommentSections(NamedTuple):
    """The pieces in what is named as comments, and in what is so beyond doubt."""

    named: Mask
    certain: Mask


def apart(
    document: Document, extraction: Extraction, comments: Mask, records: tuple[Record, ...]
) -> Extraction:
    """The extraction without the pieces of comments, which are folded: those of ``records``, or
    where there are none what was kept of all.

    As it is where hardly any text would be left.
    """
    kept = kept_pieces(document, extraction) & comments & ~document.hidden
    bodies = [span for record in records for span in record.spans]
    found = dropped(document, extraction, comments)
    if found is extraction:
        return extraction
    folded = joined(bodies or spans_of_pieces(document, kept))
    return replace(found, comments=folded, records=records)


def dropped(document: Document, extraction: Extraction, comments: Mask) -> Extraction:
    """The extraction without the pieces of comments; as it is where hardly a text would be left."""
    spans = without(document, extraction.spans, comments)
    if sum(len(document.text[span.start : span.end].split()) for span in spans) < _LEAST:
        return extraction
    return replace(extraction, spans=tuple(spans))


@needs(*_MARKS, absent=CommentSections(NOTHING, NOTHING))
def comments_of(document: Document) -> CommentSections:
    """The pieces in elements that are named as comments. O(classes and ids)."""
    elements, markup = document.elements, document.markup
    around = _AROUND[elements.tag].nonzero()[0]
    found = {
        index
        for starts, ends in (
            (elements.class_start, elements.class_end),
            (elements.id_start, elements.id_end),
        )
        for index in start_tags.holding(markup, starts[around], ends[around], _MARKS)
    }
    named = [
        element
        for element in around[sorted(found)].tolist()
        if any(map(_NAME.fullmatch, _names(document, element)))
    ]
    certain = [element for element in named if _is_certain(document, element)]
    return CommentSections(
        document.inside(np.array(named, dtype=np.int64)),
        document.inside(np.array(certain, dtype=np.int64)),
    )


def _is_certain(document: Document, element: int) -> bool:
    """Whether an element is named as a whole section of comments and holds one that is marked."""
    if not any(map(_CERTAIN.fullmatch, _names(document, element))):
        return False
    elements = document.elements
    start, end = int(elements.open_end[element]), int(elements.close_start[element])
    return _ONE.search(document.markup, start, end) is not None


def _names(document: Document, element: int) -> list[str]:
    return " ".join(document.attributes_of(element, {"class", "id"}).values()).split()
