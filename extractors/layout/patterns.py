"""Learned layout patterns of a site, as values that can be written to JSON.

Holds paths and scores, never a page's text.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final


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
