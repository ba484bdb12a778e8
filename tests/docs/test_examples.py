"""The packages in examples/ install without the network, and their own tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweeps import rest_in_release

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/pyproject.toml"))
INSTALL = ("-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation")


@pytest.mark.parametrize(
    "example", rest_in_release(EXAMPLES, EXAMPLES[:1]), ids=lambda path: path.name
)
def test_an_example_installs_and_keeps_the_contract(tmp_path: Path, example: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "site"
    shutil.copytree(example, source)
    subprocess.run([sys.executable, *INSTALL, "--target", target, source], check=True, timeout=120)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout


@pytest.mark.parametrize(
    ("guide", "example"),
    [
        ("writing-an-extractor.md", "winnow-longest-paragraph"),
        ("writing-a-feature.md", "winnow-slowest-pages"),
    ],
)
def test_a_guide_shows_the_packages_own_code(guide: str, example: str) -> None:
    """Each indented line of Python that the guide shows stands in the package."""
    folder = ROOT / "examples" / example
    files = (*(folder / "src").rglob("*.py"), folder / "pyproject.toml")
    code = "".join(map(Path.read_text, files))
    text = (ROOT / "docs" / guide).read_text()
    shown = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    wanted = ("class ", "    def ", "    async def ", "[project.entry", "FEATURE")
    lines = [line for line in shown if line.startswith(wanted)]
    assert lines
    assert not [line for line in lines if line not in code]
