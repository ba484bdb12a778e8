"""Layout patterns of a site as values, and the similarity of sequences (Webstemmer, step 2).

Patterns hold paths and scores, never a page's text.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from rapidfuzz.distance import LCSseq


def common(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The pairs of indices of a maximum common sequence, in order. Bit-parallel: O(mn / 64)."""
    if not left or not right:
        return []
    return [
        (operation.src_start + offset, operation.dest_start + offset)
        for operation in LCSseq.opcodes(left, right)
        if operation.tag == "equal"
        for offset in range(operation.src_end - operation.src_start)
    ]


def similarity(
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    left_weights: Sequence[float],
    right_weights: Sequence[float],
) -> float:
    """Sim(A, B): the weight of what both share over the weight of both, in 0..1.

    The page prints the formula with the common weight counted once, with which two equal pages
    have .5 and its own threshold of .97 could not be reached: it counts on both sides here. Two
    sequences without any weight are equal if they are the same.
    """
    every = sum(left_weights) + sum(right_weights)
    if not every:
        return float(list(left) == list(right))
    pairs = common(left, right)
    return sum(left_weights[i] + right_weights[j] for i, j in pairs) / every


def difference(texts: Sequence[str]) -> float:
    """DiffScore: how much texts vary among each other, 0 (all the same) to 1 (nothing shared).

    The sum over all pairs of what the two do not share, over the sum of their lengths.
    """
    apart = every = 0
    for index, one in enumerate(texts):
        for other in texts[index + 1 :]:
            both = len(one) + len(other)
            every += both
            apart += both - 2 * int(LCSseq.similarity(one, other))
    return apart / every if every else 0.0


@dataclass(frozen=True, slots=True)
class PatternBlock:
    """One block that all pages of a layout share: its path, mean weight and scores."""

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
