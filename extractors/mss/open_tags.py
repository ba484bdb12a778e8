"""How often each tag was the most recent unclosed one inside and outside, source by source.

A few hundred numbers a source: sites differ more in their
tags than in their words, so each source counts alike and what few sources do is shrunk to neutral.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.parsing import tags
from winnow.document.parsing.scan import Ints
from winnow.extractors.mss.stems import Mask

Counts = npt.NDArray[np.float64]

PSEUDO_SOURCES: Final = 0.05
"""Pseudo-sources in which a tag is neutral, as a share of all sources.

Of 0.001, 0.01, 0.05 and 0.2 the one that did best, cross-validated and on older pages.
"""


class OpenTags:
    """Counts by source, each of shape (codes, 2): inside, outside."""

    def __init__(self) -> None:
        self._of: dict[str, Counts] = {}

    def add(self, open_tags: Ints, inside: Mask, source: str) -> None:
        """Count one page's most recent unclosed tags."""
        counts = self._of.setdefault(source, np.zeros((len(tags.NAMES), 2)))
        for column, chosen in enumerate((inside, ~inside)):
            counts[:, column] += np.bincount(open_tags[chosen], minlength=len(tags.NAMES))

    def odds(self, common: Mask) -> dict[str, float]:
        """log P(tag | in) / P(tag | out) of the common tags, by name."""
        counts = np.stack(list(self._of.values()))
        shares = counts / counts.sum(axis=(1, 2), keepdims=True)
        pages_with, total = (counts.sum(axis=2) > 0).sum(axis=0), shares.sum(axis=0)
        sides = total.sum(axis=0) / total.sum()
        mean = total.sum(axis=1) / np.maximum(pages_with, 1)
        pseudo = PSEUDO_SOURCES * len(counts)
        with_pseudo = total + pseudo * mean[:, None] * sides
        return {
            tags.NAMES[code]: _log_ratio(with_pseudo[code], sides) if pages_with[code] else 0.0
            for code in np.flatnonzero(common)
        }

    def plain_odds(self, common: Mask) -> dict[str, float]:
        """The same by plain counts over all sources; infinite where a tag was on one side alone."""
        counts = np.sum(list(self._of.values()), axis=0)
        odds = plain_odds(counts[:, 0], counts[:, 1], counts.sum(axis=0))
        return {tags.NAMES[code]: float(odds[code]) for code in np.flatnonzero(common)}

    def merged(self, other: OpenTags) -> OpenTags:
        """The sum of both, neither changed."""
        merged = OpenTags()
        for source in (*self._of, *other._of):
            none = np.zeros((len(tags.NAMES), 2))
            merged._of[source] = self._of.get(source, none) + other._of.get(source, none)
        return merged

    def as_json(self) -> dict[str, dict[str, list[float]]]:
        """The counts by source and tag name."""
        return {
            source: {
                tags.NAMES[code]: counts[code].tolist()
                for code in np.flatnonzero(counts.any(axis=1))
            }
            for source, counts in self._of.items()
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Mapping[str, list[float]]]) -> OpenTags:
        """What ``as_json`` wrote."""
        merged = cls()
        for source, rows in found.items():
            counts = merged._of.setdefault(source, np.zeros((len(tags.NAMES), 2)))
            for name, row in rows.items():
                counts[tags.CODES.get(name, 0)] += row
        return merged


def plain_odds(
    inside: npt.NDArray[Any], outside: npt.NDArray[Any], sides: npt.NDArray[Any]
) -> npt.NDArray[np.float32]:
    """log P(feature | in) / P(feature | out) by counts; 0 for what stood nowhere, (n,).

    ``sides``: how many tokens stood inside and outside.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.log(inside / sides[0]) - np.log(outside / sides[1])
    return np.where(np.asarray(inside) + outside > 0, odds, 0).astype(np.float32)


def _log_ratio(row: Counts, sides: Counts) -> float:
    return round(float(np.log(row[0] / row[1]) - np.log(sides[0] / sides[1])), 4)
