"""Writes the expected files of all golden pages anew: ``python -m tests.pages``."""

from __future__ import annotations

from tests.pages import faults, golden, tidied

if __name__ == "__main__":
    golden.write()
    faults.write()
    tidied.write()
