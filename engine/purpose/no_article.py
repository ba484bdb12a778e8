"""The reason of an extraction without a word: for programs, which get it as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.document.document import Document
from winnow.document.render.selection import select, words_of
from winnow.document.values import Extraction
from winnow.engine.base.main_region import kept_pieces

NO_ARTICLE: Final = "no-article: no text was found to be the article"


def with_no_article(document: Document, extraction: Extraction) -> Extraction:
    """The extraction, saying so where it shows no word."""
    if document.piece_words @ kept_pieces(document, extraction):
        return extraction
    if words_of(document, select(document, extraction)):  # a span may begin inside a piece
        return extraction
    return replace(extraction, reasons=(NO_ARTICLE, *extraction.reasons))
