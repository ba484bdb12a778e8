"""The report as a whole: one file, nothing fetched, nothing of a page run."""

import re
from pathlib import Path

import pytest
from lxml import html

from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.measures import Texts, measured
from winnow.evaluation.reporting.page import hardest, write
from winnow.evaluation.running.runs import ResultRow

EVIL = "</script><script>alert(1)</script>"


def row(page: str, subject: str, text: str, error: str = "") -> ResultRow:
    values = measured(Texts(text, "The dog barked"), ["characters", "sequence", "set"])
    return ResultRow("news <1>", page, "article", subject, values, 12.0, 0.01, 0.002, error, text)


@pytest.fixture
def report(tmp_path: Path) -> str:
    rows = [row("a", "bte", "The dog"), row("b", "bte", EVIL), row("a", "dsc", "The dog barked")]
    rows.append(row("b", "dsc", "", "SubjectError: <died>"))
    entries = [("news <1>", PackageEntry(page, b"", "The dog barked", {})) for page in "ab"]
    write(tmp_path / "report.html", rows, entries)
    return (tmp_path / "report.html").read_text("utf-8")


def test_every_subject_has_a_line_the_best_first(report: str) -> None:
    table = html.fromstring(report).xpath("//section[h2='Summary']//tbody/tr")
    assert [line.xpath("string(th)") for line in table] == ["dsc", "bte"]
    assert table[0].xpath("string(td[2])") == "the best"


def test_every_page_has_a_row_and_a_view(report: str) -> None:
    tree = html.fromstring(report)
    buttons = tree.xpath("//table[@id='pages']//button/@data-view")
    assert buttons == ["0", "1"]
    assert all(tree.xpath(f"//script[@id='view{number}']") for number in buttons)
    assert tree.xpath("//td[@class='error']/@title") == ["SubjectError: <died>"]


def test_charts_are_there(report: str) -> None:
    labels = html.fromstring(report).xpath("//*[local-name()='svg']/@aria-label")
    assert labels == [
        "Word F1 by package",
        "F1 by measure",
        "Precision against recall",
        "Word F1 against cost",
        "Deviation of word F1",
        "Milliseconds per kB",
        "Word F1 by page type",
    ]


def test_nothing_of_a_page_is_markup_and_nothing_is_fetched(report: str) -> None:
    assert EVIL not in report
    assert report.count("<script") == 3
    assert not re.search(r"(?:src|href)\s*=", report)


def test_the_hardest_pages_are_those_that_all_do_badly_on() -> None:
    rows = [row("a", "bte", "The"), row("b", "bte", "The dog"), row("a", "dsc", "The dog barked")]
    rows.append(row("b", "dsc", ""))
    assert hardest(rows, 1) == {("news <1>", "b")}
    assert len(hardest(rows, 9)) == 2


def test_only_the_pages_given_have_views(tmp_path: Path) -> None:
    entries = [("news <1>", PackageEntry("b", b"", "The dog barked", {}))]
    write(tmp_path / "report.html", [row("a", "bte", ""), row("b", "bte", "")], entries)
    views = html.parse(str(tmp_path / "report.html")).xpath("//script/@id")
    assert views == ["view1"]
