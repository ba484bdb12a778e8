"""The formats without markup: the text itself, and the text with the spans kept of it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from document.document import Document
from document.render.view import View
from document.values import Extraction, Rendered


@dataclass(frozen=True, slots=True)
class TextRenderer:
    """Blocks separated by one empty line (interface.md, "Format of plain text")."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The text in UTF-8, with a line feed at its end unless it is empty."""
        view = View.of(document, extraction)
        text = view.text()
        return view.rendered(text + "\n" * bool(text), "text/plain; charset=utf-8")


@dataclass(frozen=True, slots=True)
class SpansRenderer:
    """``{"text": ..., "spans": [[start, end, label], ...]}``, offsets in its code points."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """All of the document's text with the spans as the extractor gave them."""
        spans = [[span.start, span.end, span.label.value] for span in extraction.spans]
        body = json.dumps({"text": document.text, "spans": spans}, ensure_ascii=False)
        return View.of(document, extraction).rendered(body, "application/json")
