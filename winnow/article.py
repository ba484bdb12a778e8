"""The library's ``extract`` and its result: an extraction that can render itself. Knows no HTTP."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from winnow.config.purpose_settings import PurposeSettings
from winnow.document.document import Document
from winnow.document.metadata.page_metadata import title_of
from winnow.document.purposes import Purpose, Treatment, treatments_of
from winnow.document.render.render_context import RenderContext
from winnow.document.render.renderers import renderer_for
from winnow.document.render.text.text_renderers import EXCERPT
from winnow.document.texts.short_texts import shortened
from winnow.document.values import BAR_MARK, Extraction, Format, Recipe
from winnow.engine.pipeline import extracted
from winnow.engine.purpose.fallback import NOT_FOR_READING
from winnow.engine.script_shell import SCRIPT_SHELL, with_carried_text
from winnow.jobs.answers import NOTHING_TO_GIVE, OTHER_FILE, is_other_file, status_of


@dataclass(frozen=True)
class Article(Extraction):
    """An Extraction with its document; metadata and renderings are computed on first use.

    Of an Extraction it has ``title``, ``page_type``, ``confidence`` (0..1), ``reasons``, ``spans``
    and ``extractor``. What the page does not say is None.
    """

    document: Document = field(kw_only=True, repr=False, compare=False)

    @property
    def url(self) -> str | None:
        """The page's address, as it was given to ``extract``."""
        return self.document.page.url

    @property
    def missing(self) -> str:
        """Why the page has no article, as a reason token of docs/reasons.md; "" where it has one.

        ``script-shell``, ``no-article``, ``not-for-reading`` or ``not-html``, as the other doors
        answer; the text is what was found all the same.
        """
        if is_other_file(self.document.page.body):
            return OTHER_FILE
        found = self.reasons[0].partition(":")[0] if self.reasons else ""
        usual = dict(treatments_of(PurposeSettings()))
        spared = usual[self.purpose or Purpose.ARTICLE] is Treatment.ORIGINAL
        if spared and found != SCRIPT_SHELL:
            return NOT_FOR_READING
        return found if status_of(found) == NOTHING_TO_GIVE else ""

    @property
    def byline(self) -> str | None:
        """The author, as the page names them."""
        return self._context.about.byline or None

    @property
    def published(self) -> str | None:
        """When it was published: a day or a moment in ISO 8601."""
        return self._context.about.published or None

    @property
    def modified(self) -> str | None:
        """When it was last changed: a day or a moment in ISO 8601."""
        return self._context.about.modified or None

    @property
    def site_name(self) -> str | None:
        return self._context.about.site or None

    @property
    def lang(self) -> str | None:
        """The language as a BCP 47 tag: declared, or guessed from the text."""
        return self._context.about.language or None

    @property
    def dir(self) -> str | None:
        """The direction of the text: ``ltr`` or ``rtl``."""
        return self._context.about.direction or None

    @property
    def excerpt(self) -> str | None:
        """The page's description, else the beginning of the text (200 characters)."""
        return self._context.about.excerpt or shortened(self.text[:1_000], EXCERPT) or None

    @property
    def image(self) -> str | None:
        """The address of the picture that the page names for previews."""
        return self._context.about.image or None

    @property
    def licence(self) -> str | None:
        """The address of the page's licence, or what the page says of its rights."""
        return self._context.about.licence or None

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The addresses that the article links to, in order, each once; absolute with a URL."""
        anchors = LexborHTMLParser(self._context.article()).css("a[href]")
        return tuple(dict.fromkeys(anchor.attributes["href"] or "" for anchor in anchors))

    @cached_property
    def text(self) -> str:
        """Plain text as docs/formats.md describes it, without a line feed at its end."""
        return self.render(Format.TEXT).removesuffix("\n")

    @cached_property
    def html(self) -> str:
        """The reader page: a complete, sanitised HTML document."""
        return self.render(Format.HTML)

    @cached_property
    def markdown(self) -> str:
        return self.render(Format.MARKDOWN)

    @cached_property
    def json(self) -> str:
        """One JSON object with the field names that readers' libraries share."""
        return self.render(Format.JSON)

    def render(self, wanted: Format) -> str:
        """The article in a format. Raises winnow.document.errors.UnsupportedFormatError."""
        rendered = renderer_for(Recipe(self.extractor, wanted)).render(self.document, self)
        return rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")

    @cached_property
    def _context(self) -> RenderContext:
        return RenderContext.of(self.document, self)


def extract(html: bytes | str, url: str | None = None, extractor: str = "auto") -> Article:
    """Extract a page's article, given as bytes (decoded as browsers do) or as text.

    ``url`` makes relative links absolute; ``extractor`` follows the grammar of
    ``winnow extractors``. Raises winnow.jobs.job_types.PipelineError for an extractor that does not
    exist.
    """
    document, why = with_carried_text(Document.from_html(html, url))
    _, extraction = extracted(document, Recipe(extractor))
    if why:
        extraction = replace(extraction, reasons=(why, *extraction.reasons))
    names = Extraction.__match_args__
    said: dict[str, Any] = dict(zip(names, attrgetter(*names)(extraction), strict=True))
    said["title"] = title_of(document, extraction) or None
    return Article(**said, document=document)
