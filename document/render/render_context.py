"""What all renderers of one extraction share: metadata, selected segments, plain text, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata.page_facts import facts_of
from winnow.document.metadata.page_metadata import Metadata, describe
from winnow.document.parsing import tags
from winnow.document.render.added_pieces import with_captions, with_lead
from winnow.document.render.addresses import Addresses
from winnow.document.render.article.article_structure import without_last_heading, without_title
from winnow.document.render.article.clean_html import ArticleOptions, article
from winnow.document.render.article.fact_list import fact_list
from winnow.document.render.article.fact_places import FactPlaces, in_rows, with_facts
from winnow.document.render.article.infobox import infobox_of
from winnow.document.render.article.quoted_posts import with_quoted_posts
from winnow.document.render.embedded.formulas import formula_text, with_formulas_once
from winnow.document.render.reader.byline_line import iso_of
from winnow.document.render.reader.record_headings import plain_heading, record_headings
from winnow.document.render.reader.repeated_byline import without_byline
from winnow.document.render.selection import Segments, selected, words_of
from winnow.document.spans import Label, Record, RecordKind, joined, posts_of
from winnow.document.texts.escaping import escape
from winnow.document.values import Extraction, Rendered

_WIDE = (tags.BLOCK, tags.OUTER)
"""Edges that leave an empty line."""
WORDS_PER_MINUTE = 238
"""Silent reading of English prose (Brysbaert 2019); as many Han characters are read a minute."""


@dataclass(frozen=True, slots=True)
class RenderContext:
    """A document with its selected segments and its metadata."""

    document: Document
    extraction: Extraction
    about: Metadata
    segments: Segments
    addresses: Addresses
    words: int
    """How many words are selected."""

    @classmethod
    def of(cls, document: Document, extraction: Extraction, link_prefix: str = "") -> RenderContext:
        """Everything that renderers share, found once."""
        about = _of_first(describe(document, extraction), extraction)
        addresses = Addresses(about.base, link_prefix, document.page.url or "")
        segments = selected(document, extraction)
        return cls(document, extraction, about, segments, addresses, words_of(document, segments))

    def article(self, *, scroll: bool = False, below_byline: bool = False) -> str:
        """The selected text as clean HTML, without the heading that repeats the title.

        Figures have their captions, quoted posts of other sites are there, a text without pictures
        has the one that leads up to it, and what structured data say of the page's subject is there
        once. ``below_byline``: who wrote it and when stands above, and is not said again.
        """
        records = () if self.extraction.comments else self.extraction.records
        is_thread = bool(posts_of(records))
        segments, facts = self.complete()
        shown = without_title(self.document, segments, self.about.title)
        if not is_thread:
            shown = without_last_heading(self.document, shown)
        if below_byline and not is_thread:
            shown = without_byline(self.document, shown, self.about)
        shown = in_rows(with_formulas_once(self.document, shown), facts.rows)
        headings = record_headings(records, self.about)
        options = ArticleOptions(scroll, headings, self.about.words)
        written = article(self.document, shown, self.addresses, options)
        return self.missing_facts(shown, facts) + written

    def missing_facts(self, shown: Segments, facts: FactPlaces) -> str:
        """What structured data say of the page's subject that stands nowhere on it, as clean HTML;
        "" if there is nothing."""
        if not (facts.missing.pairs or facts.missing.lists):
            return ""
        stated = f"{self.about.title} {text_of(self.document, shown)}"
        return fact_list(facts.missing, stated, self.about.words)

    def complete(self) -> tuple[Segments, FactPlaces]:
        """The segments with what belongs to them, and the facts that are in none of them."""
        records = () if self.extraction.comments else self.extraction.records
        segments = with_quoted_posts(self.document, self._with_bodies(records))
        segments = with_captions(
            self.document, with_lead(self.document, segments, self.about.image)
        )
        return with_facts(self.document, segments, facts_of(self.document, self.about.title))

    def _with_bodies(self, records: Sequence[Record]) -> Segments:
        """The segments and all of the records' bodies, of which the text may have a part."""
        if not records:
            return self.segments
        bodies = [span for record in records for span in record.spans]
        spans = joined((*self.extraction.spans, *bodies))
        return selected(self.document, replace(self.extraction, spans=spans))

    def comments(self) -> str:
        """Readers' comments as clean HTML, folded; "" if there are none."""
        if not self.extraction.comments:
            return ""
        apart = replace(self.extraction, spans=self.extraction.comments)
        if not (segments := selected(self.document, apart)):
            return ""
        words, records = self.about.words, self.extraction.records
        number = words.text("Comments ({number})", number=len(records))
        name = number if records else words.text("Comments")
        options = ArticleOptions(
            scroll=True, records=record_headings(records, self.about), words=words
        )
        content = article(self.document, segments, self.addresses, options)
        summary = f"<summary{words.attributes}>{name}</summary>"
        return f'<details id="winnow-comments">{summary}{content}</details>'

    def infobox(self) -> str:
        """The box of facts beside an article as clean HTML, folded; "" if there is none."""
        if not (found := infobox_of(self.document, self.segments)):
            return ""
        name, segments = found
        words = self.about.words
        options = ArticleOptions(scroll=True, words=words)
        content = article(self.document, segments, self.addresses, options)
        caption = escape(name) or words.span("Facts")
        return f"<details><summary>{caption}</summary>{content}</details>"

    def text(self) -> str:
        """The selected text as plain text, an empty line between two records."""
        segments = _apart(self.document, self._whole(), self.extraction.records)
        return text_of(self.document, segments)

    def _whole(self) -> Segments:
        """The segments with quoted posts and the rows of facts, as all formats have them; of
        records' bodies and of captions what the method chose."""
        segments = with_quoted_posts(self.document, self.segments)
        stated = facts_of(self.document, self.about.title)
        segments, facts = with_facts(self.document, segments, stated)
        return in_rows(with_formulas_once(self.document, segments), facts.rows)

    def text_with_headings(self) -> str:
        """The selected text with a line above each record that it has a part of."""
        parts, at, records = list[str](), 0, self.extraction.records
        for record in () if self.extraction.comments else posts_of(records):
            first, behind = record.spans[0].start, record.spans[-1].end
            if body := self._text_between(first, behind):
                parts += (
                    self._text_between(at, first),
                    plain_heading(record, records, self.about),
                    body,
                )
                at = behind
        parts.append(self._text_between(at, len(self.document.text)))
        return "\n\n".join(filter(None, parts))

    def _text_between(self, start: int, end: int) -> str:
        every = self._whole()
        inside = (every.start >= start) & (every.end <= end)
        return text_of(self.document, every.only(inside, self.document))

    def text_of_record(self, record: Record) -> str:
        """All of a record's body as plain text."""
        segments = selected(self.document, replace(self.extraction, spans=record.spans))
        return text_of(self.document, with_formulas_once(self.document, segments))

    def reading_seconds(self) -> int:
        """How long the selected words take to read."""
        return round(self.words * 60 / WORDS_PER_MINUTE)

    def rendered(self, body: str, media_type: str) -> Rendered:
        """A rendering with its facts; ``words_total`` counts the text that a browser shows.

        ``poor`` is left open: what is too little is the pipeline's judgement.
        """
        shown = int(self.document.piece_words @ ~self.document.hidden)
        return Rendered(
            body=body.encode("utf-8", "replace"),
            media_type=media_type,
            extractor=self.extraction.extractor,
            title=self.about.title,
            language=self.about.language,
            words_kept=self.words,
            words_total=max(shown, self.words),
            confidence=self.extraction.confidence,
            reasons=self.extraction.reasons,
            purpose=self.extraction.purpose,
            purpose_reason=self.extraction.purpose_reason,
            left_out=self.extraction.left_out,
            agreement=self.extraction.agreement,
        )


def _of_first(about: Metadata, extraction: Extraction) -> Metadata:
    """The metadata of a page; a thread's author and date are those of its first record."""
    if not extraction.records or not extraction.spans:
        return about
    first, body = extraction.records[0], extraction.records[0].spans[0]
    text = next((span for span in extraction.spans if span.label is Label.BODY), body)
    begins = first.kind in (RecordKind.POST, RecordKind.QUESTION) and text.end > body.start
    if not begins:
        return about
    day = iso_of(first.time, about) or about.published
    return replace(about, byline=first.author or about.byline, published=day)


def _apart(document: Document, segments: Segments, records: Sequence[Record]) -> Segments:
    """The segments with the edges of blocks around records."""
    if not records or not len(segments):
        return segments
    elements = document.elements.first_piece, document.elements.last_piece
    edges = [int(row[record.element]) for record in records for row in elements]
    at = np.unique(segments.piece.searchsorted(edges))
    gap = segments.gap.copy()
    at = at[at < len(gap)]
    gap[at] = np.where(np.isin(gap[at], _WIDE), gap[at], tags.BLOCK)
    return replace(segments, gap=gap)


def text_of(document: Document, segments: Segments) -> str:
    """The segments joined by the separators between them; of media, formulas alone leave any."""
    media = np.where(document.media, document.pieces.owner, -1)[segments.piece].tolist()
    verbatim = document.inside_tags("pre listing xmp plaintext")[segments.piece].tolist()
    parts: list[str] = []
    widest = tags.INLINE
    for index, (start, end, gap) in enumerate(
        zip(segments.start.tolist(), segments.end.tolist(), segments.gap.tolist(), strict=True)
    ):
        widest = max(widest, gap)
        is_text = media[index] < 0
        part = document.text[start:end] if is_text else formula_text(document, media[index])
        if part:
            is_joined = verbatim[index] and widest == tags.SPACE  # a line's number was there
            parts += (
                "" if is_joined else tags.SEPARATORS[widest],
                part if verbatim[index] else part.strip(),
            )
            widest = tags.INLINE
    return "".join(parts[1:]).strip("\n")
