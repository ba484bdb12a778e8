"""Spans of a document's text: what they are labelled, and those that are records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Label(StrEnum):
    """What a span is; text that no span covers is garbage."""

    TITLE = "title"
    HEADING = "heading"
    BODY = "body"


@dataclass(frozen=True, slots=True, order=True, init=False)
class Span:
    """A half-open range of code points of ``Document.text`` (Gottron 2007, section 2)."""

    start: int
    end: int
    label: Label

    def __init__(self, start: int, end: int, label: Label = Label.BODY) -> None:
        """One call for each of a page's. Raises ValueError for no range."""
        if not 0 <= start < end:
            raise ValueError(f"a span needs 0 <= start < end, not {start}, {end}")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "label", label)


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order and disjoint; of those that overlap, the first one's label counts."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        start = max(span.start, found[-1].end) if found else span.start
        if start < span.end:
            found.append(Span(start, span.end, span.label))
    return tuple(found)


class RecordKind(StrEnum):
    """What a record is, after schema.org; a POST is one of a discussion, a CARD a teaser."""

    POST = "post"
    QUESTION = "question"
    ANSWER = "answer"
    COMMENT = "comment"
    REVIEW = "review"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Record:
    """One of several texts of the same form on a page, each by an author of its own.

    ``spans`` cover its body; ``element``, an index into ``Document.elements``, holds it. ``time``
    as the page writes it, mostly ISO 8601; ``number``: its place in the thread. "" where the page
    does not say. ``parent``: the index of the record that it answers or comments on, -1 if it is
    none's. ``is_accepted``: the answer that solved the question. ``votes``: how many readers found
    it good, less those who did not.
    """

    spans: tuple[Span, ...]
    element: int
    kind: RecordKind = RecordKind.POST
    author: str = ""
    time: str = ""
    number: str = ""
    parent: int = -1
    is_accepted: bool = False
    votes: str = ""


def posts_of(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records that somebody wrote: all but cards, which stand among no others."""
    return tuple(record for record in records if record.kind is not RecordKind.CARD)
