"""How often each feature stood inside and outside of main content: all that training stores.

Tallies add up in any order, so that training can stop and go
on page by page (Pasternack & Roth 2009, section 6.2.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from winnow.extractors.mss.stems import Hashes, Mask

Counted = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """``inside`` and ``outside``: how often each of the sorted, distinct ``keys`` stood there."""

    keys: Hashes
    inside: Counted
    outside: Counted

    @classmethod
    def of(cls, keys: Hashes, inside: Mask) -> Tally:
        """Count one page's keys; ``inside`` has their shape."""
        return _summed(keys, inside.astype(np.uint32), (~inside).astype(np.uint32))

    @classmethod
    def empty(cls) -> Tally:
        """Nothing counted yet."""
        none = np.zeros(0, dtype=np.uint32)
        return cls(np.zeros(0, dtype=np.uint64), none, none)

    def __len__(self) -> int:
        return len(self.keys)

    def __add__(self, other: Tally) -> Tally:
        return _summed(
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.inside, other.inside]),
            np.concatenate([self.outside, other.outside]),
        )

    def save(self, folder: Path, name: str) -> None:
        """Write three plain .npy files."""
        for part in ("keys", "inside", "outside"):
            np.save(folder / f"{name}-{part}.npy", getattr(self, part), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, name: str) -> Tally:
        """Read what ``save`` wrote."""
        parts = ("keys", "inside", "outside")
        return cls(*(np.load(folder / f"{name}-{part}.npy", allow_pickle=False) for part in parts))


def _summed(keys: Hashes, inside: Counted, outside: Counted) -> Tally:
    if not len(keys):
        return Tally(keys, inside, outside)
    order = np.argsort(keys, kind="stable")  # joins two sorted runs in linear time
    ordered = keys[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sums = [np.add.reduceat(part[order], first, dtype=np.uint32) for part in (inside, outside)]
    return Tally(ordered[first], *sums)


class TallySum:
    """A sum of tallies: a new one is merged only with others of its size, so that few merges are
    large."""

    def __init__(self, start: Tally | None = None) -> None:
        self._stack = [start] if start is not None else []

    def add(self, tally: Tally) -> None:
        """Add the tally of one more page."""
        self._stack.append(tally)
        while len(self._stack) > 1 and len(self._stack[-2]) < 2 * len(self._stack[-1]):
            top = self._stack.pop()
            self._stack[-1] = self._stack[-1] + top

    def total(self) -> Tally:
        """All of it as one tally."""
        total = Tally.empty()
        while self._stack:
            total = total + self._stack.pop()
        self._stack = [total]
        return total
