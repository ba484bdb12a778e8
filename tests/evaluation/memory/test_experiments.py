"""The thesis's experiments as commands, on a package made for this test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.extractors.memory.test_memory_training import TEXT
from winnow.cli import main

SITES, PAGES = ("north", "south"), 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made")
    (path / "package.json").write_text(json.dumps({"name": "made"}))
    for site in SITES:
        for seed in range(PAGES):
            name, title = f"{site}{seed}", f"Story {seed} of {site}"
            story = [f"{TEXT[seed:]} {TEXT}", f"{TEXT} {TEXT[2 * seed :]}"]
            told = "".join(f"<p>{line}</p>" for line in story)
            page = f"<ul><li><a href=/>Home</a></ul><h1>{title}</h1>{told}<div>Imprint</div>"
            (path / f"{name}.html").write_text(page)
            (path / f"{name}.txt").write_text("\n\n".join(story))
            (path / f"{name}.json").write_text(json.dumps({"site": site, "title": title}))
    return path


def test_each_regime_has_its_table_and_the_weights_theirs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(folder), "--regime", "all"]) == 0
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines()]
    for regime in ("within", "merged", "across"):
        labels = [row[2] for row in rows if row[:2] == [regime, "memory"]]
        assert labels == ["title", "heading", "body"]
    assert "tail length +0" in told
    body = next(row for row in rows if row[:3] == ["merged", "memory", "body"])
    assert body[3:9] == ["1.000"] * 6


def test_the_grid_and_the_curves_are_drawn(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--regime", "merged", "--grid", "--curves", "--out", str(tmp_path)]
    assert main(["evaluate", str(folder), *asked]) == 0
    told = capsys.readouterr().out
    assert {"best", "default", "igtree"} <= set(told.split())
    assert {path.name for path in tmp_path.iterdir()} == {
        *("regimes.txt", "curves.svg", "k-merged.svg")
    }
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")


def test_pages_worth_labelling_are_named_the_worst_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(folder), "--worth-labelling", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert float(lines[0].split()[0]) <= float(lines[1].split()[0])


def test_other_methods_cannot_be_taught_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(folder), "--regime", "merged", "--extractor", "bte"]) == 2
    assert "memory alone" in capsys.readouterr().err


def test_memory_is_trained_from_packages(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "memory", str(folder), "--out", str(tmp_path)]) == 0
    assert "Learned from 6 pages, dropped 0" in capsys.readouterr().out
    manifest = json.loads((tmp_path / "model.json").read_text())
    assert manifest["packages"][0]["pages"] == 6
    assert manifest["pages_stored"] == 6
