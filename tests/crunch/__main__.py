"""Writes what Crunch's levels make of its pages anew: ``python -m tests.crunch``."""

from __future__ import annotations

from tests.crunch.golden import write

if __name__ == "__main__":
    write()
