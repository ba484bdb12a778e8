"""The package in examples/ installs without the network, and its own tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "winnow-longest-paragraph"
INSTALL = ("-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation")


def test_the_example_installs_and_keeps_the_contract(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "site"
    shutil.copytree(EXAMPLE, source)
    subprocess.run([sys.executable, *INSTALL, "--target", target, source], check=True, timeout=120)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "test_longest_paragraph.py",
        ],
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


def test_the_guide_shows_the_packages_own_code() -> None:
    guide = (EXAMPLE.parents[1] / "docs" / "writing-an-extractor.md").read_text()
    module = (EXAMPLE / "src" / "winnow_longest_paragraph.py").read_text()
    entry = (EXAMPLE / "pyproject.toml").read_text()
    for line in ("class LongestParagraph(Method):", 'main_parameter: ClassVar[str] = "share"'):
        assert line in guide
        assert line in module
    assert 'longest-paragraph = "winnow_longest_paragraph:LongestParagraph"' in entry
    assert 'longest-paragraph = "winnow_longest_paragraph:LongestParagraph"' in guide
