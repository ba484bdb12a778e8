"""The table of a suite: order, intervals, and what the same pages say of two subjects."""

from winnow.evaluation.reporting.suite_table import suite_table
from winnow.evaluation.running.runs import ResultRow


def rows(package: str, subject: str, *scores: float) -> list[ResultRow]:
    return [
        ResultRow(package, str(page), "", subject, {"word.f1": score}, 1.0, 0.004, 0.001)
        for page, score in enumerate(scores)
    ]


def test_the_best_stands_first_and_is_compared_with_auto() -> None:
    every = [*rows("a", "auto", 0.8, 0.9), *rows("a", "peer", 0.9, 1.0), *rows("b", "auto", 0.5)]
    heading, *lines = suite_table(every).splitlines()
    assert heading.split()[:4] == ["set", "subject", "pages", "word"]
    peer, ours, other = (line.split() for line in lines)
    assert peer[:4] == ["a", "peer", "2", "0.950"]
    assert peer[5:] == ["+0.100", "0.000", "4.00", "4.0"]  # the same on each page
    assert ours[:4] == ["a", "auto", "2", "0.850"]
    assert 0.05 < float(ours[4]) < 0.09  # 1.96 deviations of means of two of two pages
    assert ours[5:] == ["4.00", "4.0"]
    assert other[:5] == ["b", "auto", "1", "0.500", "0.000"]
