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
from document.metadata import SIGNS, key_of, text_inside
from document.render.kept import Mask, Segments
from document.render.roles import HEADINGS
from document.tongues import is_tag

_LOCALES: Final = ("lang", "dir", "xml:lang")
_REFERENCE: Final = re.compile(r' href="[^"#]*#([^"]+)"')
_ANCHORS: Final = ("id", "name")
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
    return Plan(
        levels=levels_of(document, headings(document, kept)),
        layout=frozenset(
            [
                *(t for t in document.elements_named("table") if is_layout(document, t)),
                *(d for d in document.elements_named("dl") if not defines(document, d, worded)),
            ]
        ),
        locales=locales(document),
        anchors=anchors(document, kept, shown),
    )


def anchors(document: Document, kept: Segments, shown: Mask) -> dict[int, str]:
    """The targets of links within the page: elements that are shown, or empty before kept text."""
    wanted = set(_REFERENCE.findall(document.markup))
    found: dict[int, str] = {}
    is_kept = np.zeros(len(document.pieces) + 1, dtype=np.bool_)
    is_kept[kept.piece] = True
    for offset, value in attributes(document, _ANCHORS) if wanted else ():
        if value not in wanted or value.startswith("winnow-"):
            continue
        element = element_around(document, offset)
        if element < 0 or not value or any(map(str.isspace, value)):
            continue
        first, behind = (
            document.elements.first_piece[element],
            document.elements.last_piece[element],
        )
        if shown[element] or (first == behind and is_kept[first]):
            wanted.discard(value)
            found[element] = value
    return found


def attributes(document: Document, names: Sequence[str]) -> list[tuple[int, str]]:
    """Offset and value of each attribute of these names, in document order.

    What looks like one in a script or a text is found too: element_around tells.
    """
    markup, found = document.markup, []
    for name in names:
        sign = f' {name}="'
        offset = markup.find(sign)
        while offset >= 0:
            start = offset + len(sign)
            behind = markup.find('"', start)
            if behind < 0:
                break
            found.append((offset, markup[start:behind]))
            offset = markup.find(sign, behind)
    return sorted(found)


def element_around(document: Document, offset: int) -> int:
    """The element whose opening tag an offset of the markup stands in, -1 if it stands in none."""
    elements = document.elements
    found = int(elements.open_start.searchsorted(offset, side="right")) - 1
    return found if found >= 0 and offset < elements.open_end[found] else -1


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
        if key_of(text_inside(document, heading)) == key:
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


def locales(document: Document) -> dict[int, str]:
    """``lang`` and ``dir`` that parts below the body declare: element index to attributes."""
    found: dict[int, str] = {}
    for offset, told in attributes(document, _LOCALES):
        element = element_around(document, offset)
        if element < 0:
            continue
        name = "dir" if document.markup.startswith(" dir=", offset) else "lang"
        value = told.strip()
        if document.name_of(element) not in {"html", "body"} and _is_locale(name, value):
            found[element] = found.get(element, "") + f' {name}="{escape(value)}"'
    return found


def _is_locale(name: str, value: str) -> bool:
    if name == "dir":
        return value in {"ltr", "rtl", "auto"}
    return is_tag(value)
