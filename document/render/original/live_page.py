"""The original page less what edits take, scripts and all: for a page on its own site alone.

Nothing is sanitised: only for a page that is sent under the origin that it came from
(``Recipe.live``), where its scripts may run as they would have.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation, set_attributes
from winnow.document.render.render_context import RenderContext
from winnow.document.render.selection import Segments
from winnow.document.values import (
    BAR_MARK,
    Extraction,
    Rendered,
)

MEDIA_TYPE = "text/html; charset=utf-8"
_ATTRIBUTE: Final = re.compile(r' ([^\s=>]+)="[^"]*"')
Cut = tuple[int, int, str]
"""A range of the markup and what stands there instead."""


@dataclass(frozen=True, slots=True)
class LiveRenderer:
    """The page as parsed, with cuts."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The page; ``BAR_MARK`` stands right behind ``<body>``, where there is one."""
        view = RenderContext.of(document, extraction)
        return view.rendered(spliced(document, view.segments, extraction.edits), MEDIA_TYPE)


def spliced(document: Document, segments: Segments, edits: tuple[Edit, ...]) -> str:
    """The markup with all cuts made. O(n log n) in their number."""
    return _cut(
        document, {*_edited(document, edits), *_dropped_texts(document, segments), *_bar(document)}
    )


def without_elements(document: Document, elements: Iterable[int]) -> str:
    """The markup less whole elements. O(n log n) in their number."""
    edits = tuple(Edit(element, Operation.REMOVE) for element in elements)
    return _cut(document, set(_edited(document, edits)))


def _cut(document: Document, found: Collection[Cut]) -> str:
    cuts = sorted(found, key=lambda cut: (cut[0], cut[1] > cut[0], -cut[1]))  # put in, then cut
    parts: list[str] = []
    position = 0
    for start, end, instead in cuts:
        if start >= position:
            parts += (document.markup[position:start], instead)
            position = end
    parts.append(document.markup[position:])
    return "".join(parts)


def _edited(document: Document, edits: tuple[Edit, ...]) -> Iterator[Cut]:
    dropped: dict[int, set[str]] = {}
    given: dict[int, dict[str, str]] = {}
    for edit in edits:
        start, inside, behind, end = _edges(document, edit.element)
        match edit.operation:
            case Operation.REMOVE | Operation.REPLACE:
                yield start, end, edit.value
            case Operation.EMPTY:
                yield inside, behind, ""
            case Operation.UNWRAP:
                yield start, inside, ""
                yield behind, end, ""
            case Operation.APPEND:
                yield behind, behind, edit.value
            case Operation.DROP_ATTRIBUTE:
                dropped.setdefault(edit.element, set()).add(edit.value.lower())
            case Operation.SET_ATTRIBUTE:
                given.setdefault(edit.element, {}).update(set_attributes((edit,)))
    for element in dropped.keys() | given.keys():
        added = given.get(element, {})
        yield from _attributes(document, element, dropped.get(element, set()) | added.keys())
        yield _added(document, element, added)


def _edges(document: Document, element: int) -> tuple[int, int, int, int]:
    elements = document.elements
    return (
        int(elements.open_start[element]),
        int(elements.open_end[element]),
        int(elements.close_start[element]),
        int(elements.close_end[element]),
    )


def _attributes(document: Document, element: int, names: set[str]) -> Iterator[Cut]:
    start, inside, _, _ = _edges(document, element)
    for found in _ATTRIBUTE.finditer(document.markup, start, inside):
        if found[1].lower() in names:
            yield found.start(), found.end(), ""


def _added(document: Document, element: int, attributes: Mapping[str, str]) -> Cut:
    """Attributes put at the end of an element's start tag."""
    end = int(document.elements.open_end[element]) - len(">")
    return end, end, "".join(f' {k}="{escape(v)}"' for k, v in attributes.items())


def _dropped_texts(document: Document, segments: Segments) -> Iterator[Cut]:
    """Text that is shown and not selected; what is hidden waits for the scripts that show it."""
    pieces, lost = document.pieces, ~document.hidden & ~document.media
    lost[segments.piece] = False
    for piece in np.flatnonzero(lost).tolist():
        yield int(pieces.source_start[piece]), int(pieces.source_end[piece]), ""


def _bar(document: Document) -> Iterator[Cut]:
    for body in document.elements_named("body")[:1]:
        behind = int(document.elements.open_end[body])
        yield behind, behind, BAR_MARK.decode()
