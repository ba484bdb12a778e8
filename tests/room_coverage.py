"""``python -m tests.room_coverage ROOM...``: what of a room its own tests run, lines and branches.

Modules of which no function is entered are named. ``--line FILE:LINE`` names the tests that run a
line, from the last run. No number is a bound: a line that runs is not yet a line that is tested
(:mod:`tests.mutants`). Of a process that starts with an environment of its own (that of ``speech``)
nothing is seen: its modules count as unreached.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from coverage import CoverageData

from benchmarks.house import ROOT, product_files, rooms

FOLDER: Final = ROOT / ".run" / "coverage"
CONFIG: Final = """[run]
branch = true
parallel = true
patch = subprocess
dynamic_context = test_function
data_file = {data}
source = {source}
"""


def folders(room: str) -> list[str]:
    """The folders of a room that hold modules and tests of their own, with those below them."""
    found = {path.parent.relative_to(ROOT) for path in product_files(room)}
    own = {path for path in found if (ROOT / "tests" / path).is_dir()}
    return sorted(map(str, own)) if len(own) > 1 and room == "proxy" else [room]


def measured(room: str) -> dict[str, Any]:
    """Run a room's tests, and return coverage.py's report of its modules."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    name = room.replace("/", "-")
    for old in FOLDER.glob(f"{name}.*"):
        old.unlink()
    config, data, report = (FOLDER / f"{name}.{end}" for end in ("ini", "data", "json"))
    config.write_text(CONFIG.format(data=data, source=ROOT / room))
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/{room}")
    coverage = (sys.executable, "-m", "coverage")
    setting = f"--rcfile={config}"
    ran = subprocess.run([*coverage, "run", setting, *tests], cwd=ROOT, check=False)
    if ran.returncode:
        sys.stdout.write(f"tests/{room} ended with {ran.returncode}\n")
    subprocess.run([*coverage, "combine", "-q", setting], cwd=ROOT, check=True)
    subprocess.run([*coverage, "json", "-q", setting, "-o", report], cwd=ROOT, check=True)
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return found


def unreached(report: Mapping[str, Any]) -> Iterator[str]:
    """Modules with functions of which none was entered."""
    for name, found in sorted(report["files"].items()):
        inside = set(_function_lines(ast.parse((ROOT / name).read_text("utf-8"))))
        if inside and inside.isdisjoint(found["executed_lines"]):
            yield name


def _function_lines(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                yield from range(statement.lineno, (statement.end_lineno or 0) + 1)


def row(room: str, report: Mapping[str, Any]) -> str:
    """A line of the table."""
    totals, missed = report["totals"], list(unreached(report))
    lines = totals["covered_lines"] / max(totals["num_statements"], 1)
    branches = totals["covered_branches"] / max(totals["num_branches"], 1)
    size = f"{totals['num_statements']:>7}{lines:>8.1%}{totals['num_branches']:>9}{branches:>8.1%}"
    return f"{room:26}{len(report['files']):>8}{size}{len(missed):>11}  {' '.join(missed)}"


def tests_of(place: str) -> set[str]:
    """The tests that run FILE:LINE, in all rooms that were measured."""
    file, _, line = place.rpartition(":")
    found: set[str] = set()
    for data in FOLDER.glob("*.data"):
        stored = CoverageData(str(data))
        stored.read()
        found.update(stored.contexts_by_lineno(str(ROOT / file)).get(int(line), ()))
    return found - {""}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room_coverage", description=__doc__)
    parser.add_argument("room", nargs="*", help="as engine or proxy/caching; default: every one")
    parser.add_argument("--line", metavar="FILE:LINE", help="name the tests that run a line")
    options = parser.parse_args()
    if options.line:
        sys.stdout.writelines(f"{name}\n" for name in sorted(tests_of(options.line)))
        return 0
    chosen = options.room or [folder for room in rooms() for folder in folders(room)]
    rows = [row(room, measured(room)) for room in chosen]
    heads = f"{'modules':>8}{'lines':>7}{'run':>8}{'branches':>9}{'run':>8}{'unreached':>11}"
    sys.stdout.write(f"\n{'room':26}{heads}\n")
    sys.stdout.writelines(f"{each}\n" for each in rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
