"""``make install`` without Python, and after a compiler came; what it installs with stands in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As much of a checkout as make reads."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / "winnow" / "room").mkdir(parents=True)
    for name in ("Makefile", "deploy/compiler.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("requirements.lock", "pyproject.toml", "setup.py"):
        (tmp_path / name).touch()
    return tmp_path


def make(checkout: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("make")
    assert program
    return subprocess.run(
        [program, *words],
        cwd=checkout,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("python", ["", "exit 1"])
def test_without_a_python_that_serves_it_says_what_to_install(checkout: Path, python: str) -> None:
    """It said "m: No such file or directory"."""
    programs = checkout / "bin"
    programs.mkdir()
    if python:  # too old, or without venv: Debian's python3 alone
        (programs / "python3").write_text(f"#!/bin/sh\n{python}\n")
        (programs / "python3").chmod(0o755)
    done = make(checkout, "install", PATH=str(programs))
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr
    assert "docs/install.md" in done.stderr


def test_parts_are_compiled_once_a_compiler_is_there(checkout: Path) -> None:
    """The stamp of the first installation kept the slow program for ever."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to(sys.executable)
    installs = []
    for compiler in ("/none", "/none", "/bin/sh", "/bin/sh"):
        done = make(checkout, "install", "PIP_INSTALL=true", CC=compiler)
        assert done.returncode == 0, done.stderr
        installs.append("Installing Winnow" in done.stdout)
    assert installs == [True, False, True, False]
