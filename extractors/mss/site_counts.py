"""The counts learned from a site's pages, as at most 32 kB: those of the trigrams that decide most.

Seven bytes a trigram: 32 bits of its keyed
hash, how often it stood inside and outside, how near to a border.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.mss.bootstrap import BootstrapSettings, SiteModel, TrigramCounts
from winnow.extractors.mss.mss_site import truncated
from winnow.extractors.subsequence import Scores

LARGEST: Final = 32 * 1024
"""Bytes at most."""
BITS: Final = 32
"""Stored bits of a trigram's hash; 1 in 10**6 is taken for another."""
_HEAD: Final = struct.Struct("<4sHIIIfB")
_MARK: Final = b"mss1"
_WIDTH: Final = 7
_MOST: Final = 255
_ENTRIES: Final = (LARGEST - _HEAD.size) // _WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class SiteCounts:
    """``pages``: how many it was learned from; ``stamp``: when it was made, in seconds since
    1970."""

    pages: int
    stamp: int
    model: SiteModel

    def as_bytes(self) -> bytes:
        """At most LARGEST bytes; what decides least is left out."""
        chosen = _most_decisive(self.model)
        return b"".join(
            (
                _HEAD.pack(
                    _MARK,
                    self.pages,
                    self.stamp,
                    *(int(total) for total in chosen.totals),
                    self.model.boost,
                    self.model.rounds,
                ),
                chosen.keys.astype("<u4").tobytes(),
                _in_bytes(chosen.counts).tobytes(),
                np.rint(chosen.importance * _MOST).astype(np.uint8).tobytes(),
            )
        )

    @classmethod
    def from_bytes(cls, packed: bytes) -> SiteCounts:
        """What ``as_bytes`` packed. Raises ValueError where it did not."""
        pages, stamp, totals, boost, rounds = _head(packed)
        size, rest = divmod(len(packed) - _HEAD.size, _WIDTH)
        if rest or not size or len(packed) > LARGEST:
            raise ValueError("these counts of a site are cut short")
        keys = np.frombuffer(packed, "<u4", size, _HEAD.size).astype(np.uint64)
        numbers = np.frombuffer(packed, np.uint8, 3 * size, _HEAD.size + 4 * size)
        inside, outside, importance = numbers.reshape(3, size).astype(np.float64)
        if (keys[1:] <= keys[:-1]).any():
            raise ValueError("these counts of a site are in disorder")
        trigram_counts = TrigramCounts(
            keys, np.stack([inside, outside]), importance / _MOST, totals
        )
        return cls(
            pages, stamp, SiteModel.of(trigram_counts, BootstrapSettings(boost=boost), rounds)
        )


def order_of(packed: bytes) -> tuple[int, int]:
    """Pages and stamp: decides between two counts of one site. Raises ValueError."""
    return _head(packed)[:2]


def _head(
    packed: bytes,
) -> tuple[int, int, np.ndarray[tuple[int], np.dtype[np.float64]], float, int]:
    try:
        mark, pages, stamp, inside, outside, boost, rounds = _HEAD.unpack_from(packed)
    except struct.error as error:
        raise ValueError("these bytes are no counts of a site") from error
    if mark != _MARK or not inside + outside or not 0 <= boost <= _MOST:
        raise ValueError("these bytes are no counts of a site")
    return pages, stamp, np.array([inside, outside], dtype=np.float64), boost, rounds


def _most_decisive(model: SiteModel) -> TrigramCounts:
    """The trigrams that add most to scores, their hashes shortened."""
    trigram_counts = model.trigram_counts
    worth = trigram_counts.counts.sum(axis=0) * np.abs(model.p - 0.5)
    worth *= trigram_counts.importance * model.boost + 1
    best = np.argsort(-worth, kind="stable")[:_ENTRIES]
    best = np.sort(best[worth[best] > 0])
    keys, first = np.unique(truncated(trigram_counts.keys[best], BITS), return_index=True)
    chosen = best[first]
    return TrigramCounts(
        keys,
        trigram_counts.counts[:, chosen],
        trigram_counts.importance[chosen],
        trigram_counts.totals,
    )


def _in_bytes(counts: Scores) -> npt.NDArray[np.uint8]:
    """Counts up to 255; larger ones shrink on both sides alike."""
    most = np.maximum(counts.max(axis=0, initial=1), _MOST)
    found: npt.NDArray[np.uint8] = np.rint(counts * _MOST / most).astype(np.uint8)
    return found
