"""The structure of an article: layout tables, heading levels, languages, anchors, the title."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, range_sums
from winnow.document.document import Document
from winnow.document.metadata.language import is_language_tag
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.render.article.callouts import callouts_of
from winnow.document.render.article.element_roles import HEADINGS
from winnow.document.render.article.figures import figures_of_captions
from winnow.document.render.article.record_places import (
    around_records,
    doubled_quotations,
    levels_below,
    written_tags,
)
from winnow.document.render.selection import Mask, Segments
from winnow.document.texts.escaping import escape
from winnow.document.texts.short_texts import is_key_of, key_of, text_inside

_LOCALES: Final = frozenset({"lang", "dir", "xml:lang"})
_ANCHORS: Final = frozenset({"id", "name"})
_TEXT: Final = 40
"""Words of a text whose last heading has lost its section."""
_PLAIN: Final = frozenset(ascii_letters + digits)
_SHORTEST: Final = len('<a id="">')
"""No shorter tag declares one of them."""
_DATA_SIGNS: Final = tags.codes_of("th caption thead tfoot")
_LAYOUT_SIGNS: Final = tags.codes_of("table form pre h1 hr")
_IS_HEADING: Final = tags.table_of(" ".join(sorted(HEADINGS)))
_IS_LIST: Final = tags.table_of("ul ol menu")
_PICTURES: Final = 2
"""Pictures of a gallery."""
_RANKS: Final = {tags.CODES[name]: int(name[1]) for name in HEADINGS}
_IS_NO_HEADING: Final = tags.table_of("ul ol dl table pre blockquote")
_CELLS: Final = tags.codes_of("td th")
_ROW: Final = tags.CODES["tr"]
_TABLE: Final = tags.CODES["table"]
_DATA_CELLS: Final = 4
_LONG_CELL: Final = 400
"""A table whose cells hold more characters than this on average carries running text: a layout."""


@dataclass(frozen=True, slots=True, eq=False)
class ArticleStructure:
    """Decisions by element index. ``levels``: heading levels without holes, 2..6.

    ``layout``: tables that only lay out, lists of terms that lack terms or meanings, galleries.
    ``locales``: ``lang`` and ``dir`` in force, as attributes, and the kind of a callout as class.
    ``anchors``: the ids of shown elements that links of the page lead to. ``tags``: what each
    element is written as (tags.CODES): those that hold a record as an article, no other one.
    ``records``: the lines above records, "" of cards.
    """

    levels: dict[int, int]
    layout: frozenset[int]
    locales: dict[int, str]
    anchors: dict[int, str]
    tags: Ints
    records: dict[int, str]


def structure_of(
    document: Document, segments: Segments, shown: Mask, records: dict[int, str]
) -> ArticleStructure:
    """All decisions for one article. O(elements + markup)."""
    declarations = declared_attributes(document, shown | empty_before(document, segments))
    levels = levels_of(document, headings(document, segments))
    tables = (table for table in document.elements_named("table") if shown[table])
    layout = {table for table in tables if is_layout(document, table)}
    layout.update(_no_terms(document, segments, shown), _galleries(document, segments, shown))
    layout.update(around_records(document, records))
    if any(records.values()):
        layout.update(doubled_quotations(document, records))
        levels = levels_below(document, levels, records)
    callouts, said = callouts_of(document, shown), locales(document, declarations)
    for element, kind in callouts.items():
        said[element] = f'{said.get(element, "")} class="{kind}"'
    return ArticleStructure(
        levels=levels,
        layout=frozenset(layout),
        locales=said,
        anchors=anchors(document, declarations),
        tags=written_tags(document, records, figures_of_captions(document), callouts),
        records=records,
    )


@needs("dl", absent=())
def _no_terms(document: Document, segments: Segments, shown: Mask) -> Sequence[int]:
    lists = [element for element in document.elements_named("dl") if shown[element]]
    has_words = holding_words(document, segments, slice(None))
    return [element for element in lists if not defines(document, element, has_words)]


@needs("ul", "ol", "menu", absent=())
def _galleries(document: Document, segments: Segments, shown: Mask) -> Iterable[int]:
    """The lists of several pictures and hardly a word but their captions: bullets say nothing."""
    media, pieces = document.media[segments.piece], document.pieces.start.size
    if np.count_nonzero(media) < _PICTURES:
        return
    lists = (_IS_LIST[document.elements.tag] & shown).nonzero()[0]
    if not len(lists):
        return
    first, behind = document.elements.first_piece[lists], document.elements.last_piece[lists]
    is_caption = document.inside_tags("figcaption")[segments.piece]
    pictures = np.bincount(segments.piece[media], minlength=pieces)
    said = np.bincount(segments.piece[~media & ~is_caption], minlength=pieces)
    has_pictures = range_sums(pictures, first, behind) >= _PICTURES
    is_silent = range_sums(said, first, behind) == 0
    yield from lists[has_pictures & is_silent].tolist()


def declared_attributes(document: Document, among: Mask) -> list[tuple[int, str, str]]:
    """Ids, languages and directions of the elements of a mask: element, attribute's name, value.

    In document order. Their start tags alone are read: to search all markup takes ten times as
    long.
    """
    elements = document.elements
    indexes = (among & (elements.open_end - elements.open_start >= _SHORTEST)).nonzero()[0]
    starts, ends = elements.open_start[indexes], elements.open_end[indexes]
    return [
        (int(indexes[index]), name, value)
        for index, name, value in start_tags.declared(document.markup, starts, ends)
    ]


def empty_before(document: Document, segments: Segments) -> Mask:
    """Which elements hold nothing and stand right before selected text; shape (elements,)."""
    is_selected = np.zeros(document.pieces.start.size + 1, dtype=np.bool_)
    is_selected[segments.piece] = True
    first = document.elements.first_piece
    found: Mask = (first == document.elements.last_piece) & is_selected[first]
    return found


def anchors(document: Document, declarations: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """The targets of links within the page, among what ``declared`` found."""
    candidates = [
        (element, value)
        for element, name, value in declarations
        if name in _ANCHORS and value and value[:7] != "winnow-"
    ]
    targets = set(start_tags.fragments(document.markup)) if candidates else set()
    found: dict[int, str] = {}
    for element, value in candidates:
        if value in targets and not any(map(str.isspace, value)):
            targets.discard(value)
            found[element] = value
    return found


@needs("h1", "h2", "h3", "h4", "h5", "h6")
def without_title(document: Document, segments: Segments, title: str) -> Segments:
    """The segments without the first heading that only repeats the title."""
    key, text = key_of(title), document.text
    begins = {key[:1], key[:1].upper()}
    starts, first = document.pieces.start.data, document.elements.first_piece.data
    for heading in headings(document, segments) if key else ():
        begin = text[starts[first[heading]]]
        if begin in _PLAIN and begin not in begins:
            continue  # most headings
        if is_key_of(key, text_inside(document, heading)):
            behind = document.elements.last_piece
            inside = (segments.piece >= first[heading]) & (segments.piece < behind[heading])
            return segments.only(~inside | document.media[segments.piece], document)
    return segments


@needs("h2", "h3", "h4", "h5", "h6")
def without_last_heading(document: Document, segments: Segments) -> Segments:
    """The segments without the heading at the end that nothing follows, if it leads nowhere."""
    in_heading = document.inside_tags("h2 h3 h4 h5 h6")[segments.piece]
    is_link = document.linked[segments.piece] | document.media[segments.piece]
    others = (~in_heading | is_link).nonzero()[0]
    words = document.piece_words[segments.piece]
    if not len(others) or others[-1] == len(segments) - 1 or words[others].sum() < _TEXT:
        return segments
    return segments.only(np.arange(len(segments)) <= others[-1], document)


@needs("h1", "h2", "h3", "h4", "h5", "h6", absent=())
def headings(document: Document, segments: Segments) -> Sequence[int]:
    """The headings that hold selected words, in document order; one around a list was left open."""
    elements = document.elements
    found = _IS_HEADING[elements.tag].nonzero()[0]
    found = found[holding_words(document, segments, found)]
    other = _IS_NO_HEADING[elements.tag].nonzero()[0]
    holds_other = other.searchsorted(elements.last[found]) > other.searchsorted(found + 1)
    plain: list[int] = found[~holds_other].tolist()
    return plain


def holding_words(
    document: Document, segments: Segments, among: npt.NDArray[np.integer] | slice
) -> Mask:
    """Which elements of some (indices or a slice) hold selected text that is no medium; of their
    shape."""
    words = np.zeros(document.pieces.start.size + 1, dtype=np.int32)
    words[segments.piece + 1] = ~document.media[segments.piece]
    before = words.cumsum(dtype=np.int32)
    elements = document.elements
    found: Mask = before[elements.last_piece[among]] > before[elements.first_piece[among]]
    return found


def levels_of(document: Document, found: Sequence[int]) -> dict[int, int]:
    """Levels below the page's h1 without gaps (WCAG technique G141)."""
    levels: dict[int, int] = {}
    open_ranks: list[int] = []
    for heading, code in zip(found, document.elements.tag[list(found)].tolist(), strict=True):
        rank = _RANKS[code]
        while open_ranks and open_ranks[-1] >= rank:
            open_ranks = open_ranks[:-1]
        depth = len(open_ranks)
        open_ranks += (rank,)
        levels[heading] = depth + 2 if depth < 4 else 6
    return levels


def is_layout(document: Document, table: int) -> bool:
    """Whether a table only lays out: by its role, its content, its shape, its cells' length."""
    role = document.attributes_of(table, {"role"}).get("role", "").lower()
    if role in {"presentation", "none"}:
        return True
    inner: list[int] = document.elements.tag[table + 1 : document.elements.last[table]].tolist()
    kinds = frozenset(inner)
    if _TABLE not in kinds and not kinds.isdisjoint(_DATA_SIGNS):
        return False
    cells, rows = sum(map(inner.count, _CELLS)), inner.count(_ROW)
    if cells < _DATA_CELLS or rows < 2 or cells <= rows or not kinds.isdisjoint(_LAYOUT_SIGNS):
        return True
    first, behind = document.elements.first_piece[table], document.elements.last_piece[table]
    return int(document.piece_lengths[first:behind].sum()) > _LONG_CELL * cells


def defines(document: Document, element: int, has_words: Mask) -> bool:
    """Whether a ``<dl>`` has a term and, behind it, a meaning (HTML standard, 4.4.9)."""
    inner = slice(element + 1, int(document.elements.last[element]))
    names = document.elements.tag[inner][has_words[inner]]
    terms = (names == tags.CODES["dt"]).nonzero()[0]
    meanings = (names == tags.CODES["dd"]).nonzero()[0]
    return bool(len(terms) and len(meanings) and terms[0] < meanings[-1])


def locales(document: Document, declarations: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """``lang`` and ``dir`` that parts below the body declare: element index to attributes."""
    found: dict[int, str] = {}
    for element, attribute, raw_value in declarations:
        if attribute not in _LOCALES:
            continue
        name, value = "dir" if attribute == "dir" else "lang", raw_value.strip()
        if _is_locale(name, value) and document.name_of(element) not in {"html", "body"}:
            found[element] = found.get(element, "") + f' {name}="{escape(value)}"'
    return found


def _is_locale(name: str, value: str) -> bool:
    if name == "dir":
        return value in {"ltr", "rtl", "auto"}
    return is_language_tag(value)
