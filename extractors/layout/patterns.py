"""Layout patterns of a site as values, and how sequences are compared (Webstemmer, steps 2 to 4).

Patterns hold paths and scores, never a page's text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import LCSseq

Features = Sequence[str]


def matching(left: Features, right: Features) -> list[tuple[int, int]]:
    """The pairs of indices of a common sequence, in order.

    As the program finds it, by the longest run first (Ratcliff and Obershelp); ``longest`` is what
    the description says. The shorter side is indexed, which decides what counts as too frequent.
    """
    if len(left) < len(right):
        return [(one, other) for other, one in matching(right, left)]
    return [
        (run.a + offset, run.b + offset)
        for run in SequenceMatcher(None, left, right).get_matching_blocks()
        for offset in range(run.size)
    ]


def longest(left: Features, right: Features) -> list[tuple[int, int]]:
    """The pairs of indices of a maximum common sequence, in order. Bit-parallel: O(mn / 64)."""
    if not left or not right:
        return []
    return [
        (operation.src_start + offset, operation.dest_start + offset)
        for operation in LCSseq.opcodes(left, right)
        if operation.tag == "equal"
        for offset in range(operation.src_end - operation.src_start)
    ]


def dice(left: str, right: str, exact: bool = False) -> float:
    """What two texts share of both, 0 to 1; 1 for two empty ones. ``exact``: by ``longest``."""
    if exact:
        both = len(left) + len(right)
        return 2 * float(LCSseq.similarity(left, right)) / both if both else 1.0
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    return SequenceMatcher(None, longer, shorter).ratio()


def difference(texts: Sequence[str], exact: bool = False) -> float:
    """DiffScore: how much texts vary among each other, 0 (all the same) to 1 (nothing shared).

    The sum over all pairs of what the two do not share, over the sum of their lengths; an empty
    text is in no pair.
    """
    apart = every = 0.0
    for one, other in combinations(filter(None, texts), 2):
        both = len(one) + len(other)
        every += both
        apart += both * (1 - dice(one, other, exact))
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
    """One path that all pages of a layout share, with its mean weight and its scores."""

    feature: str
    weight: float
    difference: float
    main: float


@dataclass(frozen=True, slots=True)
class LayoutPattern:
    """One layout of a site: what ``pages`` pages share; ``title``: index of its title, or -1."""

    blocks: tuple[PatternBlock, ...]
    pages: int
    title: int = -1

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

    def to_records(self) -> list[dict[str, Any]]:
        """As values that JSON can represent; ``from_records`` reads it."""
        return [asdict(one) for one in self.patterns]

    @classmethod
    def from_records(cls, records: list[dict[str, Any]]) -> Patterns:
        """Raises ValueError, KeyError or TypeError for what is not of this form."""
        return cls(tuple(_pattern(one) for one in records))


NO_PATTERNS: Final = Patterns()


def _pattern(record: dict[str, Any]) -> LayoutPattern:
    blocks = tuple(PatternBlock(**block) for block in record["blocks"])
    return LayoutPattern(blocks, int(record["pages"]), int(record["title"]))
