"""Layout patterns of a site as values, and how sequences are compared (Webstemmer, steps 2 to 4).

Patterns hold paths and scores, never a page's text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Final

import numpy as np

Features = Sequence[str]


def matching(left: Features, right: Features) -> list[tuple[int, int]]:
    """The pairs of indices of a common sequence, in order.

    As the program finds it, by the longest run first (Ratcliff and Obershelp); the shorter side is
    indexed, which decides what counts as too frequent.
    """
    if len(left) < len(right):
        return [(one, other) for other, one in matching(right, left)]
    return [
        (run.a + offset, run.b + offset)
        for run in SequenceMatcher(None, left, right).get_matching_blocks()
        for offset in range(run.size)
    ]


def dice(left: str, right: str) -> float:
    """What two texts share of both, 0 to 1; 1 for two empty ones."""
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    return SequenceMatcher(None, longer, shorter).ratio()


def difference(texts: Sequence[str]) -> float:
    """DiffScore: how much texts vary among each other, 0 (all the same) to 1 (nothing shared).

    The sum over all pairs of what the two do not share, over the sum of their lengths; an empty
    text is in no pair.
    """
    apart = every = 0.0
    for one, other in combinations(filter(None, texts), 2):
        both = len(one) + len(other)
        every += both
        apart += both * (1 - dice(one, other))
    return apart / every if every else 0.0


def sections(paths: Features, features: Features) -> list[list[int]]:
    """Of each path of a layout, the page's blocks at it: as many blocks as possible, in order.

    A path may have several blocks, or none. Of equal choices blocks are at the earliest paths.
    ``features``: the path of each block. O(paths x blocks).
    """
    found: list[list[int]] = [[] for _ in paths]
    codes = {path: code for code, path in enumerate(dict.fromkeys(paths))}
    layout = np.array([codes[path] for path in paths], dtype=np.int64)
    equal = [layout == codes.get(feature, -1) for feature in features]
    most = np.zeros((len(features) + 1, len(paths)), dtype=np.int32)
    for row, same in enumerate(equal):
        most[row + 1] = np.maximum.accumulate(most[row] + same)
    at = len(paths)
    for row in range(len(features), 0, -1) if paths else ():
        at = int(np.searchsorted(most[row, :at], most[row, at - 1])) + 1
        if equal[row - 1][at - 1] and most[row - 1, at - 1] < most[row, at - 1]:
            found[at - 1].insert(0, row - 1)
    return found


@dataclass(frozen=True, slots=True)
class PatternBlock:
    """One path that all pages of a layout share, with its scores."""

    feature: str
    difference: float
    main: float


@dataclass(frozen=True, slots=True)
class LayoutPattern:
    """One layout of a site: what ``pages`` pages share; ``title``: index of its title, or -1.

    ``members``: the addresses of these pages, the first of which names it.
    """

    blocks: tuple[PatternBlock, ...]
    pages: int
    title: int = -1
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Webstemmer's name of it."""
        return self.members[0] if self.members else "-"

    @property
    def score(self) -> float:
        """LayoutPatternScore: log(pages) times the sum of the main scores."""
        return math.log(self.pages) * sum(block.main for block in self.blocks)

    @property
    def features(self) -> tuple[str, ...]:
        """The paths in order."""
        return tuple(block.feature for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Patterns:
    """The layouts of one site, the most significant first."""

    patterns: tuple[LayoutPattern, ...] = ()


NO_PATTERNS: Final = Patterns()
