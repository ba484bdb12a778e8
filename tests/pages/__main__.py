"""Writes the expected files of all golden pages anew: ``python -m tests.pages``."""

from __future__ import annotations

from tests.pages.golden import write

if __name__ == "__main__":
    write()
