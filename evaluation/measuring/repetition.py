"""Text that an extraction holds twice: a mobile copy, a modal, the cut-off and the full text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RUN: Final = 12
"""Words in a row that do not stand in a text twice by chance."""


def repeated_share(words: Sequence[str]) -> float:
    """The share of words in runs of ``RUN`` that stood before; 0 of nothing. O(words)."""
    before: set[tuple[str, ...]] = set()
    covered = bytearray(len(words))
    for start in range(len(words) - RUN + 1):
        run = tuple(words[start : start + RUN])
        if run in before:
            covered[start : start + RUN] = b"\1" * RUN
        before.add(run)
    return sum(covered) / len(words) if words else 0.0
