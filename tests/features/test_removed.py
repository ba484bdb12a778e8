"""A program without one of its features: nothing else needs it, and no link leads to it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.features.blocked import NAMES

ROOT = Path(__file__).parents[2]
SKIPPED = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", "build", "dist", "*.whl"
)
SMOKE = ("tests/features/whole.py", "tests/proxy/decisions", "tests/proxy/caching")


@pytest.mark.timeout(3000)
def test_each_may_be_gone() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.features.blocked"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [f"without {name}: all is there" for name in NAMES]
    assert done.returncode == 0, done.stderr


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_its_folders_may_be_removed(tmp_path: Path, name: str) -> None:
    copy = tmp_path / "winnow"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=SKIPPED)
    for folder in (f"features/{name}", f"tests/features/{name}"):
        shutil.rmtree(copy / folder, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider", *SMOKE],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
