"""The memory of ``mss-site``: keyed hashes of the tokens of a site's pages, never text.

A memory is a value: merging is associative and commutative, so that
pages may come in any order and from any process.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.mss.stems import Hashes

_HEAD: Final = struct.Struct("<8sqI")
Probabilities = npt.NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class SiteTrace:
    """A page: its n tokens as keyed hashes, and P(in) of each by the supervised model.

    ``digest`` names the page's tokens; ``seen`` orders pages by time, where the caller has it.
    Without the key a hash cannot be traced to a word by trying words.
    """

    digest: bytes
    seen: int = 0
    tokens: Hashes = field(compare=False, repr=False, kw_only=True)
    p: Probabilities = field(compare=False, repr=False, kw_only=True)

    @classmethod
    def of(cls, tokens: Hashes, p: Probabilities, seen: int = 0) -> SiteTrace:
        """The trace of keyed hashes."""
        return cls(blake2b(tokens.tobytes(), digest_size=8).digest(), seen, tokens=tokens, p=p)


@dataclass(frozen=True, slots=True)
class SiteMemory:
    """The traces of some pages of one site, sorted, each page once."""

    traces: tuple[SiteTrace, ...] = ()

    def __len__(self) -> int:
        return len(self.traces)

    def merged(self, other: SiteMemory, limit: int) -> SiteMemory:
        """The ``limit`` latest traces of both; of those equally late a fixed choice."""
        latest: dict[bytes, SiteTrace] = {}
        for trace in sorted((*self.traces, *other.traces), key=_order):
            latest[trace.digest] = trace
        return SiteMemory(tuple(sorted(latest.values(), key=_order)[-limit:]))

    def as_bytes(self) -> bytes:
        """The memory as bytes, for another process."""
        return b"".join(
            _HEAD.pack(trace.digest, trace.seen, len(trace.tokens))
            + trace.tokens.astype("<u8").tobytes()
            + trace.p.astype("<f2").tobytes()
            for trace in self.traces
        )

    @classmethod
    def from_bytes(cls, packed: bytes) -> SiteMemory:
        """What ``as_bytes`` packed. Raises ValueError where it did not."""
        traces, at = [], 0
        try:
            while at < len(packed):
                digest, seen, size = _HEAD.unpack_from(packed, at)
                at += _HEAD.size
                tokens = np.frombuffer(packed, "<u8", size, at).astype(np.uint64)
                p = np.frombuffer(packed, "<f2", size, at + 8 * size).astype(np.float16)
                traces.append(SiteTrace(digest, seen, tokens=tokens, p=p))
                at += 10 * size
        except struct.error as error:
            raise ValueError("these bytes are no memory of a site") from error
        return cls(tuple(traces))


def _order(trace: SiteTrace) -> tuple[int, bytes]:
    return trace.seen, trace.digest


def keyed_hashes(hashes: Hashes, key: bytes) -> Hashes:
    """Hashes hashed again with a secret (BLAKE2b, 64 bits); shape of ``hashes``."""
    distinct, places = np.unique(hashes, return_inverse=True)
    digests = b"".join(
        blake2b(value.tobytes(), key=key, digest_size=8).digest() for value in distinct
    )
    keyed: Hashes = np.frombuffer(digests, dtype=np.uint64)[places]
    return keyed
