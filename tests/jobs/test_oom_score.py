"""An extraction process is ended by the kernel before one that answers."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from winnow.jobs import oom_score
from winnow.jobs.oom_score import WORKER, be_ended_first


@pytest.mark.parametrize("before", ["0", "-100", "900"])
def test_a_score_is_the_highest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str
) -> None:
    monkeypatch.setattr(oom_score, "_SCORE", tmp_path / "score")
    (tmp_path / "score").write_text(f"{before}\n")
    be_ended_first()
    assert int((tmp_path / "score").read_text()) == WORKER == 1000


def test_where_it_may_not_be_written_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(oom_score, "_SCORE", tmp_path)  # a folder: neither read nor written
    with caplog.at_level(logging.WARNING):
        be_ended_first()
    assert "keeps its OOM score" in caplog.text


def test_elsewhere_than_on_linux_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(oom_score, "_SCORE", tmp_path / "missing")
    be_ended_first()
    assert not (tmp_path / "missing").exists()
