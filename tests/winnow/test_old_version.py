"""An old version's folder goes with its last process, and no other folder does."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from winnow.commands.old_version import begin_removal, remove_unused, version_of


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "versions" / "1"
    (folder / "venv" / "bin").mkdir(parents=True)
    (folder / "venv" / "bin" / "python").symlink_to(sys.executable)
    return folder


@pytest.fixture
def process(old: Path) -> Iterator[subprocess.Popen[bytes]]:
    with waiting(str(old / "venv" / "bin" / "python")) as found:
        yield found


@contextmanager
def waiting(python: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends after a line."""
    command = [python, "-S", "-c", "print(flush=True); input()"]
    both = subprocess.PIPE
    with subprocess.Popen(command, stdin=both, stdout=both) as found:
        assert found.stdout
        found.stdout.readline()  # it has begun
        yield found


def test_it_is_removed_once_its_last_process_has_ended(
    old: Path, process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert version_of(process.pid) == old
    waited = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        assert old.exists()
        process.communicate(b"\n")

    monkeypatch.setattr(time, "sleep", sleep)
    remove_unused(old)
    assert waited
    assert not old.exists()
    assert old.parent.exists()


def test_a_process_of_no_such_folder_has_no_version() -> None:
    with waiting(sys.executable) as found:
        assert version_of(found.pid) is None
        found.communicate(b"\n")
    assert version_of(found.pid) is None


def test_this_commands_own_version_is_not_removed(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(old / "venv" / "bin" / "python"))
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    assert not begin_removal(old)
