"""The original page without its garbage, its styles kept.

Styles, classes and forms stay; scripts, handlers, frames, plug-ins and refreshes go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.edits import Operation
from winnow.document.parsing import tags
from winnow.document.render.added_pieces import with_headline
from winnow.document.render.addresses import Addresses
from winnow.document.render.original.markup_writer import WHOLE, MarkupWriter, standing
from winnow.document.render.original.pruned_lines import PrunedLines, lines_of, main_landmark
from winnow.document.render.render_context import RenderContext
from winnow.document.render.selection import Mask, Segments, holding, selected
from winnow.document.render.traversal import walk
from winnow.document.spans import joined
from winnow.document.values import Extraction, Rendered

MEDIA_TYPE = "text/html; charset=utf-8"
_ALWAYS: Final = tags.codes_of("html head body title style link meta")


@dataclass(frozen=True, slots=True)
class PrunedRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe)."""

    link_prefix: str = ""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The page with only the selected text and what a reader page keeps beside it.

        ``BAR_MARK`` stands right behind ``<body>``. Where edits say what goes, all else stays.
        """
        view = RenderContext.of(document, extraction, self.link_prefix)
        is_edited = extraction.edited or extraction.edits
        if is_edited:
            lines = PrunedLines({}, {}, view.about.words)
            body = prune(document, view.segments, extraction, view.addresses, lines)
        else:
            complete, facts = _with_comments(view).complete()
            segments = with_headline(document, complete)
            marked = replace(extraction, edits=main_landmark(document, segments))
            lines = lines_of(view, segments, facts)
            body = prune(document, segments, marked, view.addresses, lines)
        return view.rendered(body, MEDIA_TYPE)


def _with_comments(view: RenderContext) -> RenderContext:
    """Readers' comments stand where they stood; the page's own look folds what it folds."""
    extraction = view.extraction
    if not extraction.comments:
        return view
    spans = joined((*extraction.spans, *extraction.comments))
    shown = replace(extraction, spans=spans, comments=())
    return replace(view, extraction=shown, segments=selected(view.document, shown))


def prune(
    document: Document,
    segments: Segments,
    extraction: Extraction,
    addresses: Addresses,
    lines: PrunedLines,
) -> str:
    """The markup of the segments and all elements around them, edits applied, lines put in."""
    edits = extraction.edits
    whole = [edit.element for edit in edits if edit.operation in WHOLE]
    if whole:
        segments = segments.only(~document.inside(np.array(whole))[segments.piece], document)
    writer = MarkupWriter(document, segments, edits, addresses, lines)
    writer.write(walk(document, segments, _shown(document, segments, extraction)))
    return "<!DOCTYPE html>\n" + "".join(writer.out) + "\n"


def _shown(document: Document, segments: Segments, extraction: Extraction) -> Mask:
    """The elements to write: around selected text, of the head, and those put in their place."""
    shown = holding(document, segments) | np.isin(document.elements.tag, list(_ALWAYS))
    if extraction.edited:
        shown |= standing(document)
    for edit in extraction.edits:
        if edit.operation in WHOLE:
            shown[edit.element : document.elements.last[edit.element]] = False
            shown[edit.element] = edit.operation is not Operation.REMOVE
    return shown
