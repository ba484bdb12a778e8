"""Figures without the compiled loops are figures of their definitions."""

import subprocess
import sys

import pytest

from benchmarks import without_compiled

ASKED = """
from benchmarks import without_compiled
names = without_compiled.hide_compiled()
from winnow.document import scan, words
from winnow.extractors.mss import hash_table
compiled = {"winnow.document._scan", "winnow.document._words", "winnow.extractors.mss._loops"}
assert compiled <= set(names), names
assert scan._scan is words._compiled is hash_table._loops is None
"""


def test_what_is_compiled_is_missing() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASKED], check=False, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr


def test_such_figures_are_not_saved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["without_compiled", "--save"])
    assert without_compiled.main() == 2
    assert "--save" in capsys.readouterr().err
