"""``winnow evaluate --half``, ``--measure steps`` and Winnow as a whole as a subject."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from winnow.cli import main
from winnow.evaluation.gold.halves import Half, half_of
from winnow.evaluation.gold.packages import load

SAID = "It rained on the hills all day long, and the river rose by a hand every hour. "
TEXT = f"<p>{SAID * 2}</p>" * 6
NEWS = "".join(f"<p>{SAID}</p><p>Posted by Ann on May {day}, 2024</p>" for day in range(1, 9))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Pages of twenty sites whose gold holds the comments."""
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "small"}')
    for at in range(20):
        page = f"<h1>Rain</h1><article>{TEXT}<h2>8 comments</h2>{NEWS}</article>"
        (folder / f"page{at}.html").write_text(page)
        (folder / f"page{at}.txt").write_text(SAID * 20)
        (folder / f"page{at}.json").write_text(json.dumps({"url": f"https://site{at}.example/"}))
    return folder


def test_a_half_is_measured_by_itself(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for half in Half:
        assert main(["evaluate", str(package), "--extractor", "plain", "--half", half]) == 0
        pages = sum(half_of(entry) is half for entry in load(package))
        assert capsys.readouterr().out.splitlines()[1].split()[3] == str(pages)


def test_no_page_of_the_half_that_is_scored_only_is_shown(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", str(package), "--half", "scored"]

    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "leave out --out" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main([*words, "--measure", "steps"]) == 0
    assert "page" not in capsys.readouterr().out.replace("pages", "")


def test_what_a_step_takes_is_told_with_its_page(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", str(package), "--measure", "steps", "--extractor", "plain", "--limit", "1"]

    assert main(words) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[3].split()[:3] == ["small", "comments", "1"]
    assert "small\tpage0\tcomments\t0." in told


def test_winnow_as_a_whole_is_a_subject_beside_its_methods(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evaluate", str(package), "--extractor", "auto", "--extractor", "winnow"]

    assert main([*words, "--limit", "1", "--measure", "set"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[2] for line in lines] == ["auto", "winnow"]


@pytest.mark.parametrize("measure", ["steps", "confidence", "fidelity", "kept"])
def test_winnow_as_a_whole_has_every_table(
    package: Path, capsys: pytest.CaptureFixture[str], measure: str
) -> None:
    words = ["evaluate", str(package), "--measure", measure, "--limit", "2", "--extractor"]

    tables = []
    for name in ("auto", "winnow"):
        assert main([*words, name]) == 0
        tables.append(capsys.readouterr().out.replace(name, "").split())

    assert tables[0] == tables[1]
