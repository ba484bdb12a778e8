"""What to change before an article is written: layout tables, the title's heading, heading levels.

Knows flat arrays; writes nothing. Every rule here is a choice about structure, never about text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from document import tags
from document.document import Document
from document.metadata import SIGNS, is_key_of, key_of, text_inside
from document.openings import fragments
from document.render.kept import Mask, Segments
from document.render.roles import HEADINGS
from document.tongues import is_tag

_LOCALES: Final = frozenset({"lang", "dir", "xml:lang"})
_ANCHORS: Final = frozenset({"id", "name"})
_DECLARED: Final = re.compile(r' (id|name|lang|dir|xml:lang)="([^"]*)"')
"""The attributes that tell an anchor or a locale."""
_SHORTEST: Final = len('<a id="">')
"""No shorter tag has one of them."""
_DATA_SIGNS: Final = tags.codes_of("th caption thead tfoot")
_LAYOUT_SIGNS: Final = tags.codes_of("table form pre h1 hr")
_IS_HEADING: Final = tags.table_of(" ".join(sorted(HEADINGS)))
_IS_NO_HEADING: Final = tags.table_of("ul ol dl table pre blockquote")
_CELLS: Final = tags.codes_of("td th")
_ROW: Final = tags.CODES["tr"]
_DATA_CELLS: Final = 4
_LONG_CELL: Final = 400
"""A table whose cells hold more characters than this on average carries running text: a layout."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Decisions by element index. ``levels``: heading levels without holes, 2..6.

    ``layout``: tables that only lay out, and lists of terms that lack terms or meanings.
    ``locales``: ``lang`` and ``dir`` in force, as attributes.
    ``anchors``: the ids of shown elements that links of the page lead to.
    """

    levels: dict[int, int]
    layout: frozenset[int]
    locales: dict[int, str]
    anchors: dict[int, str]


def plan(document: Document, kept: Segments, shown: Mask) -> Plan:
    """All decisions for one article. O(elements + markup)."""
    worded = holding_words(document, kept)
    told = declared(document, shown | empty_before(document, kept))
    return Plan(
        levels=levels_of(document, headings(document, kept)),
        layout=frozenset(
            [
                *(t for t in document.elements_named("table") if is_layout(document, t)),
                *(d for d in document.elements_named("dl") if not defines(document, d, worded)),
            ]
        ),
        locales=locales(document, told),
        anchors=anchors(document, told),
    )


def declared(document: Document, among: Mask) -> list[tuple[int, str, str]]:
    """Ids, languages and directions of the elements of a mask: element, attribute's name, value.

    In document order. Their opening tags alone are read: to search all markup takes ten times as
    long.
    """
    elements = document.elements
    wanted = np.flatnonzero(among & (elements.open_end - elements.open_start >= _SHORTEST))
    starts, ends = elements.open_start[wanted].tolist(), elements.open_end[wanted].tolist()
    markup = document.markup
    return [
        (element, name, value)
        for element, start, end in zip(wanted.tolist(), starts, ends, strict=True)
        for name, value in _DECLARED.findall(markup, start, end)
    ]


def empty_before(document: Document, kept: Segments) -> Mask:
    """Which elements hold nothing and stand right before kept text; shape (elements,)."""
    is_kept = np.zeros(len(document.pieces) + 1, dtype=np.bool_)
    is_kept[kept.piece] = True
    first = document.elements.first_piece
    found: Mask = (first == document.elements.last_piece) & is_kept[first]
    return found


def anchors(document: Document, told: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """The targets of links within the page, among what ``declared`` found."""
    named = [
        (element, value)
        for element, name, value in told
        if name in _ANCHORS and value and not value.startswith("winnow-")
    ]
    wanted = set(fragments(document.markup)) if named else set()
    found: dict[int, str] = {}
    for element, value in named:
        if value in wanted and not any(map(str.isspace, value)):
            wanted.discard(value)
            found[element] = value
    return found


def without_signs(document: Document, kept: Segments) -> Segments:
    """The segments without the signs by which headings link to themselves."""
    short = document.piece_lengths == 1
    in_heading = document.inside_tags("h1 h2 h3 h4 h5 h6 dt")
    signs = [
        piece
        for piece in np.flatnonzero(short & document.linked & in_heading)
        if document.text[document.pieces.start[piece]] in SIGNS
    ]
    return kept.only(~np.isin(kept.piece, signs), document) if signs else kept


def without_title(document: Document, kept: Segments, title: str) -> Segments:
    """The segments without the first heading that only repeats the title."""
    key = key_of(title)
    for heading in headings(document, kept) if key else ():
        if is_key_of(key, text_inside(document, heading)):
            first, behind = document.elements.first_piece, document.elements.last_piece
            inside = (kept.piece >= first[heading]) & (kept.piece < behind[heading])
            return kept.only(~inside | document.media[kept.piece], document)
    return kept


def headings(document: Document, kept: Segments) -> list[int]:
    """The headings that hold kept words, in document order; one around a list was left open."""
    elements = document.elements
    found = np.flatnonzero(_IS_HEADING[elements.tag] & holding_words(document, kept))
    before = np.concatenate([[0], np.cumsum(_IS_NO_HEADING[elements.tag])])
    holds_other = before[elements.last[found]] > before[found + 1]
    plain: list[int] = found[~holds_other].tolist()
    return plain


def holding_words(document: Document, kept: Segments) -> Mask:
    """Which elements hold kept text that is no medium; shape (elements,)."""
    words = np.zeros(len(document.pieces) + 1, dtype=np.int32)
    words[kept.piece + 1] = ~document.media[kept.piece]
    before = np.cumsum(words)
    found: Mask = before[document.elements.last_piece] > before[document.elements.first_piece]
    return found


def levels_of(document: Document, found: Sequence[int]) -> dict[int, int]:
    """Levels below the page's h1 such that none is left out (WCAG technique G141)."""
    levels: dict[int, int] = {}
    open_ranks: list[int] = []
    for heading in found:
        rank = int(document.name_of(heading)[1])
        while open_ranks and open_ranks[-1] >= rank:
            open_ranks.pop()
        open_ranks.append(rank)
        levels[heading] = min(1 + len(open_ranks), 6)
    return levels


def is_layout(document: Document, table: int) -> bool:
    """Whether a table only lays out: by its role, its content, its shape, its cells' length."""
    role = document.attributes_of(table).get("role", "").lower()
    if role in {"presentation", "none"}:
        return True
    inner = document.elements.tag[table + 1 : document.elements.last[table]]
    if np.isin(inner, list(_DATA_SIGNS)).any() and not (inner == tags.CODES["table"]).any():
        return False
    cells = int(np.isin(inner, list(_CELLS)).sum())
    rows = int((inner == _ROW).sum())
    if (
        cells < _DATA_CELLS
        or rows < 2
        or cells <= rows
        or np.isin(inner, list(_LAYOUT_SIGNS)).any()
    ):
        return True
    first, behind = document.elements.first_piece[table], document.elements.last_piece[table]
    return int(document.piece_lengths[first:behind].sum()) > _LONG_CELL * cells


def defines(document: Document, element: int, worded: Mask) -> bool:
    """Whether a ``<dl>`` has a term and, behind it, a meaning (HTML standard, 4.4.9)."""
    inner = slice(element + 1, int(document.elements.last[element]))
    names = document.elements.tag[inner][worded[inner]]
    terms = np.flatnonzero(names == tags.CODES["dt"])
    meanings = np.flatnonzero(names == tags.CODES["dd"])
    return bool(len(terms) and len(meanings) and terms[0] < meanings[-1])


def locales(document: Document, told: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """``lang`` and ``dir`` that parts below the body declare: element index to attributes."""
    found: dict[int, str] = {}
    for element, attribute, given in told:
        if attribute not in _LOCALES:
            continue
        name, value = "dir" if attribute == "dir" else "lang", given.strip()
        if _is_locale(name, value) and document.name_of(element) not in {"html", "body"}:
            found[element] = found.get(element, "") + f' {name}="{escape(value)}"'
    return found


def _is_locale(name: str, value: str) -> bool:
    if name == "dir":
        return value in {"ltr", "rtl", "auto"}
    return is_tag(value)
