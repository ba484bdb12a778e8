"""Articles as an EPUB 3 book: one chapter a page, a table of contents, the images provided.

EPUB 3.3, sections 4 to 7. The maintained library for this, EbookLib, is under the AGPL, which a
program under the Apache licence cannot ship.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import escape
from types import MappingProxyType
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from lxml import etree

from winnow.document.document import Document
from winnow.document.render.addresses import host_of
from winnow.document.render.book import media_overlay
from winnow.document.render.book.epub_container import MEDIA_TYPE, zipped
from winnow.document.render.book.media_overlay import Narration
from winnow.document.render.book.sentences import MarkedSentence, mark_sentences
from winnow.document.render.book.xhtml import XHTML, Xhtml, xhtml_of
from winnow.document.render.book.xml_values import language_tag, legal
from winnow.document.render.render_context import RenderContext
from winnow.document.texts.page_words import PageWords
from winnow.document.values import Extraction, Rendered

_ENDINGS: Final = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
_BEGINNING: Final = 300
"""Characters of a text among which a line about its author stands."""
_STYLE: Final = """\
body { line-height: 1.5; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-align: start; }
img { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.4em; vertical-align: top; }
.about, .caption { font-size: 0.9em; }
"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One article: ``content`` is sanitised HTML below an h1; addresses are absolute."""

    title: str
    content: str
    url: str = ""
    byline: str = ""
    published: str = ""
    language: str = ""
    direction: str = ""
    site: str = ""

    @property
    def words(self) -> PageWords:
        """What stands where the chapter says nothing itself."""
        return PageWords(self.language)


@dataclass(frozen=True, slots=True)
class EpubImage:
    """An image of the book; other media types than EPUB's own are left out (section 3.2)."""

    media_type: str
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class EpubRenderer:
    """A book of one chapter; links lead to the web itself, a book knows no gateway."""

    def render(self, document: Document, extraction: Extraction) -> Rendered:
        """The book's bytes: a ZIP archive, so no UTF-8."""
        view = RenderContext.of(document, extraction)
        book = write_book([chapter_of(view)])
        return replace(view.rendered("", MEDIA_TYPE), body=book)


def chapter_of(view: RenderContext) -> Chapter:
    """What a book holds of one page."""
    about, url = view.about, view.document.page.url or ""
    return Chapter(
        title=about.title or host_of(url) or about.words.text("Untitled page"),
        content=view.article(),
        url=url,
        byline=about.byline,
        published=about.published,
        language=about.language,
        direction=about.direction,
        site=about.site or host_of(url),
    )


def write_book(
    chapters: Sequence[Chapter],
    title: str = "",
    images: Mapping[str, EpubImage] = MappingProxyType({}),
    narration: Narration | None = None,
) -> bytes:
    """The same chapters give the same bytes. ``images`` are by address.

    ``title`` is the first chapter's unless it is given; ``narration`` is of the first chapter.
    """
    included = {url: image for url, image in images.items() if image.media_type in _ENDINGS}
    places = {
        url: f"image{number}.{_ENDINGS[image.media_type]}"
        for number, (url, image) in enumerate(included.items(), 1)
    }
    pages = [
        xhtml_of(chapter.content, lambda url: places.get(url, ""), chapter.words)
        for chapter in chapters
    ]
    files: dict[str, bytes] = {
        "EPUB/book.opf": _package(
            chapters, pages, title, _image_items(included, places), narration
        ),
        "EPUB/nav.xhtml": _contents(chapters, title),
        "EPUB/style.css": (_STYLE + (media_overlay.STYLE if narration else "")).encode(),
    }
    for number, (chapter, page) in enumerate(zip(chapters, pages, strict=True), 1):
        root = _chapter(chapter, page)
        if narration and number == 1:
            ids = [sentence.id for sentence in mark_sentences(page.body)]
            files[f"EPUB/{media_overlay.OVERLAY}"] = media_overlay.overlay(ids, narration)
            files[f"EPUB/{media_overlay.AUDIO}"] = narration.body
        files[f"EPUB/chapter{number}.xhtml"] = bytes(
            etree.tostring(root, xml_declaration=True, encoding="utf-8", doctype="<!DOCTYPE html>")
        )
    files |= {f"EPUB/{places[url]}": image.body for url, image in included.items()}
    return zipped(files)


def spoken_sentences(chapter: Chapter, images: Mapping[str, str]) -> list[MarkedSentence]:
    """What is read of a chapter in a book with images of these media types, its title first."""
    page = xhtml_of(
        chapter.content, lambda url: url if images.get(url) in _ENDINGS else "", chapter.words
    )
    _chapter(chapter, page)
    return mark_sentences(page.body)


def _package(
    chapters: Sequence[Chapter],
    pages: Sequence[Xhtml],
    title: str,
    items: str,
    narration: Narration | None,
) -> bytes:
    """``items``: of the manifest, beside those of the chapters."""
    manifest = [
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
        '<item id="style" href="style.css" media-type="text/css"/>',
    ]
    for number, page in enumerate(pages, 1):
        properties = ' properties="mathml"' if page.has_math else ""
        properties += ' media-overlay="m1"' if narration and number == 1 else ""
        manifest.append(
            f'<item id="c{number}" href="chapter{number}.xhtml" '
            f'media-type="application/xhtml+xml"{properties}/>'
        )
    manifest += [items, media_overlay.MANIFEST if narration else ""]
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(1, len(pages) + 1))
    rtl = ' page-progression-direction="rtl"' if chapters[0].direction == "rtl" else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"{_metadata(chapters, title)}{media_overlay.metadata(narration) if narration else ''}"
        "</metadata>"
        f"<manifest>{''.join(manifest)}</manifest><spine{rtl}>{spine}</spine></package>\n"
    ).encode()


def _image_items(images: Mapping[str, EpubImage], places: Mapping[str, str]) -> str:
    return "".join(
        f'<item id="i{number}" href="{places[url]}" media-type="{image.media_type}"/>'
        for number, (url, image) in enumerate(images.items(), 1)
    )


def _metadata(chapters: Sequence[Chapter], title: str) -> str:
    identifier = uuid5(NAMESPACE_URL, " ".join(part.url or part.title for part in chapters))
    first = chapters[0]
    languages = dict.fromkeys(language_tag(part.language) for part in chapters)
    authors = dict.fromkeys(_text(part.byline) for part in chapters if _text(part.byline))
    return "".join(
        (
            f'<dc:identifier id="id">urn:uuid:{identifier}</dc:identifier>',
            f"<dc:title>{_title(title or first.title, first.words)}</dc:title>",
            *(f"<dc:language>{language}</dc:language>" for language in languages),
            *(f"<dc:creator>{escape(author)}</dc:creator>" for author in authors),
            f"<dc:source>{escape(legal(first.url))}</dc:source>" if first.url else "",
            f'<meta property="dcterms:modified">{_modified(first.published)}</meta>',
        )
    )


def _modified(published: str) -> str:
    """The page's own date, as the format wants it; a fixed one where it has none."""
    try:
        moment = datetime.fromisoformat(published)
    except ValueError:
        return "1980-01-01T00:00:00Z"
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return f"{aware.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0")
    except OverflowError:
        return "1980-01-01T00:00:00Z"


def _contents(chapters: Sequence[Chapter], title: str) -> bytes:
    items = "".join(
        f'<li><a href="chapter{number}.xhtml">{_title(chapter.title, chapter.words)}</a></li>'
        for number, chapter in enumerate(chapters, 1)
    )
    first = chapters[0]
    heading, language = first.words.text("Contents"), _language_of_contents(first)
    direction = ' dir="rtl"' if first.direction == "rtl" and not first.words.attributes else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<html xmlns="{XHTML}" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}"{direction}>'
        f"<head><title>{_title(title or first.title, first.words)}</title></head>"
        f'<body><nav epub:type="toc"><h1>{heading}</h1><ol>{items}</ol></nav></body></html>\n'
    ).encode()


def _language_of_contents(first: Chapter) -> str:
    """The first chapter's, where its own word for a table of contents is known."""
    is_known = first.language and not first.words.attributes
    return language_tag(first.language) if is_known else "en"


def _title(title: str, words: PageWords) -> str:
    return escape(_text(title)) or words.text("Untitled")


def _chapter(chapter: Chapter, page: Xhtml) -> etree._Element:
    """The chapter's document: the page's body below its title."""
    language = language_tag(chapter.language)
    root = etree.Element(f"{{{XHTML}}}html", nsmap={None: XHTML})
    root.set("lang", language)
    root.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    if chapter.direction in ("ltr", "rtl"):
        root.set("dir", chapter.direction)
    head = etree.SubElement(root, f"{{{XHTML}}}head")
    title = _text(chapter.title) or chapter.words.text("Untitled")
    etree.SubElement(head, f"{{{XHTML}}}title").text = title
    style = etree.SubElement(head, f"{{{XHTML}}}link")
    style.attrib.update({"rel": "stylesheet", "type": "text/css", "href": "style.css"})
    root.append(page.body)
    heading = etree.Element(f"{{{XHTML}}}h1")
    heading.text = title
    about = etree.Element(f"{{{XHTML}}}p")
    about.set("class", "about")
    about.text = " · ".join(_facts_above(chapter, page))
    page.body[:0] = [heading, about] if about.text else [heading]
    for element in (heading, about):
        element.tail = "\n"
    if page.body.text and page.body.text.strip():
        page.body[1 if about.text else 0].tail = page.body.text
    page.body.text = "\n"
    return root


def _facts_above(chapter: Chapter, page: Xhtml) -> Iterator[str]:
    """What stands below the title: the author, unless the text begins with it, and the site."""
    beginning = _text("".join(page.body.itertext())[:_BEGINNING]).casefold()
    byline, site = _text(chapter.byline), _text(chapter.site)
    if byline and byline.casefold() not in beginning:
        yield byline
    if site:
        yield site


def _text(text: str) -> str:
    return re.sub(r"\s+", " ", legal(text)).strip()
