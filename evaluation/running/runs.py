"""A run: subjects over packages, a row a page, a failing page being a row and no crash."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from selectolax.lexbor import LexborHTMLParser

from winnow.evaluation.gold.interpretations import interpretations
from winnow.evaluation.gold.labels import Mark, answer_by_label, gold_by_label
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.measures import Texts, measured
from winnow.evaluation.measuring.statistic import deviation, mean, means
from winnow.evaluation.subjects.subject import Subject, SubjectAnswer

NO_ANSWER = SubjectAnswer("", 0.0)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What one subject made of one page. ``error`` is empty where it answered.

    ``values`` are the measures' (``word.f1``, ...); ``seconds`` are by the subject's own clock;
    ``parse_seconds`` is the CPU time of a bare lexbor parse of the same bytes, measured beside it.
    """

    package: str
    page: str
    page_type: str
    subject: str
    values: Mapping[str, float]
    kilobytes: float
    seconds: float
    parse_seconds: float
    error: str = ""
    text: str = field(default="", repr=False)
    marks: Sequence[Mark] | None = field(default=None, repr=False)
    title: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the pages of one group. Failed pages count as an empty answer.

    ``deviation`` is that of the pages' word F1; ``seconds_per_kilobyte`` is Gottron's (section 3).
    """

    package: str
    page_type: str
    subject: str
    pages: int
    errors: int
    values: Mapping[str, float]
    deviation: float
    milliseconds: float
    parse_milliseconds: float
    seconds_per_kilobyte: float

    @property
    def ratio(self) -> float:
        """The time per page in bare parses of the same pages."""
        return self.milliseconds / self.parse_milliseconds if self.parse_milliseconds else 0.0


def measure(
    package: str, entry: PackageEntry, subject: Subject, names: Collection[str] = ()
) -> ResultRow:
    """Ask the subject for one page and score its answer by word F1 and the named measures."""
    parse_seconds = bare_parse(entry.body)
    answer, error = _answered(subject, entry)
    return ResultRow(
        package=package,
        page=entry.id,
        page_type=entry.page_type or "",
        subject=subject.name,
        values=measured(texts_of(entry, answer, names), names),
        kilobytes=len(entry.body) / 1000,
        seconds=answer.seconds,
        parse_seconds=parse_seconds,
        error=error,
        text=answer.text,
        marks=answer.marks,
        title=answer.title,
    )


def rescored(row: ResultRow, entry: PackageEntry, names: Collection[str]) -> ResultRow:
    """A stored answer, scored by other measures."""
    marks = None if row.marks is None else tuple(row.marks)
    answer = SubjectAnswer(row.text, row.seconds, marks, row.title)
    return replace(row, values=measured(texts_of(entry, answer, names), names))


def failed(
    package: str, entry: PackageEntry, subject: str, error: str, names: Collection[str] = ()
) -> ResultRow:
    """The row of a page for which the subject gave no answer."""
    values = measured(texts_of(entry, NO_ANSWER, names), names)
    size = len(entry.body) / 1000
    return ResultRow(
        package, entry.id, entry.page_type or "", subject, values, size, 0.0, 0.0, error
    )


def texts_of(entry: PackageEntry, answer: SubjectAnswer, names: Collection[str] = ()) -> Texts:
    """An answer beside all that the package holds of the right one.

    The other right answers are computed where one of the named measures needs them.
    """
    wanted = gold_by_label(entry)
    has_marks = answer.marks is not None
    return Texts(
        extracted=answer.text,
        gold=entry.gold,
        variants=interpretations(entry) if "best" in names else (),
        wanted=entry.snippets("with"),
        unwanted=entry.snippets("without"),
        gold_labels=wanted,
        labels=answer_by_label(answer.text, answer.marks or (), answer.title, wanted)
        if has_marks
        else None,
    )


def bare_parse(body: bytes) -> float:
    """CPU seconds that lexbor takes to parse the bytes: the unit of costs.

    The least of three, so that reading the bytes from memory is not counted.
    """
    return min(_one_parse(body) for _ in range(3))


def summarise(rows: Sequence[ResultRow], page_type: str = "") -> Summary:
    """The means of rows of one package and one subject; times are of the pages answered."""
    answered = [row for row in rows if not row.error]
    seconds = sum(row.seconds for row in answered)
    return Summary(
        package=rows[0].package,
        page_type=page_type,
        subject=rows[0].subject,
        pages=len(rows),
        errors=len(rows) - len(answered),
        values=means(row.values for row in rows),
        deviation=deviation([row.values["word.f1"] for row in rows]),
        milliseconds=1000 * seconds / max(len(answered), 1),
        parse_milliseconds=1000 * mean([row.parse_seconds for row in answered]),
        seconds_per_kilobyte=seconds / max(sum(row.kilobytes for row in answered), 0.001),
    )


def by_type(rows: Sequence[ResultRow]) -> Iterator[Summary]:
    """A summary for each page type, in the order of the types' names."""
    for page_type in sorted({row.page_type for row in rows} - {""}):
        yield summarise([row for row in rows if row.page_type == page_type], page_type)


def _one_parse(body: bytes) -> float:
    start = time.process_time()
    tree = LexborHTMLParser(body)
    seconds = time.process_time() - start
    del tree  # its release is not timed
    return seconds


def _answered(subject: Subject, entry: PackageEntry) -> tuple[SubjectAnswer, str]:
    try:
        return subject.answer(entry), ""
    except Exception as error:  # noqa: BLE001 - whatever a subject raises is its row, not our crash
        return NO_ANSWER, f"{type(error).__name__}: {error}".splitlines()[0]
