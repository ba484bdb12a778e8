"""The reader page: the kept text as a page of its own that one likes to read. Knows no method.

One h1, a main landmark between banner and contentinfo, a skip link, a fixed stylesheet, no script.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape

from document.document import Document
from document.metadata import Metadata
from document.render.addresses import Addresses, host_of
from document.render.style import NO_SCRIPT, STYLE
from document.render.view import View
from document.values import BAR_MARK, Extraction, Rendered

MEDIA_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ReaderRenderer:
    """``link_prefix`` stands before every absolute link (values.Recipe)."""

    link_prefix: str = ""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """A whole page; ``BAR_MARK`` stands once in it, right behind ``<body>``."""
        view = View.of(document, extraction, self.link_prefix)
        minutes = round(view.reading_seconds() / 60)
        body = page(view.about, view.article(scroll=True), view.addresses, minutes)
        return view.rendered(body, MEDIA_TYPE)


def page(about: Metadata, content: str, addresses: Addresses, minutes: int) -> str:
    """The page around sanitised ``content``."""
    title = escape(about.title or host_of(addresses.page) or "Untitled page")
    language = escape(about.language) or "und"
    direction = f' dir="{about.direction}"' if about.direction else ""
    ours = "" if about.language.lower().split("-")[0] in {"", "en"} else ' lang="en" dir="ltr"'
    canonical = escape(addresses.page)
    return "\n".join(
        (
            "<!doctype html>",
            f'<html lang="{language}"{direction}>',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{NO_SCRIPT}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f'<link rel="canonical" href="{canonical}">' if canonical else "",
            f"<style>{STYLE}</style></head>",
            f"<body>{BAR_MARK.decode()}",
            f'<header><a class="winnow-skip" href="#winnow-text"{ours}>Skip to the text</a>',
            f"<p>{_site(about, addresses)}</p></header>",
            f'<main id="winnow-text" tabindex="-1"><h1>{title}</h1>',
            _about(about, minutes, ours),
            f"{content}</main>",
            f"<footer{ours}><p>{_origin(addresses)}</p></footer>",
            "</body></html>\n",
        )
    )


def _site(about: Metadata, addresses: Addresses) -> str:
    return escape(about.site or host_of(addresses.page))


def _about(about: Metadata, minutes: int, ours: str) -> str:
    """Who wrote it, when, and how long it takes to read."""
    parts = [escape(about.byline)] if about.byline else []
    if about.published:
        parts.append(_date(about.published, in_english=not ours))
    if minutes:
        parts.append(f"<span{ours}>{minutes} min read</span>")
    return f'<p class="winnow-about">{" · ".join(parts)}</p>' if parts else ""


def _date(published: str, *, in_english: bool) -> str:
    try:
        moment = datetime.fromisoformat(published)
    except ValueError:  # written for people already
        return escape(published)
    shown = f"{moment.day} {moment:%B %Y}" if in_english else f"{moment:%Y-%m-%d}"
    return f'<time datetime="{escape(published)}">{shown}</time>'


def _origin(addresses: Addresses) -> str:
    """Where the page comes from; the link leads through the gateway like every other."""
    if not (target := addresses.resource(addresses.page)):
        return "Shown by Winnow"
    return f'From <a href="{escape(target)}">{escape(host_of(addresses.page))}</a>, shown by Winnow'
