"""Segments to clean, valid HTML: paragraphs, headings, lists, tables, figures, links.

The writer makes it clean, the sanitiser behind it makes it safe.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses
from winnow.document.render.article import element_roles
from winnow.document.render.article.article_structure import ArticleStructure, structure_of
from winnow.document.render.article.article_writer import write_in_python
from winnow.document.render.article.start_tag_writer import READS, StartTagWriter
from winnow.document.render.embedded.media import MediaWriter
from winnow.document.render.selection import Segments, cut_markup, holding, is_cut
from winnow.document.sanitise import sanitise
from winnow.document.texts.page_words import ENGLISH_WORDS, PageWords

_compiled: Any = optional_module("winnow.document.render.article._writer")

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ArticleOptions:
    """``scroll``: wide tables and code get a frame of their own that keyboards can reach.
    ``records``: the elements that become articles of their own, each with the line above it.
    ``words``: names of tables and media that have none.
    """

    scroll: bool = False
    records: dict[int, str] = field(default_factory=dict)
    words: PageWords = ENGLISH_WORDS


def article(
    document: Document,
    segments: Segments,
    addresses: Addresses,
    options: ArticleOptions,
) -> str:
    """The selected text as sanitised HTML that stands in a page below an h1."""
    scroll, words = options.scroll, options.words
    shown = holding(document, segments)
    structure = structure_of(document, segments, shown, options.records)
    start_tags = StartTagWriter(document, structure, addresses, scroll, words)
    media = MediaWriter(document, segments, addresses, scroll=scroll, words=words)
    return sanitise(
        "".join(write(start_tags, media, segments, structural_elements(document, structure, shown)))
    )


def structural_elements(document: Document, structure: ArticleStructure, shown: Mask) -> Mask:
    """The shown elements that leave a trace: of ten three, and each met costs its time."""
    found: Mask = shown & _IS_STRUCTURAL[structure.tags]
    if structure.anchors:
        found[list(structure.anchors)] = True
    if structure.locales:
        found[[element for element in structure.locales if shown[element]]] = True
    return found


def _write_compiled(
    start_tags: StartTagWriter, media: MediaWriter, segments: Segments, shown: Mask
) -> list[str]:
    structure, document = start_tags.structure, start_tags.document
    cut = is_cut(document, segments)
    found: list[str] = _compiled.write(
        document.markup,
        _element_rows(document, structure, shown),
        _segment_rows(document, segments, cut),
        cut_markup(document, segments, cut),
        (
            tags.NAMES,
            _CLOSINGS,
            _OPENINGS,
            READS,
            _TABLE,
            tags.CODES["h1"],
            tags.CODES["span"],
            element_roles.DEEPEST,
        ),
        (structure.levels, structure.layout, structure.anchors, structure.locales),
        start_tags.roots(),
        (start_tags.container, start_tags.inline, media.write),
    )
    return found


write = loop(_compiled and _write_compiled, write_in_python)


def _element_rows(document: Document, structure: ArticleStructure, shown: Mask) -> Rows:
    """Index, begin and end in the markup, role, whether its text begins and ends in different
    blocks, and where its start tag ends; shape (shown, 6)."""
    elements, last = document.elements, max(document.pieces.start.size - 1, 0)
    indexes = shown.nonzero()[0]
    rows = np.zeros((len(indexes), 6), dtype=np.int32)
    rows[:, 0] = indexes
    rows[:, 1] = elements.open_start[indexes]
    rows[:, 2] = elements.close_end[indexes]
    rows[:, 3] = _ROLE_CODES[structure.tags[indexes]]
    rows[:, 5] = elements.open_end[indexes]
    if document.pieces.start.size:
        block_of = elements.block[document.pieces.owner]
        first = np.minimum(elements.first_piece[indexes], last)
        rows[:, 4] = block_of[first] != block_of[elements.last_piece[indexes] - 1]
    return rows


def _segment_rows(document: Document, segments: Segments, cut: Mask) -> Rows:
    """Begin and end in the markup, the edge before it, its owner, the block that stands in, and
    what it is: markup as it stands, escaped text, a medium; shape (segments, 6)."""
    pieces, owners = document.pieces, document.pieces.owner[segments.piece]
    rows = np.empty((segments.piece.size, 6), dtype=np.int32)
    rows[:, 0] = pieces.source_start[segments.piece]
    rows[:, 1] = pieces.source_end[segments.piece]
    rows[:, 2] = segments.gap
    rows[:, 3] = owners
    rows[:, 4] = document.elements.block[owners]
    rows[:, 5] = np.where(document.media[segments.piece], 2, cut)
    return rows


_FLAGS: Final = (
    element_roles.CONTAINERS, element_roles.INLINES, {"hr"}, element_roles.HEADINGS,
    element_roles.ITEMS, {"pre"}, {"td", "th"},
    element_roles.HOLDS_TEXT, element_roles.TEXT_ONLY, element_roles.RULED, {"figure"}, {"a"},
    {tags.NAMES[code] for code in tags.BLOCK_LEVEL},
)  # fmt: skip
"""Of each role, whether it is of these: bits in this order."""
_KINS: Final = tuple(sorted(set().union(*element_roles.PARENTS.values())))
"""The roles that others ask for around them, bit 1 and those above; bit 0 is set in all."""


def _row_of(role: str) -> tuple[int, int, int, int]:
    """Flags, the bits as a kin, the kins one of which must stand around it, and what it holds."""
    flags = sum((role in names) << bit for bit, names in enumerate(_FLAGS))
    kin = 1 | sum((role == name) << bit for bit, name in enumerate(_KINS, 1))
    indexes = element_roles.PARENTS.get(role)
    allowed = sum((name in indexes) << bit for bit, name in enumerate(_KINS, 1)) if indexes else 1
    return (
        flags,
        kin,
        allowed,
        tags.CODES[element_roles.WRAPPED_IN[role]] if role in element_roles.WRAPPED_IN else 0,
    )


_IS_STRUCTURAL: Final = np.array([name in element_roles.STRUCTURAL for name in element_roles.NAMES])
_ROLE_CODES: Final = np.array(
    [tags.CODES.get(name, 0) for name in element_roles.NAMES], dtype=np.int32
)
_OPENINGS: Final = tuple(f"<{name}>" for name in tags.NAMES)
_CLOSINGS: Final = tuple(f"</{name}>" for name in tags.NAMES)
_TABLE: Final = np.array([_row_of(name) for name in tags.NAMES], dtype=np.int32)
