"""``winnow evaluate --suite held-out``: folders of public sets become one table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from winnow.cli import main

PAGE = "<nav>Home</nav><article><h1>Dogs</h1><p>" + "The dog barked at the moon. " * 9 + "</p>"


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no peer is installed there
    folder = tmp_path / "sets" / "cleaneval"
    for part in ("orig", "clean"):
        (folder / part).mkdir(parents=True)
    (folder / "orig" / "1.html").write_text(PAGE)
    (folder / "clean" / "1.txt").write_text("The dog barked at the moon. " * 9)
    return folder.parent


def evaluated(*words: str) -> int:
    return main(["evaluate", "--suite", "held-out", "--workers", "1", *words])


def test_sets_are_converted_once_and_measured(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert evaluated(str(sets), "--out", str(out)) == 0
    heading, line, whole, versions, article = (shown := capsys.readouterr().out).splitlines()
    assert heading.split()[:2] == ["set", "subject"]
    assert line.split()[:3] == ["cleaneval", "auto", "1"]
    assert whole.split()[:3] == ["cleaneval", "winnow", "1"]
    assert versions.startswith("auto: winnow ")
    assert article.startswith("winnow: the article")
    assert (out / "table.txt").read_text() == shown
    notes = json.loads((out / "packages" / "cleaneval" / "package.json").read_text())
    assert (notes["name"], notes["ship"]) == ("cleaneval", False)
    assert evaluated(str(sets), "--out", str(out)) == 0  # the package that is there is taken


def test_a_folder_without_sets_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluated(str(tmp_path), "--out", str(tmp_path / "out")) == 2
    assert "cleaneval" in capsys.readouterr().err
    assert evaluated(str(tmp_path)) == 2
    assert "--out DIR" in capsys.readouterr().err


def test_packages_are_measured_in_the_same_table(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluated(str(sets), "--out", str(tmp_path / "out")) == 0
    package = tmp_path / "out" / "packages" / "cleaneval"
    notes = json.loads((package / "package.json").read_text())
    (package / "package.json").write_text(json.dumps({**notes, "name": "zh-69"}))
    capsys.readouterr()

    words = ["evaluate", "--suite", "packages", str(package), "--workers", "1"]
    assert main([*words, "--out", str(tmp_path / "table")]) == 0
    _, line, _, _, learned = capsys.readouterr().out.splitlines()  # winnow has no line
    assert line.split()[:3] == ["zh-69", "auto", "1"]
    assert learned.startswith("auto learned from zh-69")
    assert main(words) == 2


def test_each_language_and_each_half_of_a_package_has_lines_of_its_own(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "package.json").write_text(json.dumps({"name": "two"}))
    for number in range(44):
        for suffix, text in (("html", PAGE), ("txt", "The dog barked at the moon. " * 9)):
            (package / f"{number}.{suffix}").write_text(text)
        language, site = ("de", "b") if number < 24 else ("en", "a")
        notes = {"language": language, "url": f"https://{site}.example/{number}"}
        (package / f"{number}.json").write_text(json.dumps(notes))
    words = ["evaluate", "--suite", "packages", str(package), "--workers", "1"]

    assert main([*words, "--languages", "--out", str(tmp_path / "out")]) == 0
    lines = [line.split()[:4] for line in capsys.readouterr().out.splitlines()[1:7]]
    assert sorted(lines) == [
        ["two", "auto", "44", "1.000"],
        ["two", "winnow", "44", "1.000"],
        ["two,", "de", "auto", "24"],
        ["two,", "de", "winnow", "24"],
        ["two,", "en", "auto", "20"],
        ["two,", "en", "winnow", "20"],
    ]
    assert (tmp_path / "out" / "table.md").read_text().count("| two") == 3
    assert main([*words, "--halves", "--out", str(tmp_path / "halves")]) == 0
    halves = [line.split()[:4] for line in capsys.readouterr().out.splitlines()[3:7]]
    assert sorted(halves) == [
        ["two,", "read", "auto", "24"],
        ["two,", "read", "winnow", "24"],
        ["two,", "scored", "auto", "20"],
        ["two,", "scored", "winnow", "20"],
    ]
    assert not (tmp_path / "halves" / "rows.tsv").exists()
    assert main([*words, "--languages", "--limit", "10", "--out", str(tmp_path / "ten")]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["two", "auto", "10"]
