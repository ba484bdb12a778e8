"""Stored parts of a representation, and how they are joined (RFC 9111, sections 3.3 and 3.4).

For each key and set of selecting fields one contiguous part is stored, below a key of its own: the
newest where two do not touch or are not of one representation. Once whole it is a usual entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry, key_of, part_key
from winnow.proxy.caching.conditions import CONDITIONS, range_holds, wanted_range
from winnow.proxy.caching.freshness import UseStored, decide
from winnow.proxy.caching.memory_storage import ResponseStorage
from winnow.proxy.caching.responses import CompleteResponse, hit_fields
from winnow.proxy.caching.storing import StoreMode, may_store
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead

_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})\Z")
_OTHER_CONDITIONS: Final = frozenset(CONDITIONS) - {"if-range"}


@dataclass(frozen=True, slots=True)
class Extent:
    """Which bytes a part holds, the last one included, and how many the whole has."""

    first: int
    last: int
    total: int

    def __len__(self) -> int:
        return self.last + 1 - self.first

    @property
    def field(self) -> tuple[str, str]:
        return "Content-Range", f"bytes {self.first}-{self.last}/{self.total}"


def extent_of(headers: Headers) -> Extent | None:
    """What Content-Range says (RFC 9110, section 14.4); None for none, and where it cannot be."""
    match = _CONTENT_RANGE.match(headers.get("content-range"))
    if not match:
        return None
    first, last, total = map(int, match.groups())
    return Extent(first, last, total) if first <= last < total else None


def may_store_part(request: OriginRequest, head: ResponseHead, mode: StoreMode) -> bool:
    """Whether a 206 may be stored: where a whole with these fields might be."""
    if head.status != 206 or request.method != "GET" or extent_of(head.headers) is None:
        return False
    return may_store(request.headers, replace(head, status=200), mode)


def joined(old: CacheEntry, new: CacheEntry) -> CacheEntry:
    """Both parts as one with the fields of the newer (RFC 9110, section 15.3.7.3).

    The newer alone where they are not of one representation, by a strong validator, or leave a gap.
    """
    left, right = extent_of(old.headers), extent_of(new.headers)
    tag = new.headers.get("etag")
    is_same = bool(tag) and not tag.startswith("W/") and tag == old.headers.get("etag")
    if left is None or right is None or not is_same or left.total != right.total:
        return new
    if left.last + 1 < right.first or right.last + 1 < left.first:
        return new
    both = Extent(min(left.first, right.first), max(left.last, right.last), left.total)
    before = old.body[: max(0, right.first - left.first)]
    after = old.body[right.last + 1 - left.first :] if left.last > right.last else b""
    headers = new.headers.replaced(both.field)
    return replace(new, headers=headers, body=before + new.body + after)


def as_whole(entry: CacheEntry) -> CacheEntry | None:
    """The entry of a part that holds everything."""
    extent = extent_of(entry.headers)
    if extent is None or len(extent) != extent.total:
        return None
    return replace(
        entry, status=200, reason="OK", headers=entry.headers.without(("content-range",))
    )


def slice_of(request: Headers, entry: CacheEntry) -> tuple[Extent, bytes] | None:
    """The bytes that a request for a range gets of a stored part; None where it lacks some."""
    held = extent_of(entry.headers)
    if held is None or not range_holds(request, entry):
        return None
    wanted = wanted_range(request.get("range"), held.total)
    if wanted is None or not held.first <= wanted[0] <= wanted[1] <= held.last:
        return None
    first, last = wanted
    body = entry.body[first - held.first : last + 1 - held.first]
    return Extent(first, last, held.total), body


@dataclass(frozen=True)
class StoredParts:
    """The parts in a storage. ``largest``: bytes of a body, joined ones too."""

    storage: ResponseStorage
    mode: StoreMode
    largest: int
    clock: Callable[[], float]

    async def find(self, request: OriginRequest, whole: CacheEntry | None) -> OriginResponse | None:
        """The response to a request for a range from a fresh part, newer than a stale ``whole``."""
        fields = request.headers
        if request.method != "GET" or "range" not in fields:
            return None
        if not _OTHER_CONDITIONS.isdisjoint(fields.by_name):
            return None
        entries, now = await self.storage.get(part_key(key_of(request))), self.clock()
        decision = decide(entries, fields, now, self.mode)
        if not isinstance(decision, UseStored) or decision.refresh:
            return None
        entry = decision.entry
        found = slice_of(fields, entry)
        if found is None or (whole and whole.received > entry.received):
            return None
        extent, body = found
        length = ("Content-Length", str(len(body)))
        headers = hit_fields(entry, now, self.mode, "hit").replaced(extent.field, length)
        return CompleteResponse(ResponseHead(206, "Partial Content", headers), body)

    async def add(self, request: OriginRequest, part: CacheEntry) -> CacheEntry | None:
        """Store a part, joined with the one that is there; returns the whole once it is one."""
        extent = extent_of(part.headers)
        if extent is None or len(part.body) != len(extent):
            return None
        key = part_key(key_of(request))
        entries = await self.storage.get(key)
        old = next((each for each in entries if each.vary == part.vary), None)
        if old and len(old.body) + len(part.body) <= self.largest:
            part = joined(old, part)
        if whole := as_whole(part):
            await self.storage.delete(key)
            return whole
        await self.storage.put(key, (part,))
        return None
