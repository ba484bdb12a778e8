"""An article that a reader has already: made harmless, as plain text and as Markdown."""

from __future__ import annotations

from html import escape

from winnow.document.document import Document
from winnow.document.render.render_context import RenderContext
from winnow.document.render.text.markdown import markdown_of
from winnow.document.sanitise import sanitise
from winnow.extractors.baselines.plain import Plain
from winnow.features.saved.jobs import GivenArticle


def given_article(markup: str) -> GivenArticle:
    """All of an article's markup, sanitised, and the text that a browser would show of it."""
    content = sanitise(markup)
    document = Document.from_html(f"<body><article>{content}</article>")
    text = RenderContext.of(document, Plain().extract(document)).text()
    return GivenArticle(content, text)


def markdown_article(markup: str, title: str) -> str:
    """Sanitised markup as Markdown, below its title."""
    heading = f"<h1>{escape(title)}</h1>" if title else ""
    return markdown_of(heading + markup)
