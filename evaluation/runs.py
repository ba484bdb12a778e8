"""A run: one subject over one package, a row a page, a failing page being a row and no crash.

Knows how answers become rows and rows a summary; refuses to know how they are printed or kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from evaluation.measures import Score, deviation, mean, word_f1
from evaluation.packages import Entry
from evaluation.subjects import Subject


@dataclass(frozen=True, slots=True)
class Row:
    """What one subject made of one page. ``error`` is empty where it answered.

    ``seconds`` are the subject's; ``parse_seconds`` is the CPU time of a bare lexbor parse of the
    same bytes, measured beside it.
    """

    package: str
    page: str
    page_type: str
    subject: str
    word: Score
    kilobytes: float
    seconds: float
    parse_seconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the pages of one group. Failed pages count as an empty answer."""

    package: str
    page_type: str
    subject: str
    pages: int
    errors: int
    f1: float
    precision: float
    recall: float
    deviation: float
    milliseconds: float
    parse_milliseconds: float
    seconds_per_kilobyte: float

    @property
    def ratio(self) -> float:
        """The time per page in bare parses of the same pages."""
        return self.milliseconds / self.parse_milliseconds if self.parse_milliseconds else 0.0


def measure(package: str, entry: Entry, subject: Subject) -> Row:
    """Ask the subject for one page and score its answer."""
    parse_seconds = bare_parse(entry.body)
    text, seconds, error = _asked(subject, entry)
    return Row(
        package=package,
        page=entry.id,
        page_type=entry.page_type or "",
        subject=subject.name,
        word=word_f1(text, entry.gold),
        kilobytes=len(entry.body) / 1000,
        seconds=seconds,
        parse_seconds=parse_seconds,
        error=error,
    )


def bare_parse(body: bytes) -> float:
    """CPU seconds that lexbor takes to parse the bytes: the unit in which costs are told.

    The better of two, so that reading the bytes from memory first is not on its bill alone.
    """
    return min(_one_parse(body), _one_parse(body))


def _one_parse(body: bytes) -> float:
    start = time.process_time()
    tree = LexborHTMLParser(body)
    seconds = time.process_time() - start
    del tree  # its release is on nobody's clock
    return seconds


def _asked(subject: Subject, entry: Entry) -> tuple[str, float, str]:
    try:
        answer = subject.answer(entry)
    except Exception as error:  # noqa: BLE001 - whatever a subject raises is its row, not our crash
        return "", 0.0, f"{type(error).__name__}: {error}".splitlines()[0]
    return answer.text, answer.seconds, ""


def summarise(rows: Sequence[Row], page_type: str = "") -> Summary:
    """The means of rows of one package and one subject; times are of the pages answered."""
    answered = [row for row in rows if not row.error]
    scores = [row.word.f1 for row in rows]
    seconds = sum(row.seconds for row in answered)
    return Summary(
        package=rows[0].package,
        page_type=page_type,
        subject=rows[0].subject,
        pages=len(rows),
        errors=len(rows) - len(answered),
        f1=mean(scores),
        precision=mean([row.word.precision for row in rows]),
        recall=mean([row.word.recall for row in rows]),
        deviation=deviation(scores),
        milliseconds=1000 * seconds / max(len(answered), 1),
        parse_milliseconds=1000 * mean([row.parse_seconds for row in answered]),
        seconds_per_kilobyte=seconds / max(sum(row.kilobytes for row in answered), 0.001),
    )


def by_type(rows: Sequence[Row]) -> Iterator[Summary]:
    """A summary for each page type that is told, in the order of the types' names."""
    for page_type in sorted({row.page_type for row in rows} - {""}):
        yield summarise([row for row in rows if row.page_type == page_type], page_type)
