"""The commands: a page drawn by a real Chromium, a small package measured."""

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.vips.__main__ import main
from tests.programs import require_program
from winnow.chromium.process import VARIABLE
from winnow.extractors.vips.browser_pool import WIDTH, shared

SENTENCE = "The river rose in the night and by morning the lower road was under water. "
PAGE = f"<nav>Home <a href=/>News</a></nav><main><h1>Flood</h1><p>{SENTENCE * 9}</p></main>"


def test_a_page_is_drawn_and_written_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_program("chromium")
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    assert main(["draw", str(page), "--out", str(tmp_path / "out")]) == 0
    told = json.loads((tmp_path / "out" / "blocks.json").read_text())
    listed = told["blocks"]
    assert listed[told["main"]["auto"]]["text"].startswith(("Flood", "The river"))
    assert [block["parent"] for block in listed][:2] == [None, 0]
    picture = Image.open(io.BytesIO((tmp_path / "out" / "blocks.png").read_bytes()))
    assert picture.width == WIDTH
    assert (233, 30, 140) in {colour for _, colour in picture.getcolors(1 << 20) or []}
    assert str(len(listed)) in capsys.readouterr().out
    shared.pages().close()


def test_a_package_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_program("chromium")
    (tmp_path / "package.json").write_text('{"name": "mine"}')
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "a.txt").write_text("Flood " + SENTENCE * 9)
    assert main(["measure", str(tmp_path), "--pages", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "mine: 1 pages, not laid out: 0"
    assert said[9].split()[0] == "8"
    assert said[9].split()[4] == "1.000"
    shared.pages().close()


def test_without_a_browser_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["draw", str(page)]) == 1
    assert "apt-get install chromium" in capsys.readouterr().err
