"""The table of a suite for the documentation: a line a package, a column a subject."""

from __future__ import annotations

from winnow.evaluation.reporting.suite_matrix import suite_matrix
from winnow.evaluation.running.runs import ResultRow


def rows(package: str, subject: str, *scores: float, seconds: float = 0.004) -> list[ResultRow]:
    return [
        ResultRow(package, str(page), "", subject, {"word.f1": score}, 1.0, seconds, 0.001)
        for page, score in enumerate(scores)
    ]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_each_package_has_a_line_and_each_subject_a_column() -> None:
    every = [
        *rows("a", "auto", 0.5, 0.5),
        *rows("a", "peer", 1.0, 1.0, seconds=0.1),
        *rows("b", "auto", 0.9),
        *rows("c", "auto", 0.9),
    ]
    lines = suite_matrix(every, {"b": 0.75, "c": None}).splitlines()
    assert [cells(line) for line in lines] == [
        ["package", "pages", "auto", "peer"],
        ["---", "---", "---", "---"],
        ["a", "2", ".500 ± .000", "1.000 ± .000"],
        ["b", "1", ".750 *", ""],  # learned from: what is known of pages of other sites
        ["c", "1", "", ""],
        ["CPU of the median page, ms", "", "4.0", "100.0"],
        ["the same in bare parses", "", "4", "100"],
    ]


def test_a_failed_page_has_a_score_and_no_time() -> None:
    failed = ResultRow("a", "9", "", "peer", {"word.f1": 0.0}, 1.0, 0.0, 0.0, "gave no answer")
    lines = suite_matrix([*rows("a", "peer", 1.0), failed], {}).splitlines()
    assert cells(lines[2])[2].startswith(".500")
    assert cells(lines[3])[2] == "4.0"
