"""An extraction process is ended by the kernel before one that answers."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from winnow.jobs import oom_score
from winnow.jobs.oom_score import WORKER, be_ended_first
from winnow.jobs.pool_worker import launched


@pytest.mark.parametrize("before", ["0", "-100", "900"])
def test_a_score_is_the_highest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str
) -> None:
    monkeypatch.setattr(oom_score, "_PROC", tmp_path)
    score = tmp_path / "self" / "oom_score_adj"
    score.parent.mkdir()
    score.write_text(f"{before}\n")
    be_ended_first()
    assert int(score.read_text()) == WORKER == 1000


async def test_it_is_so_while_a_process_loads_its_modules() -> None:
    """Where it was not, the kernel took the process that answered: the one begun anew had 0."""
    program = (
        "import sys\nwhile open('/proc/self/oom_score_adj').read() != '1000\\n': pass\n"
        "sys.stdout.buffer.write(bytes(4)); sys.stdout.flush(); sys.stdin.read()"
    )
    worker = await launched([sys.executable, "-c", program], None, 30)
    await worker.end()


def test_where_it_may_not_be_written_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(oom_score, "_PROC", tmp_path)
    (tmp_path / "self" / "oom_score_adj").mkdir(parents=True)  # a folder: neither read nor written
    with caplog.at_level(logging.WARNING):
        be_ended_first()
    assert "keeps its OOM score" in caplog.text


def test_elsewhere_than_on_linux_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(oom_score, "_PROC", tmp_path / "missing")
    be_ended_first()
    assert not (tmp_path / "missing").exists()
