"""The line above a record: who wrote it, when, its number, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from winnow.document.metadata.page_metadata import Metadata
from winnow.document.render.reader.byline_line import moment_of, time_element
from winnow.document.spans import Record, RecordKind

_NAMES: Final = {
    RecordKind.POST: "Post",
    RecordKind.QUESTION: "Question",
    RecordKind.ANSWER: "Answer",
    RecordKind.COMMENT: "Comment",
    RecordKind.REVIEW: "Review",
    RecordKind.CARD: "",
}
"""What a record is called that names no author; a card has a heading of its own."""


def record_headings(records: Sequence[Record], about: Metadata) -> dict[int, str]:
    """By element the line above each record, as a heading of level 2, "" of a card; dates as the
    page's byline has them.
    """
    lines = {record.element: record_line(record, records, about) for record in records}
    return {element: f"<h2>{line}</h2>" if line else "" for element, line in lines.items()}


def plain_heading(record: Record, records: Sequence[Record], about: Metadata) -> str:
    """The same line as plain text."""
    time, words = moment_of(record.time, about), about.words
    name = record.author or (_NAMES[record.kind] and words.text(_NAMES[record.kind]))
    return _joined(name, time, *_marks(record, records, words.text))


def record_line(record: Record, records: Sequence[Record], about: Metadata) -> str:
    """What such a heading says, as HTML without an element around it."""
    words = about.words
    who = escape(record.author) or (_NAMES[record.kind] and words.span(_NAMES[record.kind]))
    time = time_element(record.time, about) if record.time else ""
    return _joined(who, time, *_marks(record, records, words.span))


def _joined(*parts: str) -> str:
    return " \u00b7 ".join(filter(None, parts))


def _marks(record: Record, records: Sequence[Record], written: Callable[..., str]) -> Iterator[str]:
    """``written``: a text of ours as text or as markup (PageWords)."""
    if record.number:
        yield f"#{record.number}"
    if record.parent >= 0 and record.kind is not RecordKind.ANSWER:
        answered = records[record.parent]
        author = answered.author
        yield written("reply to {author}", author=author) if author else written("reply")
    if record.votes.strip("0"):
        yield written("votes: {number}", number=record.votes)
    if record.is_accepted:
        yield written("accepted answer")
