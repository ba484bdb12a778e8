"""Which groups of a style sheet's rules count on a screen of 1,280 by 900 pixels.

One screen for every reader, so that a page is the same for everybody: a copy for telephones is no
text of its own. Media Queries 4, sections 2.1 and 4; CSS Conditional 3, section 2.
"""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

WIDTH: Final = 1280
HEIGHT: Final = 900
_EM: Final = 16
"""Pixels."""
_GROUP: Final = re.compile(
    r"@(media|supports|layer|container|scope|starting-style|(?:-[a-z]+-)?(?:keyframes|document))\b"
    r"([^@{};]*)\{",
    re.I,
)
_CLOSED: Final = re.compile(r"\s*\}")
_END: Final = re.compile(r"\}(?=\s*(\}))")
"""The end of a group's last rule, and its own."""
_DEEPEST: Final = 8
"""Groups in each other that are looked at."""
_BOUND: Final = re.compile(
    r"\(\s*(min|max)-(?:device-)?(width|height)\s*:\s*([\d.]+)(px|r?em)\s*\)"
    r"|\(\s*(width|height)\s*([<>])=?\s*([\d.]+)(px|r?em)\s*\)"
)
_MET: Final = re.compile(
    r"(?:only\s+)?(?:screen|all)|\(\s*(?:hover\s*:\s*hover|pointer\s*:\s*fine|orientation\s*:\s*landscape"
    r"|prefers-color-scheme\s*:\s*light|prefers-reduced-motion\s*:\s*no-preference)\s*\)|"
)
_UNMET: Final = re.compile(
    r"(?:only\s+)?(?:print|speech|tty|projection|handheld|tv|braille)"
    r"|\(\s*(?:orientation\s*:\s*portrait|hover\s*:\s*none|pointer\s*:\s*coarse|prefers-color-scheme\s*:\s*dark"
    r"|prefers-reduced-motion\s*:\s*reduce|forced-colors\s*:\s*active|scripting\s*:\s*none)\s*\)"
)


_START: Final = itemgetter(0)
_EVERYWHERE: Final = ("layer", "supports")


class Group(NamedTuple):
    """Where a group of rules begins and ends, whether it counts (None where that is unknown), and
    the number of the group around it, -1 for none."""

    start: int
    end: int
    is_on: bool | None
    around: int


def groups_of(css: str) -> tuple[Group, ...]:
    """The groups of a style sheet without comments; O(len(css)), of one met again stored."""
    return _groups_of(css) if "@" in css else ()


@lru_cache(maxsize=64)
def _groups_of(css: str) -> tuple[Group, ...]:
    matches, found = list(_GROUP.finditer(css)), list[Group]()
    around = -1
    for number, (group, end) in enumerate(zip(matches, _ends(css, matches), strict=True)):
        while around >= 0 and found[around].end <= group.start():
            around = found[around].around
        found.append(Group(group.start(), end, _counts(group), around))
        around = number
    return tuple(found)


def _counts(group: re.Match[str]) -> bool | None:
    name = group[1].lower()
    return is_met(group[2]) if name == "media" else name in _EVERYWHERE or None


def _ends(css: str, groups: Sequence[re.Match[str]]) -> list[int]:
    """Where each group ends; those inside of others first, so that each is passed over once."""
    starts, closing = [each.start() for each in groups], [e.end(1) for e in _END.finditer(css)]
    found = [len(css)] * len(groups)
    for number in range(len(groups) - 1, -1, -1):
        at, inner = groups[number].end(), number + 1
        while not (closed := _CLOSED.match(css, at)):
            behind = bisect(closing, at)
            end = closing[behind] if behind < len(closing) else len(css)
            if inner == len(groups) or starts[inner] >= end:
                break
            at = found[inner]
            inner = bisect_left(starts, at)
        found[number] = closed.end() if closed else end
    return found


def groups_around(groups: Sequence[Group], place: int) -> list[Group]:
    """The groups that a place of their style sheet is in, the innermost first, so many at most."""
    found, at = list[Group](), bisect(groups, place, key=_START) - 1
    while at >= 0 and len(found) < _DEEPEST:
        if place < groups[at].end:
            found.append(groups[at])
        at = groups[at].around
    return found


@lru_cache(maxsize=256)
def is_met(queries: str) -> bool | None:
    """Whether one of a list of media queries is met; None where that is unknown."""
    answers = {_is_met(query.strip().lower()) for query in queries.split(",")}
    return True if True in answers else None if None in answers else False


def _is_met(query: str) -> bool | None:
    answers = {_part_is_met(part.strip()) for part in re.split(r"\band\b", query)}
    return False if False in answers else None if None in answers else True


def _part_is_met(part: str) -> bool | None:
    if bound := _BOUND.fullmatch(part):
        side = bound[2] or bound[5]
        is_least = bound[1] == "min" or bound[6] == ">"
        number = float("0" + (bound[3] or bound[7]).strip(".").replace("..", "."))
        asked = number * (1 if (bound[4] or bound[8]) == "px" else _EM)
        own = WIDTH if side == "width" else HEIGHT
        return own >= asked if is_least else own <= asked
    return True if _MET.fullmatch(part) else False if _UNMET.fullmatch(part) else None
