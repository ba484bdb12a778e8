"""A document's markup as a browser is given it: elements numbered, addresses taken out.

What would be fetched, embedded or moved to is named by an attribute that no browser follows, so a
page can ask for nothing but what its styles import. Its style sheets (``Page.sheets``) stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses, clean
from winnow.document.render.style_sheets import StyleSheets, content_of, is_sheet

MARK: Final = "data-winnow-element"
"""The attribute that holds an element's index in ``Document.elements``."""

_FETCHING: Final = tags.table_of("base embed frame iframe link meta object")
_STYLING: Final = tags.codes_of("link style")
_ADDRESS: Final = re.compile(r' (src|srcdoc|href|data|http-equiv|charset)="', re.IGNORECASE)
_NAME: Final = re.compile(r"[^\s>/]*", re.ASCII)


def numbered_markup(document: Document) -> str:
    """The markup with every element's index in it; O(len(markup))."""
    return "".join(_parts(document))


def _parts(document: Document) -> Iterator[str]:
    markup, position = document.markup, 0
    elements, sheets = document.elements, StyleSheets(dict(document.page.sheets))
    rows = np.stack([elements.open_start, elements.open_end, elements.tag], axis=1).tolist()
    for element, (start, end, tag) in enumerate(rows):
        name = _NAME.match(markup, start + 1)
        inside = name.end() if name else start + 1
        yield markup[position:start]
        if document.page.sheets and tag in _STYLING:
            yield _sheet(document, element, sheets)
        yield markup[start:inside]
        yield f' {MARK}="{element}"'
        opening = markup[inside:end]
        yield _ADDRESS.sub(r' data-was-\1="', opening) if _FETCHING[tag] else opening
        position = end
    yield markup[position:]


def _sheet(document: Document, element: int, sheets: StyleSheets) -> str:
    """What a link loads, or a style imports, as a style before it."""
    declared, base = document.attributes_of(element), base_of(document)
    url = Addresses(base).resource(clean(declared.get("href", "")))
    if document.name_of(element) == "style":
        css = sheets.imports(content_of(document, element), base, _inside)
    else:
        css = sheets.at(url, _inside) if is_sheet(declared) and sheets.has(url) else ""
    return f'<style media="{escape(declared.get("media", ""))}">{css}</style>' if css else ""


def _inside(css: str, _base: str) -> str:
    """A sheet's text, which cannot end its element."""
    return css.replace("</", "<\\/")
