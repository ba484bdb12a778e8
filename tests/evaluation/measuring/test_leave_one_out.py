"""Each page is measured by what the others of its site teach, and never by what it teaches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.extractors.layout.pages import markup, prose
from winnow.cli import main
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.leave_one_out import SiteScores, by_site, leave_one_out, table
from winnow.extractors.registry import make

METHODS = ("layout", "layout:mode=webstemmer", "plain")


def entry(number: int, **meta: str) -> PackageEntry:
    told = " ".join(prose(number * 100 + place, 3) for place in range(4))
    return PackageEntry(f"page-{number}", markup(number, story="story").encode(), told, meta)


def test_entries_are_grouped_where_there_are_enough() -> None:
    entries = [entry(number, site="paper") for number in range(5)]
    entries += [entry(9, site="other"), entry(10, url="https://host.example/x")]
    grouped = [entry(number, site="x", group=f"g{number // 5}") for number in range(10)]
    assert [*by_site(entries)] == ["paper"]
    assert [*by_site(grouped)] == ["g0", "g1"]


def test_other_pages_teach() -> None:
    entries = [entry(number) for number in range(6)]
    found = leave_one_out("paper", entries, {name: make(name) for name in METHODS})
    assert found.pages == 6
    assert found.scores["layout"] > 0.95 > found.scores["plain"]
    assert found.scores["layout:mode=webstemmer"] > found.scores["plain"]


def test_a_page_does_not_teach_itself() -> None:
    """The same page five times: nothing is known of any from the others but that they are one."""
    same = [
        PackageEntry(f"copy-{copy}", markup(1).encode(), prose(100, 3), {}) for copy in range(5)
    ]
    alone = leave_one_out("paper", same[:1], {"layout": make("layout")})
    found = leave_one_out("paper", same, {"layout": make("layout")})
    assert found.scores == pytest.approx(alone.scores)


def test_a_table_ends_with_the_mean_over_sites() -> None:
    rows = [SiteScores("a", 5, {"x": 0.5}), SiteScores("b", 15, {"x": 1.0})]
    *_, last = table(rows, ("x",))
    assert last.split() == ["mean", "of", "2", "sites", "20", "0.7500"]
    assert list(table([], ("x",)))[1:] == []


def test_what_a_memory_brings_is_said_with_its_interval() -> None:
    rows = [SiteScores("a", 5, {"x": 0.5}, {"x": 0.6}), SiteScores("b", 15, {"x": 1.0}, {"x": 0.6})]
    *_, last = table(rows, ("x",))
    assert last.startswith("x alone 0.6000; its memory brings +0.1500 ± 0.3")
    assert last.endswith("+0.2750 a page; 1 of 2 sites are lower")


def test_a_method_is_measured_without_a_memory_too() -> None:
    entries = [entry(number) for number in range(9)]
    found = leave_one_out("paper", entries, {name: make(name) for name in ("auto", "plain")})
    assert found.alone.keys() == {"auto"}
    assert found.scores["auto"] >= found.alone["auto"] > 0.5


def test_the_command_prints_a_line_a_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "papers"}', "utf-8")
    for number in range(5):
        made = entry(number)
        (folder / f"{made.id}.html").write_bytes(made.body)
        (folder / f"{made.id}.txt").write_text(made.gold, "utf-8")
        (folder / f"{made.id}.json").write_text(json.dumps({"site": "paper"}), "utf-8")
    out = tmp_path / "out"
    command = ["evaluate", str(folder), "--regime", "leave-one-out", "--workers", "1"]
    assert main([*command, "--extractor", "layout", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert told == (out / "sites-papers.txt").read_text("utf-8")
    assert told.splitlines()[2].split()[:2] == ["paper", "5"]
    assert main(["evaluate", str(tmp_path), "--regime", "leave-one-out"]) == 2
