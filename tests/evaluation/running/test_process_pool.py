"""Several processes: results, failures, deaths and deadlines."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from winnow.evaluation.errors import PackageError
from winnow.evaluation.running.process_pool import MeasuringWorker, WorkerError, spread

Work = Callable[[str], str]
ODD_WORK = """
import os, threading
from winnow.evaluation.errors import PackageError

def work(task):
    if task == "die":
        os._exit(3)
    if task == "raise":
        raise PackageError("broken")
    if task == "hang":
        threading.Event().wait()
    return task.upper()
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Work that fails in every way, in a module that other processes can import."""
    (tmp_path / "odd_work_of_this_test.py").write_text(ODD_WORK)
    monkeypatch.syspath_prepend(str(tmp_path))
    found: Work = importlib.import_module("odd_work_of_this_test").work
    return found


def lost(task: str, error: str) -> str:
    return f"{task}: {error}"


def test_every_task_is_done_whatever_happens_to_others(work: Work) -> None:
    found = sorted(spread(["a", "die", "b", "c"], work, lost, workers=2, deadline=60))
    assert found == ["A", "B", "C", "die: the process died over this page"]


def test_no_tasks_no_results(work: Work) -> None:
    assert list(spread([], work, lost, workers=2)) == []


def test_what_work_raises_is_raised(work: Work) -> None:
    with pytest.raises(PackageError, match="broken"):
        list(spread(["raise"], work, lost, workers=1))


def test_a_hang_is_ended_and_the_worker_lives_on(work: Work) -> None:
    worker = MeasuringWorker(work, deadline=60)
    assert worker.ask("warm") == "WARM"
    worker._deadline = 0.05
    with pytest.raises(WorkerError, match=r"no answer within 0\.05 s"):
        worker.ask("hang")
    worker._deadline = 60
    assert worker.ask("next") == "NEXT"
    worker.close()
