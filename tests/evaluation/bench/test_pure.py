"""Figures without the compiled loops are figures of their definitions."""

import subprocess
import sys

import pytest

from evaluation.bench import pure

ASKED = """
from evaluation.bench import pure
names = pure.forget_compiled()
import document.scan, document.words, extractors.mss.table
assert {"document._scan", "document._words", "extractors.mss._loops"} <= set(names), names
assert document.scan._scan is document.words._compiled is extractors.mss.table._loops is None
"""


def test_what_is_compiled_is_missing() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASKED], check=False, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr


def test_such_figures_are_not_saved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pure", "--save"])
    assert pure.main() == 2
    assert "--save" in capsys.readouterr().err
