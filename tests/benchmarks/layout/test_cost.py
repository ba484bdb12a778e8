"""The cost of learning is told page by page, of the pages that did not teach."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.layout.__main__ import main
from benchmarks.layout.cost import costs_of
from tests.extractors.layout.pages import markup
from winnow.evaluation.packages import PackageEntry, load


def entries(folder: Path, number: int) -> list[PackageEntry]:
    (folder / "package.json").write_text('{"name": "made", "language": "en"}')
    for one in range(number):
        (folder / f"{one:02}.html").write_text(markup(one))
        (folder / f"{one:02}.txt").write_text("gold")
        (folder / f"{one:02}.json").write_text(f'{{"url": "http://a.example/{one}"}}')
    return list(load(folder))


def test_the_second_half_of_a_site_is_timed(tmp_path: Path) -> None:
    costs = costs_of(entries(tmp_path, 6))
    assert len(costs) == 3
    assert all(min(cost.alone, cost.lesson, cost.knowing) > 0 for cost in costs)
    assert all(0 < cost.size <= 32 * 1024 for cost in costs)


def test_the_command_prints_a_line_for_each_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries(tmp_path, 6)
    assert main(["cost", str(tmp_path)]) == 0
    items = capsys.readouterr().out.splitlines()
    assert items[1].split()[:2] == ["made", "3"]


def test_a_package_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
