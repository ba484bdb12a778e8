"""Third parties' filters (winnow.extractors.crunch.filter_protocol) behind any method."""

from __future__ import annotations

from dataclasses import replace

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.engine.base.selector_rules import without
from winnow.extractors.base import Method
from winnow.extractors.extractor_protocol import Extractor


def filtered(document: Document, extraction: Extraction, extractor: Extractor) -> Extraction:
    """The extraction without what the extractor's filters take, unless the check undoes that."""
    if not isinstance(extractor, Method) or not extractor.filters or extraction.edited:
        return extraction  # Crunch, which edits, has them among its own
    from winnow.extractors.crunch import filter_protocol, result_check  # noqa: PLC0415 - rarely used

    filters, check = extractor.third_party_filters, result_check.Check()
    state, reverted = filter_protocol.filtered(document, filters, check)
    gone = state.removed_pieces
    return replace(
        extraction,
        spans=tuple(without(document, extraction.spans, gone)),
        comments=tuple(without(document, extraction.comments, gone)),
        edits=tuple(sorted((*extraction.edits, *state.edits), key=lambda edit: edit.element)),
        reasons=(*extraction.reasons, *reverted),
    )
