"""``python -m tests.mutants ROOM``: change random places of a room, and list what no test sees.

A mutant is one changed comparison, ``and`` or ``or``, ``not``, sum, number or truth value within a
function. The tests of its module run first, then those of its room and those that name it
elsewhere, in a copy of the tree.
mutmut and cosmic-ray have no sample by seed, and write their changes into the checkout.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any, Final

from benchmarks.house import product_files, rooms
from tests.attack.guards import PYTEST, ROOT, SKIPPED
from tests.touched import naming, touched

SWAPPED: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}
UNDECIDED: Final = "UNDECIDED"
SECONDS: Final = 900
"""For a run of tests; a mutant that makes one later than that is undecided."""


@dataclass(frozen=True)
class Mutant:
    """One change: the place is the number of the node in the order of ``ast.walk``.

    ``name``: file, function and number within the function.
    """

    file: Path
    place: int
    line: int
    name: str

    def applied(self, text: str) -> tuple[str, str]:
        """The changed module whose ``text`` this is, and what was changed."""
        tree = ast.parse(text)
        node = list(ast.walk(tree))[self.place]
        before = ast.unparse(node)
        _change(node)
        return ast.unparse(tree), f"{before}  ->  {ast.unparse(node)}"


def _change(node: ast.AST) -> None:
    match node:
        case ast.Compare(ops=[first, *rest]):
            node.ops = [_swapped(first), *rest]
        case ast.BoolOp() | ast.BinOp():
            node.op = _swapped(node.op)
        case ast.UnaryOp():
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1


def _swapped(operator: ast.AST) -> Any:
    return SWAPPED[type(operator)]()


def _changes(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[first, *_]):
            return type(first) in SWAPPED
        case ast.BoolOp() | ast.BinOp():
            return type(node.op) in SWAPPED
        case ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool() | int()):
            return True
    return False


def mutants(file: Path) -> Iterator[Mutant]:
    """All mutants of a module, those of annotations and defaults left out."""
    tree = ast.parse(file.read_text("utf-8"))
    inside = {
        id(node): function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in function.body
        for node in ast.walk(statement)
    }
    numbers: Counter[str] = Counter()
    for place, node in enumerate(ast.walk(tree)):
        if (function := inside.get(id(node))) and _changes(node):
            numbers[function] += 1
            name = f"{os.path.relpath(file, ROOT)} {function} {numbers[function]}"
            yield Mutant(file, place, getattr(node, "lineno", 0), name)


def sample(room: str, number: int, seed: int) -> list[Mutant]:
    """``number`` mutants of a room, or of ``all``: every place is as likely as every other.

    A change elsewhere leaves those of a function in the sample.
    """
    chosen = rooms() if room == "all" else [room]
    every = [mutant for name in chosen for file in product_files(name) for mutant in mutants(file)]
    return sorted(every, key=lambda mutant: Random(f"{seed} {mutant.name}").random())[:number]


def runs_of(file: Path, tests: Mapping[str, str]) -> list[list[str]]:
    """The tests of a module, its room's, then those elsewhere that name it.

    Each is to be run if those before see nothing.
    """
    path = PurePosixPath(file.relative_to(ROOT))
    folder = Path("tests") / path.parent
    room = next(each for each in (folder, *folder.parents) if (ROOT / each).is_dir())
    own = touched([str(path)], tests)
    elsewhere = [each for each in naming(path, tests) if not each.startswith(f"{room}/")]
    return [each for each in (own, [str(room)], elsewhere) if each]


def failing(tree: Path, tests: Sequence[str]) -> str:
    """The first test that fails in a tree, "" if none does; where they hang they are ended."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, *PYTEST, "--timeout-method", "thread", "-rfE", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return UNDECIDED
    named = re.search(r"^(?:FAILED|ERROR) ([^ []+(?:\[.*?\])?)(?= - |$)", done.stdout, re.MULTILINE)
    return "" if done.returncode in (0, 5) else named[1] if named else "tests do not end"


def seen_by(tree: Path, mutant: Mutant, runs: Sequence[Sequence[str]]) -> tuple[str, str]:
    """What was changed, and the test that fails with it and passes without it, "" if none does."""
    file = tree / mutant.file.relative_to(ROOT)
    before = file.read_text("utf-8")  # the checkout may have changed since it was copied
    text, change = mutant.applied(before)
    compiled = Path(cache_from_source(str(file)))
    for tests in runs:
        file.write_text(text, "utf-8")
        compiled.unlink(missing_ok=True)  # a text of the same second and size would count as it
        name = failing(tree, tests)
        file.write_text(before, "utf-8")
        compiled.unlink(missing_ok=True)
        if name == UNDECIDED or (name and not failing(tree, [name] if "/" in name else tests)):
            return change, name
    return change, ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("room", help="a folder such as engine or proxy/caching, or all")
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--own", action="store_true", help="run no more than a module's own tests")
    parser.add_argument("--only", default="", help="only mutants whose file holds this")
    options = parser.parse_args()
    files = (ROOT / "tests").rglob("test_*.py")
    tests = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in files}
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="winnow-mutants-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=SKIPPED, symlinks=True)
        found = sample(options.room, options.number, options.seed)
        for mutant in found:
            if options.only not in mutant.name:
                continue
            runs = runs_of(mutant.file, tests)
            change, seen = seen_by(tree, mutant, runs[:1] if options.own else runs)
            verdicts[seen if seen in ("", UNDECIDED) else "seen"] += 1
            place = f"{mutant.file.relative_to(ROOT)}:{mutant.line}"
            sys.stdout.write(f"{place}: {change}: {seen or 'SURVIVES'}\n")
            sys.stdout.flush()
    told = f"{verdicts['seen']} seen, {verdicts[UNDECIDED]} undecided, {verdicts['']} survive"
    sys.stdout.write(f"{len(found)} mutants: {told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
