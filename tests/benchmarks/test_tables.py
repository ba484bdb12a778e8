"""What the benchmarks print."""

import pytest

from benchmarks import __main__ as bench
from benchmarks.figures import Figure
from benchmarks.methods import BARE, Cost
from benchmarks.peers import table


def cost(method: str, milliseconds: float) -> Cost:
    return Cost(method, milliseconds, milliseconds, milliseconds, milliseconds, milliseconds)


def test_a_line_a_method(capsys: pytest.CaptureFixture[str]) -> None:
    bench.print_costs("generated", 3, [cost(BARE, 1), cost("bte", 3), cost("dsc", 4)])
    out = capsys.readouterr().out
    assert "3 pages of generated" in out
    assert out.splitlines()[-1].split()[:2] == ["dsc", "4.000"]


def test_figures_are_compared_with_the_committed_ones_of_the_same_pages() -> None:
    old: list[Figure] = [{"pages": "generated", "method": "bte", "ratio": 4.0}]
    new: list[Figure] = [{"pages": "generated", "method": "bte", "ratio": 3.0}]
    assert "  bte: 0.75 of 4.00" in bench.compared(old, new)
    assert bench.compared(old, [{"pages": "other", "method": "bte", "ratio": 3.0}]) == ""


def test_the_table_of_peers_ranks_each_package_by_f1() -> None:
    cells: Figure = {"deviation": 0.1, "milliseconds": 5.0, "ratio": 4.0, "errors": 0}
    known: list[Figure] = [
        {"package": "p", "subject": "low", "page_type": "", "f1": 0.5, **cells},
        {"package": "p", "subject": "high", "page_type": "", "f1": 0.8, **cells},
        {"package": "p", "subject": "high", "page_type": "article", "f1": 0.9, **cells},
    ]
    heading, high, low = table(known).splitlines()
    assert heading.split()[:4] == ["package", "subject", "all", "article"]
    assert high.split() == ["p", "high", "0.800", "0.900", "0.100", "5.00", "4.0", "0"]
    assert low.split()[:3] == ["p", "low", "0.500"]
