"""``python -m tests.attack.guards``: remove each guard once and see the test named for it fail.

The guards are in guards.toml: each is a small edit of one file. They are made one after the other
in a copy of the tree, compiled parts and byte code included; first all tests must pass there
without an edit.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
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


def ended(tree: Path, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Pytest: 0 if all tests passed, 1 if some failed, else none was run."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *PYTEST, *tests]
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


def code_without(guard: Guard, tree: Path) -> int:
    """How the guard's test ends without the guard, which is put back."""
    file = tree / guard.file
    text = file.read_text()
    file.write_text(edited(guard, text))
    try:
        return ended(tree, [guard.test]).returncode
    finally:
        file.write_text(text)


def chosen(words: Sequence[str], part: tuple[int, int]) -> list[Guard]:
    """Those whose name or test holds a word, all without words; of these the part (2, 5)."""
    named = [
        guard
        for guard in GUARDS
        if not words or any(word in f"{guard.name} {guard.test}" for word in words)
    ]
    number, parts = part
    return named[number - 1 :: parts]


def _part(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    return int(number), int(parts)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.attack.guards", description=__doc__)
    parser.add_argument("name", nargs="*", help="only guards whose name or test holds this")
    parser.add_argument("--part", type=_part, default=(1, 1), help="2/5: the second of five parts")
    wanted = parser.parse_args()
    guards = chosen(wanted.name, wanted.part)
    unnoticed = 0
    with tempfile.TemporaryDirectory(prefix="winnow-guards-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=SKIPPED, symlinks=True)
        compileall.compile_dir(tree, quiet=2)  # an edited file is newer than its byte code
        whole = ended(tree, sorted({guard.test for guard in guards}))
        if whole.returncode:
            sys.stdout.write(f"{whole.stdout[-3000:]}A test fails with its guard in place.\n")
            return 1
        for guard in guards:
            code = code_without(guard, tree)
            unnoticed += code != 1
            verdict = "fails" if code == 1 else f"ends with {code}"
            sys.stdout.write(f"{guard.name:<50}{guard.file:<40}{verdict:<12}{guard.test}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(guards)} guards removed, {unnoticed} unnoticed\n")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
