"""An extraction as one JSON object, as plain text and as spans (docs/formats.md)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from msgspec import to_builtins

from winnow.document.article_fields import ArticleFields, Facts, Post, SpanFields
from winnow.document.document import Document
from winnow.document.edits import Operation
from winnow.document.metadata.page_facts import PageFacts, facts_of
from winnow.document.render.original.pruned import prune
from winnow.document.render.original.pruned_lines import NO_LINES
from winnow.document.render.render_context import RenderContext
from winnow.document.render.text.text_fragments import blocks_of_text
from winnow.document.spans import Record, posts_of
from winnow.document.texts.short_texts import shortened
from winnow.document.values import (
    Extraction,
    Rendered,
    Span,
)

EXCERPT = 200
"""Characters of the text's beginning where the page has no description."""


@dataclass(frozen=True, slots=True)
class JsonRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe).

    ``blocks``: the places of the text's blocks are there too.
    """

    link_prefix: str = ""
    blocks: bool = False

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """One object on one line; a field without a value is null."""
        view = RenderContext.of(document, extraction, self.link_prefix)
        body = json.dumps(to_builtins(fields_of(view, blocks=self.blocks)), ensure_ascii=False)
        return view.rendered(body, "application/json")


def fields_of(view: RenderContext, *, blocks: bool = False) -> ArticleFields:
    """The fields of the JSON object."""
    about, extraction, text = view.about, view.extraction, view.text()
    return ArticleFields(
        title=about.title or None,
        byline=about.byline or None,
        published_time=about.published or None,
        modified_time=about.modified or None,
        site_name=about.site or None,
        lang=about.language or None,
        dir=about.direction or None,
        image=about.image or None,
        license=about.licence or None,
        excerpt=about.excerpt or shortened(text[:1_000], EXCERPT) or None,
        content=view.article(),
        text_content=text,
        length=len(text),
        url=view.document.page.url,
        extractor=extraction.extractor,
        page_type=extraction.page_type,
        purpose=extraction.purpose,
        confidence=extraction.confidence,
        reasons=list(extraction.reasons),
        reading_time_seconds=view.reading_seconds(),
        withheld_words=view.document.hidden_words,
        posts=[_post(view, record) for record in posts_of(extraction.records)] or None,
        facts=_facts(facts_of(view.document, about.title)),
        agreement=extraction.agreement,
        blocks=[*blocks_of_text(text, view.document.page.url)] if blocks else None,
        changes=None,
    )


def _facts(facts: PageFacts) -> Facts | None:
    """None where structured data say nothing."""
    if not (facts.pairs or facts.lists):
        return None
    lists = {one.name: list(one.items) for one in facts.lists}
    return Facts(facts.kind, dict(facts.pairs), lists)


def _post(view: RenderContext, record: Record) -> Post:
    return Post(
        record.kind,
        record.author or None,
        record.time or None,
        record.number or None,
        record.parent if record.parent >= 0 else None,
        record.is_accepted,
        int(record.votes) if record.votes else None,
        view.text_of_record(record),
    )


_BLANKS: Final = re.compile(r"\n(?:[^\S\n]*\n){3,}")
_WRITING: Final = frozenset({Operation.REPLACE, Operation.APPEND})


@dataclass(frozen=True, slots=True)
class TextRenderer:
    """Blocks separated by one empty line (docs/formats.md, "Plain text").

    ``records``: a line above each post says who wrote it and when.
    """

    records: bool = False

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The text in UTF-8, with a line feed at its end unless it is empty."""
        view = RenderContext.of(document, extraction)
        text = _text_of_edited(view) if extraction.edited else self._text(view)
        return view.rendered(text + "\n" * bool(text), "text/plain; charset=utf-8")

    def _text(self, view: RenderContext) -> str:
        return view.text_with_headings() if self.records else view.text()


def _text_of_edited(view: RenderContext) -> str:
    """The text with what edits put in, and at most two blank lines together, as Crunch writes it.

    What edits put in has no place in the document's text: the pruned page is read again for it.
    """
    extraction, text = view.extraction, ""
    if any(edit.operation in _WRITING for edit in extraction.edits):
        pruned = prune(view.document, view.segments, extraction, view.addresses, NO_LINES)
        again = Document.from_html(pruned, view.document.page.url)
        text = RenderContext.of(
            again, Extraction("", (Span(0, len(again.text)),) * bool(again.text))
        ).text()
    return _BLANKS.sub("\n\n\n", text or view.text())


@dataclass(frozen=True, slots=True)
class SpansRenderer:
    """``{"text": ..., "spans": [[start, end, label], ...]}``, offsets in its code points."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """All of the document's text with the spans as the extractor gave them."""
        spans = [(span.start, span.end, span.label.value) for span in extraction.spans]
        body = json.dumps(to_builtins(SpanFields(document.text, spans)), ensure_ascii=False)
        return RenderContext.of(document, extraction).rendered(body, "application/json")
