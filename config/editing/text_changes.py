"""One change of a file's text, and the text without it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_CONTEXT: Final = 2
"""Lines on either side that tell where a change stood."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """The lines from ``line`` (0 is the first) on, ``before`` and ``after``, with those around."""

    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def change_between(old: str, new: str) -> TextChange:
    """What makes ``new`` of ``old``."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    above = _equal(before, after)
    below = _equal(before[above:][::-1], after[above:][::-1])
    first = max(above - _CONTEXT, 0)
    ends = [len(lines) - max(below - _CONTEXT, 0) for lines in (before, after)]
    return TextChange(first, tuple(before[first : ends[0]]), tuple(after[first : ends[1]]))


def without_change(text: str, change: TextChange) -> str | None:
    """The text with the change taken back, also where it has moved; None where it is gone."""
    lines, size = text.splitlines(keepends=True), len(change.after)
    if not size:
        return None if lines else "".join(change.before)
    places = [
        place
        for place in range(len(lines) - size + 1)
        if tuple(lines[place : place + size]) == change.after
    ]
    if not places:
        return None
    place = min(places, key=lambda found: abs(found - change.line))
    return "".join((*lines[:place], *change.before, *lines[place + size :]))


def _equal(one: list[str], other: list[str]) -> int:
    """How many lines both begin with."""
    for number, (line, same) in enumerate(zip(one, other, strict=False)):
        if line != same:
            return number
    return min(len(one), len(other))
