"""The CRF is measured by models that saw no page they judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.crf.__main__ import cross_validated, main
from tests.extractors.mss.pages import news
from winnow.document.document import Document
from winnow.evaluation.packages import load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "package.json").write_text('{"name": "made", "language": "en"}')
    for seed in range(9):
        html = news(seed, site=f"site{seed % 3}")
        text = Document.from_html(html).text
        gold = text[text.index("Story", text.index("Headline")) : text.index("ended.") + 6]
        (tmp_path / f"{seed}.html").write_text(html)
        (tmp_path / f"{seed}.txt").write_text(gold)
        (tmp_path / f"{seed}.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(("chain", "by_site"), [(True, False), (False, False), (True, True)])
def test_every_page_is_scored_once(folder: Path, chain: bool, by_site: bool) -> None:
    found = cross_validated(list(load(folder)), 3, chain=chain, by_site=by_site)
    assert len(found) == 9
    assert all(score.word > 0.9 for score in found)


def test_the_command_prints_both_and_the_shipped_model(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder), "--folds", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["9", "pages"]
    assert [line.split("  ")[0] for line in lines[1:]] == [
        *("cross-validated", "without the chain", "shipped model", "shipped, weights alone")
    ]
