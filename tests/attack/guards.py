"""``python -m tests.attack.guards``: remove each guard once and see the test named for it fail.

The guards are in guards.toml: each is a small edit of one file. They are made one after the other
in a copy of the tree, compiled parts included; first all tests must pass there without an edit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SKIPPED: Final = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "build", ".run")
ALL: Final = "release or not release"
"""Tests that pytest deselects elsewhere, too."""
PYTEST: Final = (
    *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout", "120"),
    *("-m", ALL),
)


@dataclass(frozen=True)
class Guard:
    """``old`` stands once in ``file`` and is replaced by ``new``; ``test`` must fail then."""

    name: str
    file: str
    old: str
    new: str
    test: str


GUARDS: Final = tuple(
    Guard(**each)
    for each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text())["guard"]
)


def edited(guard: Guard, text: str) -> str:
    """Raises ValueError if the guard's text does not stand there exactly once."""
    if text.count(guard.old) != 1:
        raise ValueError(f"{guard.file} holds {guard.old!r} {text.count(guard.old)} times")
    return text.replace(guard.old, guard.new)


def code(tree: Path, tests: Iterable[str]) -> int:
    """How pytest ended: 0 if all tests passed, 1 if some failed, else none was run."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *PYTEST, *tests]
    run = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
    return run.returncode


def code_without(guard: Guard, tree: Path) -> int:
    """How the guard's test ends without the guard, which is put back."""
    file = tree / guard.file
    text = file.read_text()
    file.write_text(edited(guard, text))
    try:
        return code(tree, [guard.test])
    finally:
        file.write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.guards", description=__doc__)
    parser.add_argument("name", nargs="*", help="only guards whose name or test holds this")
    words = parser.parse_args().name
    chosen = [
        guard
        for guard in GUARDS
        if not words or any(word in f"{guard.name} {guard.test}" for word in words)
    ]
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="winnow-guards-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=SKIPPED, symlinks=True)
        if code(tree, sorted({guard.test for guard in chosen})):
            sys.stdout.write("A test fails with its guard in place.\n")
            return 1
        for guard in chosen:
            ended = code_without(guard, tree)
            unnoticed += ended != 1
            verdict = "fails" if ended == 1 else f"ends with {ended}"
            sys.stdout.write(f"{guard.name:<50}{guard.file:<40}{verdict:<12}{guard.test}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} guards removed, {unnoticed} unnoticed\n")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
