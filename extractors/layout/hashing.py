"""Keyed hashes of a page's texts, for the memory of a site.

A hash is BLAKE2b (RFC 7693) with the installation's secret, so that no word can be looked up in it.
This is the definition of what is found; ``_hashing.c``, where it could be built, finds the same.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.parsing.scan import Ints

_compiled: Any = optional_module("winnow.extractors.layout._hashing")

Hashes = npt.NDArray[np.uint32]
LONGEST_KEY: Final = 64
_DIGITS: Final = b"0123456789"


def _hashes_compiled(text: str, start: Ints, end: Ints, seeds: Hashes, key: bytes) -> Hashes:
    columns = (_packed(start, "<i4"), _packed(end, "<i4"), _packed(seeds, "<u4"))
    return _from_digests(_compiled.hashes(text, *columns, key[:LONGEST_KEY]))


def hashes_in_python(text: str, start: Ints, end: Ints, seeds: Hashes, key: bytes) -> Hashes:
    """The hash of each range of the text, salted with its seed; digits do not count.

    ``start``, ``end``: offsets in the text, ``seeds``: all of shape (n,), as is the answer. Of a
    key longer than 64 bytes the first 64 count.
    """
    packed, base = _packed(seeds, "<u4"), blake2b(key=key[:LONGEST_KEY], digest_size=4)
    found = []
    for number, (first, last) in enumerate(zip(start.tolist(), end.tolist(), strict=True)):
        digest = base.copy()
        digest.update(packed[4 * number : 4 * number + 4])
        digest.update(text[first:last].encode("utf-8", "surrogatepass").translate(None, _DIGITS))
        found.append(digest.digest())
    return _from_digests(b"".join(found))


hashes = loop(_compiled and _hashes_compiled, hashes_in_python)


def _packed(values: npt.NDArray[np.integer], kind: str) -> bytes:
    return values.astype(kind).tobytes()


def _from_digests(digests: bytes) -> Hashes:
    return np.frombuffer(digests, dtype="<u4").astype(np.uint32)
