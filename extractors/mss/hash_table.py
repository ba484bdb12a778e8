"""A table from 64-bit keys to quantised log-odds, small on disk and read without copying.

An entry takes two bytes: 11 bits of its key and its log-odds in
5. A key that is not in the table is taken for another one in at most 1 of 512 cases.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.extractors.mss.stems import Hashes, Mask

if TYPE_CHECKING:
    from winnow.extractors.mss import _loops
else:
    _loops = optional_module("winnow.extractors.mss._loops")

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint16]

PROBES: Final = 4
"""How many slots in a row may hold a key."""
STEP: Final = 0.5
"""Nats between two quantised values."""
LARGEST: Final = 15 * STEP
_CODE_BITS: Final = 5
_ZERO: Final = 16  # the code of log-odds 0; code 0 is an empty slot
_VALUES: Final = (np.arange(1 << _CODE_BITS, dtype=np.float32) - _ZERO) * np.float32(STEP)
_VALUES[0] = 0  # a key that no slot holds is neutral
_CHECK: Final = np.uint64((1 << 16) - (1 << _CODE_BITS))


class FeatureTable(Protocol):
    """From keys to log-odds."""

    def look_up(self, keys: Hashes) -> tuple[Floats, Mask]:
        """The log-odds of each key in nats, 0 where it is unseen; and whether it is in the
        table."""
        ...

    def digest(self) -> bytes:
        """Names its content."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ExactTable:
    """Every key with its log-odds, neither shortened nor quantised; ``keys`` are sorted."""

    keys: Hashes
    odds: Floats

    def look_up(self, keys: Hashes) -> tuple[Floats, Mask]:
        """As FeatureTable says."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.float32), np.zeros(len(keys), dtype=bool)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        is_seen = self.keys[at] == keys
        return np.where(is_seen, self.odds[at], np.float32(0)), is_seen

    def digest(self) -> bytes:
        """Names its content."""
        return hashlib.sha256(self.keys.tobytes() + self.odds.tobytes()).digest()


@dataclass(frozen=True, slots=True, eq=False)
class HashTable:
    """2**bits slots (+ probes) of uint16, hashed openly."""

    slots: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, keys: Hashes, odds: Floats, bits: int) -> HashTable:
        """A table of 2**bits slots; keys come in the order of their importance.

        A key that finds its four slots taken is left out, as if it were unseen.
        """
        slots = np.zeros((1 << bits) + PROBES, dtype=np.uint16)
        entries = _checks(keys) | _codes(odds)
        left = np.arange(len(keys))
        for probe in range(PROBES):
            at = _slots(keys[left], bits) + probe
            free = np.flatnonzero(slots[at] == 0)
            taken, first = np.unique(at[free], return_index=True)
            slots[taken] = entries[left[free[first]]]
            left = np.delete(left, free[first])
        return cls(slots)

    @property
    def bits(self) -> int:
        """The logarithm of its number of slots."""
        return (len(self.slots) - PROBES).bit_length() - 1

    def digest(self) -> bytes:
        """Its content."""
        return self.slots.tobytes()

    def look_up(self, keys: Hashes) -> tuple[Floats, Mask]:
        """The log-odds of each key in nats, 0 where it is unseen; and whether it is in the
        table."""
        codes = self.codes(keys)
        return _VALUES[codes], codes > 0

    def _codes_compiled(self, keys: Hashes) -> Codes:
        found = _loops.codes(self.slots, keys, self.bits, PROBES, _CODE_BITS)
        return np.frombuffer(found, dtype=np.uint16)

    def codes_in_python(self, keys: Hashes) -> Codes:
        """The code in the nearest slot that holds each key, 0 where none does; shape (keys,)."""
        first, checks = _slots(keys, self.bits), _checks(keys)
        codes = np.zeros(len(keys), dtype=np.uint16)
        for probe in reversed(range(PROBES)):
            codes_here = self.slots[first + probe] ^ checks
            hit = (codes_here < (1 << _CODE_BITS)) & (codes_here > 0)
            codes[hit] = codes_here[hit]
        return codes

    codes = loop(_codes_compiled if _loops else None, codes_in_python)

    def save(self, path: Path) -> None:
        """Write a plain .npy file."""
        np.save(path, self.slots, allow_pickle=False)

    @classmethod
    def load(cls, path: Path) -> HashTable:
        """Map the file into memory: processes that use the same model share its pages."""
        return cls(np.asarray(np.load(path, mmap_mode="r", allow_pickle=False)))


def _slots(keys: Hashes, bits: int) -> npt.NDArray[np.int64]:
    return (keys >> np.uint64(64 - bits)).astype(np.int64)


def _checks(keys: Hashes) -> npt.NDArray[np.uint16]:
    checks: npt.NDArray[np.uint16] = (keys & _CHECK).astype(np.uint16)
    return checks


def _codes(odds: Floats) -> npt.NDArray[np.uint16]:
    steps = np.clip(odds, -LARGEST, LARGEST) / STEP
    codes: npt.NDArray[np.uint16] = (np.rint(steps) + _ZERO).astype(np.uint16)
    return codes
