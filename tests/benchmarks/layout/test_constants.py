"""Constants are chosen on other packages than the one that they are scored on."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.layout.__main__ import main
from benchmarks.layout.constants import BEGINNING, SHIPPED, WORTH_TRYING, Constants, climbed, score
from benchmarks.layout.constants import sites_of as sites
from tests.extractors.layout.pages import markup, prose
from winnow.evaluation.packages import Package, load
from winnow.extractors.layout.content_decision import CHOICE


def package(folder: Path, number: int = 6) -> Package:
    folder.mkdir()
    (folder / "package.json").write_text(f'{{"name": "{folder.name}", "language": "en"}}')
    for one in range(number):
        items = " ".join(prose(one * 100 + place, 3) for place in range(4))
        (folder / f"{one:02}.html").write_text(markup(one))
        (folder / f"{one:02}.txt").write_text(f"{prose(one, 1)} {items}")
        (folder / f"{one:02}.json").write_text(f'{{"url": "http://a.example/{one}"}}')
    return load(folder)


def test_every_constant_that_is_tried_is_one_that_ships() -> None:
    assert {name for name, _ in SHIPPED.items()} == set(WORTH_TRYING)
    assert SHIPPED.but("static", 0.9).limits.static == 0.9
    assert SHIPPED.but("sparse", 0.9).choice == CHOICE._replace(sparse=0.9)


def test_what_is_chosen_is_no_worse_where_it_is_chosen(tmp_path: Path) -> None:
    pages = sites(package(tmp_path / "one"))
    beginning = score(pages, Constants(*BEGINNING))
    assert beginning <= score(pages, climbed([pages])) <= 1


def test_a_package_is_scored_with_what_the_others_chose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(package(tmp_path / name).path) for name in ("one", "two")]
    for by, held in (("package", "without two"), ("site", "without part 1")):
        assert main(["constants", "--by", by, *names]) == 0
        items = capsys.readouterr().out
        assert "cross-validated" in items
        assert held in items
