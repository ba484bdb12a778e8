"""An article in plain markup (HTML 3.2), cut into parts; the first part of a split page."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from lxml import etree

from winnow.document import addresses
from winnow.document.document import Document
from winnow.document.metadata.page_metadata import Metadata
from winnow.document.render.book.xhtml import MATHML, xhtml_of
from winnow.document.render.reader.basic_profile import basic, basic_page
from winnow.document.render.reader.byline_line import byline_line
from winnow.document.render.reader.forms import plain_forms
from winnow.document.render.reader.reader_page import MEDIA_TYPE
from winnow.document.render.render_context import RenderContext
from winnow.document.texts.page_words import PageWords
from winnow.document.values import Extraction, Recipe, Rendered
from winnow.engine.small.splitter import parts_of
from winnow.jobs.small_gateway import OWN_NAME, SMALL_PATH, Measure, size_text


def plain_article(
    article: str, link_prefix: str, image_prefix: str, measure: Measure, words: PageWords
) -> etree._Element:
    """A clean article, whose links begin with ``link_prefix``, in plain markup.

    ``image_prefix`` stands where ``link_prefix`` is, for the images shown.
    """
    return _plain_body(article, _Images(link_prefix, image_prefix, measure.images), words)


class _Images:
    """Where an image of the article is shown from; "" for those that are only linked to."""

    def __init__(self, link_prefix: str, image_prefix: str, most: int) -> None:
        self.base = "/".join(link_prefix.split("/", 3)[:3]) or "no base"
        self.link_prefix, self.image_prefix, self.left = link_prefix, image_prefix, most

    def __call__(self, source: str) -> str:
        if not self.left or not source.startswith(self.link_prefix + "http"):
            return ""
        self.left -= 1
        return self.image_prefix + source.removeprefix(self.link_prefix)


def _plain_body(article: str, images: _Images, words: PageWords) -> etree._Element:
    """The article in elements that every browser knows, without names of namespaces.

    Addresses here are without our own host: each link would say it again.
    """
    body = xhtml_of(article, images, words).body
    for element in list(body.iter()):
        if element.tag == f"{{{MATHML}}}math":
            _as_text(element)
    for element in body.iter():
        if isinstance(element.tag, str):
            name = element.tag.rpartition("}")[2]
            element.tag = "div" if name == "figure" else name  # a figure's margins cost 80 pixels
        element.attrib.pop("{http://www.w3.org/XML/1998/namespace}lang", None)
        for name in ("href", "src"):
            if element.get(name, "").startswith(images.base):
                element.set(name, element.get(name, "").removeprefix(images.base))
    etree.cleanup_namespaces(body)
    return body


def _as_text(formula: etree._Element) -> None:
    text = formula.get("alttext") or "".join(map(str, formula.itertext()))
    tail = formula.tail
    formula.clear()
    formula.tag, formula.text, formula.tail = "code", " ".join(text.split()), tail


_SHARE_OF_FORMS: Final = 4
"""What part of a part's size the page's forms may take besides."""
_WORD: Final = "i2"
"""Says to the small gateway that images stand in the text."""
_OWN: Final = re.compile(rf'(href|src)="({re.escape(SMALL_PATH)}{_WORD}/)')


def opening(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's first part, with a link to the next one where there is one."""
    url = document.page.url or ""
    base = (
        recipe.link_prefix.rstrip("/") or f"{addresses.parts_of(url).scheme or 'http'}://{OWN_NAME}"
    )
    inside = f"{base}{SMALL_PATH}{_WORD}/"
    view = RenderContext.of(document, extraction, inside)
    measure = Measure(1, recipe.part.size, recipe.part.images)
    body = plain_article(view.article(), inside, inside, measure, view.about.words)
    parts = parts_of(body, measure.size)
    first = _OWN.sub(lambda found: _address(found, base, recipe.link_prefix), parts[0])
    next_page = f"{base}{SMALL_PATH}{_WORD}.p2/{url}" if len(parts) > 1 else ""
    sizes = view.about.words.text(
        "{sent} instead of {received}.",
        sent=size_text(len(first.encode())),
        received=size_text(len(document.page.body)),
    )
    facts = basic(byline_line(view.about, round(view.reading_seconds() / 60)))
    turning = _turning(view.about, next_page, len(parts), sizes)
    shown = RenderContext.of(document, extraction, recipe.link_prefix)
    is_browser = recipe.live or bool(recipe.link_prefix)
    forms = plain_forms(shown, recipe.part.size // _SHARE_OF_FORMS) if is_browser else ""
    page = basic_page(shown.about, first + turning, shown.addresses, facts, forms)
    return shown.rendered(page, MEDIA_TYPE)


def _address(found: re.Match[str], base: str, prefix: str) -> str:
    """Where a link leads: in the gateway on and on, through the proxy to the page itself."""
    name, path = found.groups()
    if name == "href":
        return f'{name}="{path if prefix else ""}'
    return f'{name}="{base}{path}'


def _turning(about: Metadata, next_page: str, parts: int, sizes: str) -> str:
    words = about.words
    number = words.text("Page {number} of {all}", number=1, all=parts)
    name = words.text("Next page")
    link = f'{number} · <a href="{escape(next_page)}">{name}</a> · ' if next_page else ""
    return f"<hr><p{words.attributes}>{link}<small>{sizes}</small></p>"
