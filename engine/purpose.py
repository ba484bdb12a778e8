"""What a page is for, from the whole of it and from what was extracted; a pure function."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction, Purpose

_BY_TYPE = {
    "forum": Purpose.THREAD,
    "documentation": Purpose.DOCUMENTATION,
    "product": Purpose.PRODUCT,
    "collection": Purpose.INDEX,
    "listing": Purpose.INDEX,
}
_FEW_WORDS = 25
_LONG = 200


def with_purpose(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with what its page is for, and why."""
    purpose, reason = purpose_of(document, extraction)
    return replace(extraction, purpose=purpose, purpose_reason=reason)


def purpose_of(document: Document, extraction: Extraction) -> tuple[Purpose, str]:
    """What a page is for, and why in a sentence."""
    if _has_secret(document, extraction):
        return Purpose.FORM, "The page has a password field."
    shown = int(document.piece_words[~document.hidden].sum())
    if shown < _FEW_WORDS and document.elements_named("script"):
        return Purpose.APPLICATION, "The page has scripts and nearly no text."
    kind = _BY_TYPE.get(extraction.page_type or "", Purpose.ARTICLE)
    return kind, f"The page reads like one of the type {extraction.page_type or 'article'}."


def _has_secret(document: Document, extraction: Extraction) -> bool:
    """Whether a field for a password is shown, and not clearly before or behind a long text."""
    spans, pieces = extraction.spans, document.pieces
    first = int(np.searchsorted(pieces.start, spans[0].start)) if spans else 0
    last = int(np.searchsorted(pieces.end, spans[-1].end, "right")) if spans else 0
    is_long = int(document.piece_words[first:last].sum()) >= _LONG
    hides = np.flatnonzero(document.elements.hides)
    for field in document.elements_named("input"):
        if document.attributes_of(field, {"type"}).get("type", "").strip().lower() == "password":
            inside = (hides <= field) & (document.elements.last[hides] > field)
            at = int(document.elements.first_piece[field])
            if not inside.any() and not (is_long and (at <= first or at >= last)):
                return True
    return False
