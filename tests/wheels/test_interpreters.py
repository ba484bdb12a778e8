"""A Python is asked for its own place: a shim (pyenv) is there though what it leads to is not."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.wheels.__main__ import program_of


def shim(path: Path, line: str) -> str:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return str(path)


def test_a_shim_leads_to_its_interpreter(tmp_path: Path) -> None:
    assert program_of(shim(tmp_path / "python3", f'exec {sys.executable} "$@"')) == sys.executable


def test_a_shim_that_leads_nowhere_is_no_python(tmp_path: Path) -> None:
    """The build of its wheel failed with pyenv's message."""
    assert program_of(shim(tmp_path / "python3", "exit 127")) == ""
    assert program_of(str(tmp_path / "none")) == ""
