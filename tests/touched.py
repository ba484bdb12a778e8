"""``python -m tests.touched``: runs the tests of what ``git diff`` touches (``make check``).

Of a module: the tests of its room that name it, ``test_<module>.py`` among them; where its room
has none, those of other rooms; of one that no test names, all of its room. Of a document:
``tests/docs``.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]


def touched(changed: Sequence[str], tests: Mapping[str, str]) -> list[str]:
    """The files of tests to run for the ``changed`` paths; ``tests``: path and text of each."""
    return sorted({test for name in changed for test in _of(PurePosixPath(name), tests)})


def _of(path: PurePosixPath, tests: Mapping[str, str]) -> list[str]:
    if str(path) in tests:
        return [str(path)]
    if path.suffix == ".md":
        return [test for test in tests if test.startswith("tests/docs/")]
    room = str(path.parent) if path.parts[0] == "tests" else f"tests/{path.parent}"
    by_name = naming(path, tests)
    of_room = {test for test in tests if test.startswith(f"{room}/")}
    return [test for test in by_name if test in of_room] or by_name or list(of_room)


def naming(path: PurePosixPath, tests: Mapping[str, str]) -> list[str]:
    """The files of tests, of whatever room, that name a module or are named for it."""
    package = ".".join((path.parent if path.parts[0] == "tests" else _product(path)).parts)
    names = (f"{package}.{path.stem} ", f"from {package} import {path.stem}")
    return [
        test
        for test, text in tests.items()
        if any(name in text for name in names) or test.endswith(f"/test_{path.stem}.py")
    ]


def _product(path: PurePosixPath) -> PurePosixPath:
    """The package of a module: ``proxy/http`` is ``winnow.proxy.http``."""
    outside = path.parts[0] in ("winnow", "benchmarks", "docs")
    return path.parent if outside else PurePosixPath("winnow") / path.parent


def _git(*arguments: str) -> list[str]:
    found = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True)
    return found.stdout.decode().splitlines()


def main() -> int:
    changed = [
        *_git("diff", "--name-only", "HEAD"),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]
    tests = {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in (ROOT / "tests").rglob("test_*.py")
    }
    chosen = touched(changed, tests)
    print(f"{len(changed)} changed files, {len(chosen)} files of tests: {' '.join(chosen)}")  # noqa: T201
    return pytest.main([*sys.argv[1:], *chosen]) if chosen else 0


if __name__ == "__main__":
    sys.exit(main())
