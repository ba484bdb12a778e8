"""An extraction together with its document, so that it can show itself. Knows no HTTP.

This is what ``winnow.extract`` returns to programs that use Winnow as a library.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

from winnow.document.document import Document
from winnow.document.metadata import describe
from winnow.document.render.renderers import renderer_for
from winnow.document.values import BAR_MARK, Extraction, Format, Recipe
from winnow.engine.pipeline import extractor_of


@dataclass(frozen=True)
class Article(Extraction):
    """An Extraction that still has its document; each way to show it is made on demand."""

    document: Document = field(kw_only=True, repr=False, compare=False)

    @cached_property
    def text(self) -> str:
        """Plain text as docs/formats.md describes it, without a line feed at its end."""
        return self.shown(Format.TEXT).removesuffix("\n")

    @cached_property
    def html(self) -> str:
        """The reader page: clean, sanitised, whole."""
        return self.shown(Format.HTML)

    @cached_property
    def markdown(self) -> str:
        return self.shown(Format.MARKDOWN)

    @cached_property
    def json(self) -> str:
        """The JSON of an extraction, with the field names that readers' libraries share."""
        return self.shown(Format.JSON)

    def shown(self, wanted: Format) -> str:
        """Return the article in a format. Raises winnow.document.errors.UnsupportedFormatError."""
        rendered = renderer_for(Recipe(self.extractor, wanted)).render(self.document, self)
        return rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")


def extract(html: bytes | str, url: str | None = None, extractor: str = "auto") -> Article:
    """Extract a page's article, given as bytes (decoded as browsers do) or as text.

    ``url`` makes relative links absolute; ``extractor`` follows the grammar of
    ``winnow extractors``. Raises winnow.engine.pipeline.PipelineError for an extractor that is not
    there.
    """
    document = Document.from_html(html, url)
    extraction = extractor_of(Recipe(extractor)).extract(document)
    values = {item.name: getattr(extraction, item.name) for item in fields(Extraction)}
    values["title"] = describe(document, extraction).title or None
    return Article(**values, document=document)
