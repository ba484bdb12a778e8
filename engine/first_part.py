"""The first part of a page in the basic profile; the others are those of ``/-/small/``.

A page that came through the proxy stands at its own address, where only one part of it can be; its
images and its further parts are our own, and so are those of the small gateway, cut alike.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final
from urllib.parse import urlsplit

from winnow.document.document import Document
from winnow.document.metadata import Metadata
from winnow.document.render.basic_profile import basic, basic_page
from winnow.document.render.reader_page import MEDIA_TYPE, facts_of
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Extraction, Recipe, Rendered
from winnow.engine.html32 import Measure, plain_parts
from winnow.jobs.small_gateway import OWN_NAME, SMALL_PATH, size_text

_WORD: Final = "i2"
"""Says to the small gateway that images stand in the text."""
_OWN: Final = re.compile(rf'(href|src)="({re.escape(SMALL_PATH)}{_WORD}/)')


def opening(document: Document, extraction: Extraction, recipe: Recipe) -> Rendered:
    """The page's first part, with a link to the next one where there is one."""
    url = document.page.url or ""
    base = recipe.link_prefix.rstrip("/") or f"{urlsplit(url).scheme or 'http'}://{OWN_NAME}"
    inside = f"{base}{SMALL_PATH}{_WORD}/"
    view = RenderContext.of(document, extraction, inside)
    measure = Measure(1, recipe.part.size, recipe.part.images)
    parts = plain_parts(view.article(), inside, inside, measure)
    first = _OWN.sub(lambda found: _address(found, base, recipe.link_prefix), parts[0])
    next_page = f"{base}{SMALL_PATH}{_WORD}.p2/{url}" if len(parts) > 1 else ""
    sizes = f"{size_text(len(first.encode()))} instead of {size_text(len(document.page.body))}"
    facts = basic(facts_of(view.about, round(view.reading_seconds() / 60)))
    turning = _turning(view.about, next_page, len(parts), sizes)
    shown = RenderContext.of(document, extraction, recipe.link_prefix)
    page = basic_page(shown.about, first + turning, shown.addresses, facts)
    return shown.rendered(page, MEDIA_TYPE)


def _address(found: re.Match[str], base: str, prefix: str) -> str:
    """Where a link leads: in the gateway on and on, through the proxy to the page itself."""
    name, path = found.groups()
    if name == "href":
        return f'{name}="{path if prefix else ""}'
    return f'{name}="{base}{path}'


def _turning(about: Metadata, next_page: str, parts: int, sizes: str) -> str:
    link = f'Page 1 of {parts}: <a href="{escape(next_page)}">Next page</a>. ' if next_page else ""
    return f"<hr><p{about.english_attributes}>{link}<small>{sizes}.</small></p>"
