"""What the measure "tidied" prints: pages that are tidied or passed on, words gone, things lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from winnow.cli import main

TEXT = "It rained on the hills all day long, and the river rose by a hand every hour. "
LINKS = "".join(
    f"<li><a href=/{n}>Another page of the list, number {n}</a></li>" for n in range(20)
)
FOOTER = f"<footer>{TEXT * 3}</footer>"


@pytest.mark.parametrize(("footer", "counts"), [(FOOTER, "1 1 0"), ("", "1 0 1")])
def test_pages_that_are_tidied_and_passed_on_are_counted(
    tmp_path: Path, footer: str, counts: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "package.json").write_text(json.dumps({"name": "lists", "language": "en"}))
    (tmp_path / "a.html").write_text(f"<body><main><h1>List</h1><ul>{LINKS}</ul></main>{footer}")
    (tmp_path / "a.txt").write_text("List")
    (tmp_path / "a.json").write_text(json.dumps({"page_type": "listing"}))
    assert main(["evaluate", str(tmp_path), "--measure", "tidied"]) == 0
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert line[:5] == ["lists", "all", *counts.split()]
