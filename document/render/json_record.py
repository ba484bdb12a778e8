"""An extraction as one JSON object (docs/formats.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from winnow.document.document import Document
from winnow.document.metadata import shortened
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Rendered

EXCERPT = 200
"""Characters of the text's beginning where the page has no description."""


@dataclass(frozen=True, slots=True)
class JsonRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe)."""

    link_prefix: str = ""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """One object on one line; a field without a value is null."""
        view = RenderContext.of(document, extraction, self.link_prefix)
        body = json.dumps(fields_of(view), ensure_ascii=False)
        return view.rendered(body, "application/json")


def fields_of(view: RenderContext) -> dict[str, object]:
    """The fields by name. ``length`` counts the code points of ``textContent``."""
    about, extraction, text = view.about, view.extraction, view.text()
    return {
        "title": about.title or None,
        "byline": about.byline or None,
        "publishedTime": about.published or None,
        "siteName": about.site or None,
        "lang": about.language or None,
        "dir": about.direction or None,
        "excerpt": about.excerpt or shortened(text[:1_000], EXCERPT) or None,
        "content": view.article(),
        "textContent": text,
        "length": len(text),
        "url": view.document.page.url,
        "extractor": extraction.extractor,
        "pageType": extraction.page_type,
        "purpose": extraction.purpose,
        "confidence": extraction.confidence,
        "reasons": list(extraction.reasons),
        "readingTimeSeconds": view.reading_seconds(),
    }
