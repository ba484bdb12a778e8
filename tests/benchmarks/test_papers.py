"""docs/papers.md is what ``python -m benchmarks.papers`` writes of its rows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from benchmarks import papers
from winnow.extractors.registry import make

ROWS = tomllib.loads(papers.ROWS.read_text("utf-8"))
EVERY = [row for paper in ROWS["paper"] for row in paper["row"]]


def test_the_document_is_the_commands() -> None:
    assert papers.PAGE.read_text("utf-8") == papers.page(ROWS), "run: python -m benchmarks.papers"


def test_every_paper_has_a_heading_a_document_and_its_rows() -> None:
    text = papers.PAGE.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [each["title"] for each in ROWS["paper"]]
    assert text.count("\n| ") == len(EVERY) + len(ROWS["paper"])
    for paper in ROWS["paper"]:
        assert (papers.PAGE.parent / paper["document"]).exists()


@pytest.mark.parametrize("row", EVERY, ids=lambda row: row["what"])
def test_a_row_says_what_is_reached_and_by_what(row: dict[str, object]) -> None:
    assert all(row[name] for name in ("what", "asked", "reached", "why"))
    assert ("command" in row) is not ("methods" in row)
    methods = row.get("methods", [])
    assert isinstance(methods, list)
    assert all(make(name).fingerprint for name in methods)


def test_a_row_is_measured_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "small"}')
    (folder / "story.html").write_text("<p>The dog barked.</p>")
    (folder / "story.txt").write_text("The dog barked.")
    monkeypatch.setenv("WINNOW_PACKAGES", str(tmp_path))
    row = {"methods": ["plain", "bte"], "packages": ["small"], "values": ["word.f1", "cleaneval"]}
    assert papers.measured(row) == "plain 100.0 / 100.0; bte 100.0 / 100.0"
