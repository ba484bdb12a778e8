"""The line above a record: who wrote it, when, its number, and what it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from winnow.document.spans import Record, RecordKind

_NAMES: Final = {
    RecordKind.POST: "Post",
    RecordKind.QUESTION: "Question",
    RecordKind.ANSWER: "Answer",
    RecordKind.COMMENT: "Comment",
    RecordKind.REVIEW: "Review",
}
"""What a record is called that names no author."""


def record_headings(records: Sequence[Record], english: str) -> dict[int, str]:
    """By element the line above each record, as a heading of level 2.

    ``english``: the attributes of English words on the page (Metadata.english_attributes).
    """
    return {record.element: f"<h2>{_heading(record, records, english)}</h2>" for record in records}


def plain_heading(record: Record, records: Sequence[Record]) -> str:
    """The same line as plain text."""
    time = shown_time(record.time, in_english=True)
    return _joined(record.author or _NAMES[record.kind], time, *_marks(record, records))


def _heading(record: Record, records: Sequence[Record], english: str) -> str:
    def in_english(words: str) -> str:
        return f"<span{english}>{escape(words)}</span>" if english else escape(words)

    who = escape(record.author) or in_english(_NAMES[record.kind])
    time = _time_element(record.time, in_english=not english)
    return _joined(who, time, *map(in_english, _marks(record, records)))


def _joined(*parts: str) -> str:
    return " \u00b7 ".join(filter(None, parts))


def _marks(record: Record, records: Sequence[Record]) -> Iterator[str]:
    if record.number:
        yield f"#{record.number}"
    if record.parent >= 0 and record.kind is not RecordKind.ANSWER:
        answered = records[record.parent]
        yield f"reply to {answered.author}" if answered.author else "reply"
    if record.is_accepted:
        yield "accepted answer"


def _time_element(time: str, *, in_english: bool) -> str:
    if not time:
        return ""
    shown = shown_time(time, in_english=in_english)
    return f'<time datetime="{escape(time)}">{escape(shown)}</time>'


def shown_time(time: str, *, in_english: bool) -> str:
    """A date and time of day as people write them; one that is no ISO 8601 as it stands."""
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:  # written for people already
        return time
    day = f"{moment.day} {moment:%B %Y}" if in_english else f"{moment:%Y-%m-%d}"
    return f"{day}, {moment:%H:%M}" if len(time) > len("2026-01-31") else day
