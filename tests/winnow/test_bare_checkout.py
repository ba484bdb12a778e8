"""Tools see the whole on a checkout that is not installed: each import of ``winnow.*`` resolves."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, sys
sys.meta_path = [each for each in sys.meta_path if "editable" not in repr(each)]
sys.path.insert(0, ".")
import grimp
print(json.dumps(sorted(grimp.build_graph("winnow", cache_dir=None).modules)))
"""


def imported() -> Iterator[tuple[str, str]]:
    """Each module of ours that a file imports from, and the file."""
    for file in files():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("winnow"):
                yield str(node.module), str(file)


def files() -> Iterator[Path]:
    """The files of all rooms: ``rglob`` follows no link."""
    for room in (ROOT / "winnow", *(ROOT / "winnow").iterdir()):
        if room.is_dir():
            yield from room.resolve().rglob("*.py")


def test_grimp_finds_every_module() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = set(json.loads(done.stdout))
    assert {"winnow.proxy.app.app", "winnow.features.saved.pages"} <= found
    assert [(name, file) for name, file in imported() if name not in found] == []
