"""Running a subject over a package: rows, failures, summaries."""

import time
from pathlib import Path

import pytest

from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.evaluation.gold.packages import PackageEntry, load
from winnow.evaluation.running.runs import ResultRow, by_type, measure, summarise
from winnow.evaluation.subjects.subject import Direct, Subject, SubjectAnswer, text_of_spans


class Whole:
    """Keeps everything, as the paper's plain method does."""

    name = fingerprint = "whole"

    def extract(self, document: Document) -> Extraction:
        return Extraction("whole", (Span(0, len(document.text)),) if document.text else ())


class Failing:
    name = "failing"

    def answer(self, entry: PackageEntry) -> SubjectAnswer:
        raise ValueError("no\nway")


def whole() -> Direct:
    return Direct("whole", Whole())


def rows_of(folder: Path, subject: Subject) -> list[ResultRow]:
    return [measure("small", entry, subject) for entry in load(folder)]


def test_each_page_becomes_a_row(package_folder: Path) -> None:
    blank, shop, story = rows_of(package_folder, whole())
    assert (blank.values["word.f1"], blank.page_type) == (1.0, "")
    assert (shop.values["word.recall"], shop.page_type) == (1.0, "product")
    assert 0 < story.values["word.precision"] < 1
    assert story.kilobytes == pytest.approx(0.08, abs=0.02)
    assert min(story.seconds, story.parse_seconds) >= 0


def test_a_failing_page_is_a_row_with_its_error(package_folder: Path) -> None:
    blank, shop, _ = rows_of(package_folder, Failing())
    assert shop.error == "ValueError: no"
    assert shop.values["word.f1"] == 0
    assert blank.values["word.f1"] == 1, (
        "an empty answer is right where there is nothing to extract"
    )


def test_a_summary_has_means_and_counts_errors(package_folder: Path) -> None:
    rows = rows_of(package_folder, whole())
    summary = summarise(rows)
    assert summary.values["word.f1"] == pytest.approx(
        sum(row.values["word.f1"] for row in rows) / 3
    )
    assert (summary.pages, summary.errors, summary.page_type) == (3, 0, "")
    assert summarise(rows_of(package_folder, Failing())).errors == 3


def test_rows_are_grouped_by_the_types_in_the_notes(package_folder: Path) -> None:
    groups = by_type(rows_of(package_folder, whole()))
    assert [(group.page_type, group.pages) for group in groups] == [("article", 1), ("product", 1)]


def test_the_text_of_spans_keeps_gaps_apart() -> None:
    extraction = Extraction("some", (Span(0, 3), Span(3, 5), Span(8, 10)))
    assert text_of_spans("abcdefghij", extraction) == "abcde\nij"


def test_the_clock_is_cpu_time_of_parse_and_extract(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([1.0, 3.5])
    monkeypatch.setattr(time, "process_time", lambda: next(ticks))
    assert whole().answer(PackageEntry("x", b"x", "", {})) == SubjectAnswer(
        "x", 2.5, ((0, 1, "body"),)
    )
