"""Records: the posts of a thread, questions with answers, comments, reviews."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.spans import Record, RecordKind, Span
from winnow.document.values import Extraction, Purpose
from winnow.engine.record_elements import RecordElements
from winnow.engine.record_facts import RecordFacts
from winnow.engine.record_marks import RecordMarks
from winnow.engine.selector_rules import without
from winnow.extractors.base import spans_of_pieces

_ARE_CONTENT: Final = frozenset({Purpose.THREAD, Purpose.QUESTION})


def records_of(document: Document, among: Mask) -> tuple[list[Record], Mask, Mask]:
    """The records among some pieces, in document order; the pieces of their bodies; all theirs."""
    marks = RecordMarks(document)
    found = RecordElements(document, marks, among).found()
    records: list[Record] = []
    bodies, region = np.zeros((2, len(document.pieces)), dtype=bool)
    last = document.elements.last
    open_: list[int] = []
    index_of: dict[int, int] = {}
    for at, element in enumerate(found):
        while open_ and last[open_[-1]] <= element:
            open_.pop()
        inner = tuple(other for other in found[at + 1 :] if other < last[element])
        inner = _outer(document, inner)
        facts = RecordFacts(document, marks, element, inner)
        body = facts.body & among
        pieces = np.flatnonzero(body)
        region |= facts.own
        if len(pieces) and (facts.author or facts.time):
            span = Span(
                int(document.pieces.start[pieces[0]]), int(document.pieces.end[pieces[-1]])
            )
            parent = next((index_of[outer] for outer in reversed(open_) if outer in index_of), -1)
            index_of[element] = len(records)
            records.append(
                Record(
                    span, element, RecordKind.POST, facts.author, facts.time, facts.number, parent,
                    facts.is_accepted,
                )
            )
            bodies |= body
        open_.append(element)
    return records, bodies, region


def _outer(document: Document, elements: tuple[int, ...]) -> tuple[int, ...]:
    found: list[int] = []
    for element in elements:
        if not found or document.elements.last[found[-1]] <= element:
            found.append(element)
    return tuple(found)


def with_records(document: Document, extraction: Extraction) -> Extraction:
    is_thread = extraction.page_type == "forum" or extraction.purpose in _ARE_CONTENT
    if not is_thread or extraction.edited or extraction.edits:
        return extraction
    records, bodies, region = records_of(document, ~document.hidden)
    if len(records) < 2:
        return extraction
    spans = without(document, extraction.spans, region)
    spans = sorted((*spans, *spans_of_pieces(document, bodies)))
    return replace(extraction, spans=tuple(spans), records=tuple(records))
