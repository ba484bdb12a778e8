"""``winnow evaluate --measure confidence``: a line for each package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from winnow.cli import main

TEXT = "It rained on the hills all day long, and the river rose by a hand every hour. "
PAGE = f"<h1>Rain</h1><article>{f'<p>{TEXT}</p>' * 20}</article>"


def package(folder: Path, name: str) -> Path:
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": name}))
    (folder / "one.html").write_text(PAGE)
    (folder / "one.txt").write_text(TEXT * 20)
    return folder


def test_a_package_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = package(tmp_path / "own", "own")

    assert main(["evaluate", str(own), "--measure", "confidence", "--extractor", "lqf"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["own", "1", "1", "0", "0", "0", "0"]


def test_of_pages_that_auto_learned_from_its_folds_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = package(tmp_path / "known", "zh-69")

    assert main(["evaluate", str(known), "--measure", "confidence"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[:3] == [
        "zh-69,",
        "cross-validated",
        "69",
    ]
