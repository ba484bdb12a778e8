"""Where records stand in an article: as articles of their own, in no list and no table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.parsing import tags

_ARTICLE: Final = tags.CODES["article"]
_DIV: Final = tags.CODES["div"]
_CAPTION: Final = tags.CODES["figcaption"]
_FIGURE: Final = tags.CODES["figure"]
_QUOTATION: Final = tags.CODES["blockquote"]
_MAY_QUOTE: Final = tags.table_of("div aside")
_QUOTES: Final = frozenset(
    "bbcode_quote bbcodequote quote quotecontent quotecontainer quote-container quoteblock".split()
)
"""Classes by which forum programs mark quotations in other elements than ``<blockquote>``."""


def written_tags(
    document: Document,
    records: Collection[int],
    figures: Sequence[tuple[int, int]],
    callouts: Collection[int],
) -> Ints:
    """What each element is written as; shape (elements,).

    ``figures``: what stands for captions, each with what stands for its figure.
    ``callouts``: notes, which are written as quotations.
    """
    found = document.elements.tag.copy()
    found[found == _ARTICLE] = _DIV
    for caption, figure in figures:
        found[caption], found[figure] = _CAPTION, _FIGURE
    found[list(callouts)] = _QUOTATION
    for element in records:
        for quotation in _quotations(document, element):
            found[quotation] = _QUOTATION
    found[list(records)] = _ARTICLE
    return found


def doubled_quotations(document: Document, records: Collection[int]) -> Iterator[int]:
    """The quotations right within what stands for one, beside the name of who is quoted."""
    elements = document.elements
    for element in records:
        for quotation in _quotations(document, element):
            for inner in range(quotation + 1, int(elements.last[quotation])):
                is_child = elements.parent[inner] == quotation
                if is_child and elements.tag[inner] == _QUOTATION:
                    yield inner


def _quotations(document: Document, record: int) -> Iterator[int]:
    """The outermost elements of a record that its classes say to be quotations."""
    elements = document.elements
    inner = np.arange(record + 1, int(elements.last[record]))
    behind = 0
    for element in inner[_MAY_QUOTE[elements.tag[inner]]].tolist():
        if element < behind:
            continue
        names = document.attributes_of(element, {"class"}).get("class", "").lower().split()
        if not _QUOTES.isdisjoint(names):
            behind = int(elements.last[element])
            yield element


def around_records(document: Document, records: Collection[int]) -> Iterator[int]:
    """The elements around records, which only lay them out."""
    parents = document.elements.parent
    seen = set[int]()
    for element in records:
        around = int(parents[element])
        while around >= 0 and around not in seen:
            seen.add(around)
            if around not in records:
                yield around
            around = int(parents[around])


def levels_below(
    document: Document, levels: Mapping[int, int], records: Collection[int]
) -> dict[int, int]:
    """Heading levels with those in records one below the lines above these."""
    inside = np.zeros(len(document.elements) + 1, dtype=np.int32)
    for element in records:
        inside[element] += 1
        inside[document.elements.last[element]] -= 1
    depth = inside.cumsum()
    return {
        heading: min(max(level, 2) + 1, 6) if depth[heading] else level
        for heading, level in levels.items()
    }
