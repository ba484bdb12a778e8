"""Tables for people, files for programs."""

import json
from pathlib import Path

from winnow.evaluation.measuring.measures import Texts, measured
from winnow.evaluation.reporting.tables import summary_table, write_rows, write_summaries
from winnow.evaluation.running.runs import ResultRow, summarise

HALF = measured(Texts("a b", "a"), [])
WHOLE = measured(Texts("a", "a", unwanted=("b",)), ["snippets"])
ROWS = [
    ResultRow("small", "a", "article", "dsc", HALF, 10.0, 0.004, 0.001),
    ResultRow("small", "b", "article", "dsc", WHOLE, 30.0, 0.008, 0.002, "late\tagain"),
]


def test_the_table_of_a_terminal() -> None:
    heading, line = summary_table([summarise(ROWS, "article")]).splitlines()
    assert heading == (
        "package  type     subject  pages  word F1      P      R    dev"
        "  ms/page     s/kB  x parse  errors  without"
    )
    assert line == (
        "small    article  dsc          2    0.833  0.750  1.000  0.236"
        "     4.00  4.0e-04      4.0       1    1.000"
    )


def test_a_tab_separated_line_a_page(tmp_path: Path) -> None:
    write_rows(ROWS, tmp_path / "rows.tsv")
    heading, first, second = (tmp_path / "rows.tsv").read_text().splitlines()
    assert heading.split("\t") == [
        *("package", "page", "type", "subject", "kB", "seconds", "parse_seconds", "error"),
        *("word.f1", "word.precision", "word.recall", "without"),
    ]
    assert first.split("\t") == [
        *("small", "a", "article", "dsc", "10", "0.004", "0.001", ""),
        *("0.666667", "0.5", "1", ""),
    ]
    assert second.split("\t")[7:] == ["late again", "1", "1", "1", "1"]


def test_summaries_as_json(tmp_path: Path) -> None:
    write_summaries([summarise(ROWS)], tmp_path / "summary.json")
    (found,) = json.loads((tmp_path / "summary.json").read_text())
    assert (found["subject"], found["pages"], found["ratio"]) == ("dsc", 2, 4.0)
