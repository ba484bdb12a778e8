"""Webstemmer's modes are measured by what the other pages of a site teach."""

from __future__ import annotations

from pathlib import Path

from benchmarks.layout.webstemmer import VARIANTS, report
from tests.extractors.layout.pages import markup, prose
from winnow.evaluation.packages import load


def test_every_variant_has_a_line(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "made", "language": "en"}')
    for number in range(6):
        gold = " ".join(prose(number * 100 + place, 3) for place in range(4))
        (tmp_path / f"{number}.html").write_text(markup(number, story="story"))
        (tmp_path / f"{number}.txt").write_text(gold)
        (tmp_path / f"{number}.json").write_text(f'{{"url": "http://a.example/{number}"}}')
    lines = report([load(tmp_path)]).splitlines()[1:]
    assert [line.split("made: ")[1].split("  ")[0] for line in lines] == [*VARIANTS]
    assert all(line.split()[-1] == "1.000" for line in lines)
    assert float(lines[0].split()[-2]) > 0.9
