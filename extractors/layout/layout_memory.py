"""A site's memory: the hashes and sizes of the blocks of its latest pages, never text.

Merging is associative, commutative and idempotent, so that the order of pages, and which process
extracted them, make no difference. Of a page with many blocks those with the smallest hashes are
stored (bottom-k), the same blocks on every page.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.extractors.layout.hashing import Hashes
from winnow.extractors.layout.page_rows import NOWHERE, Ints, PageRows

LARGEST: Final = 32 * 1024
"""Bytes of a memory."""
MOST_PAGES: Final = 40
MOST_BLOCKS: Final = 160
"""Of one page."""
MOST_DAYS: Final = 30
"""Days that a page is remembered after the latest one."""

_HEAD: Final = struct.Struct("<H8sIHHB")
_BLOCK: Final = np.dtype(
    [("path", "<u4"), ("text", "<u4"), ("weight", "<u2"), ("plain", "<u2"), ("container", "u1")]
)
_CONTAINER: Final = np.dtype([("key", "<u4"), ("outer", "u1")])
_NONE: Final = 255
_ALL: Final = 2**32 - 1


class LayoutTrace(NamedTuple):
    """One page: the ``day`` it was seen (since 1970), its name, and its packed blocks."""

    day: int
    page: bytes
    packed: bytes


def trace(page_rows: PageRows, day: int) -> bytes:
    """The memory of one page."""
    chosen, cut = np.arange(len(page_rows.text)), _ALL
    if len(chosen) > MOST_BLOCKS:
        chosen = np.sort(np.argsort(page_rows.text, kind="stable")[:MOST_BLOCKS])
        cut = int(page_rows.text[chosen].max())
    blocks = np.zeros(len(chosen), dtype=_BLOCK)
    blocks["path"], blocks["text"] = page_rows.path[chosen], page_rows.text[chosen]
    blocks["weight"] = np.minimum(page_rows.weight[chosen], 0xFFFF)
    blocks["plain"] = np.minimum(page_rows.plain[chosen], 0xFFFF)
    blocks["container"] = _to_bytes(page_rows.container[chosen])
    containers = np.zeros(len(page_rows.keys), dtype=_CONTAINER)
    containers["key"], containers["outer"] = page_rows.keys, _to_bytes(page_rows.outer)
    sizes = (cut, min(len(page_rows.text), 0xFFFF), len(blocks), len(containers))
    return _HEAD.pack(day, page_rows.page, *sizes) + blocks.tobytes() + containers.tobytes()


def merge(left: bytes, right: bytes) -> bytes:
    """The latest pages of both, as many as fit. Raises ValueError."""
    latest: dict[bytes, LayoutTrace] = {}
    for one in sorted((*traces(left), *traces(right))):
        latest[one.page] = one
    found = sorted(latest.values(), reverse=True)
    oldest = found[0].day - MOST_DAYS if found else 0
    packed, size = list[bytes](), 0
    for one in found[:MOST_PAGES]:
        size += len(one.packed)
        if size > LARGEST or one.day < oldest:
            break
        packed.append(one.packed)
    return b"".join(packed)


def traces(memory: bytes) -> Iterator[LayoutTrace]:
    """The pages of a memory, the latest first. Raises ValueError for other bytes."""
    at = 0
    while at < len(memory):
        try:
            day, page, _, _, blocks, containers = _HEAD.unpack_from(memory, at)
        except struct.error as error:
            raise ValueError("these bytes are no memory of layouts") from error
        size = _HEAD.size + blocks * _BLOCK.itemsize + containers * _CONTAINER.itemsize
        if at + size > len(memory):
            raise ValueError("these bytes are no memory of layouts")
        yield LayoutTrace(day, page, memory[at : at + size])
        at += size


@dataclass(frozen=True, slots=True, eq=False)
class LayoutRows:
    """The pages of a memory as arrays: n pages, r blocks and m containers of all of them.

    ``names``: of the pages, (n,). ``cut``: the largest stored hash of each page, (n,).
    ``share``: the share of each page's blocks that is stored, (n,). ``page``, ``path``, ``text``,
    ``weight``, ``plain``, ``container`` (an index, -1: none): (r,). ``keys``, ``owner`` (the page),
    ``outer`` (an index, -1: none): (m,).
    """

    names: tuple[bytes, ...]
    cut: Ints
    share: npt.NDArray[np.float64]
    page: Ints
    path: Hashes
    text: Hashes
    weight: Ints
    plain: Ints
    container: Ints
    keys: Hashes
    owner: Ints
    outer: Ints


@lru_cache(maxsize=8)
def rows(memory: bytes, without: frozenset[bytes] = frozenset()) -> LayoutRows:
    """The pages of a memory, those named in ``without`` left out. Raises ValueError."""
    pages = [_Page.of(one) for one in traces(memory) if one.page not in without]
    blocks = np.concatenate([np.zeros(0, _BLOCK), *(page.blocks for page in pages)])
    containers = np.concatenate([np.zeros(0, _CONTAINER), *(page.containers for page in pages)])
    sizes = np.array([len(page.containers) for page in pages], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)[: len(pages)]
    page = _repeated([len(page.blocks) for page in pages])
    owner = _repeated(sizes.tolist())
    return LayoutRows(
        tuple(page.name for page in pages),
        np.array([page.cut for page in pages], dtype=np.int64),
        np.array([len(page.blocks) / max(page.total, 1) for page in pages]),
        page,
        blocks["path"].astype(np.uint32),
        blocks["text"].astype(np.uint32),
        blocks["weight"].astype(np.int64),
        blocks["plain"].astype(np.int64),
        _from_bytes(blocks["container"], first[page]),
        containers["key"].astype(np.uint32),
        owner,
        _from_bytes(containers["outer"], first[owner]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    name: bytes
    cut: int
    total: int
    blocks: npt.NDArray[Any]
    containers: npt.NDArray[Any]

    @classmethod
    def of(cls, one: LayoutTrace) -> _Page:
        _, name, cut, total, blocks, containers = _HEAD.unpack_from(one.packed)
        behind = _HEAD.size + blocks * _BLOCK.itemsize
        return cls(
            name,
            cut,
            total,
            np.frombuffer(one.packed, _BLOCK, blocks, _HEAD.size),
            np.frombuffer(one.packed, _CONTAINER, containers, behind),
        )


def _to_bytes(index: Ints) -> npt.NDArray[np.uint8]:
    return np.where(index == NOWHERE, _NONE, index).astype(np.uint8)


def _from_bytes(stored: npt.NDArray[np.uint8], first: Ints) -> Ints:
    found: Ints = np.where(stored == _NONE, NOWHERE, stored.astype(np.int64) + first)
    return found


def _repeated(sizes: list[int]) -> Ints:
    return np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)
