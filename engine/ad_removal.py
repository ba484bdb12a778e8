"""A page without what a list of advertisements names, for whatever method is to read it."""

from __future__ import annotations

from typing import Final

from winnow.document.document import Document
from winnow.document.edits import Edit
from winnow.document.parsing import tags
from winnow.document.render.original.live_page import without_elements
from winnow.document.values import Page
from winnow.extractors.crunch.ad_matching import AdList, load_ads
from winnow.extractors.crunch.crunch_options import CrunchOptions
from winnow.extractors.crunch.filter_input import FilterInput
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.filters import ads_pass
from winnow.extractors.crunch.page_links import PageLinks

_LINK: Final = tags.CODES["a"]
_NO_FILTERS: Final = CrunchOptions(frozenset())


def without_ads(document: Document, path: str) -> tuple[Document, str]:
    """The page less the elements that a list names, and how many these are, in a sentence.

    As Crunch's filter finds them, but for links of words: these stay, for a text may speak of an
    advertiser. Raises ParameterError for a list that cannot be read.
    """
    ads = load_ads(path)
    found = [edit.element for edit in _named(document, ads) if _is_shown_by(document, edit.element)]
    if not found:
        return document, ""
    markup = without_elements(document, found)
    page = Page(markup.encode("utf-8", "replace"), document.page.url, "utf-8")
    number = f"{len(found)} element{'s' * (len(found) > 1)}"
    return Document.parse(page), f"{number} named by your lists of advertisements went first"


def _named(document: Document, ads: AdList) -> tuple[Edit, ...]:
    page = FilterInput(PageLinks(document), _NO_FILTERS, ads, Filtered.nothing(document))
    return ads_pass(page).edits


def _is_shown_by(document: Document, element: int) -> bool:
    """Whether an element loads what its address names, or is a link without words."""
    if document.elements.tag[element] != _LINK:
        return True
    first, last = document.elements.first_piece[element], document.elements.last_piece[element]
    return not document.piece_words[first:last].any()
