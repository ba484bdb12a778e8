"""Entries as bytes and back, for storages outside this process. Numbers and text, no pickles.

Knows the layout alone: a version, a JSON head and the bodies behind it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.cache_errors import StorageError
from winnow.proxy.http.headers import Headers

VERSION: Final = b"WC2\n"
"""Entries of WC1 may hold the Set-Cookie of whoever fetched them."""
_LENGTH: Final = 4
"""Bytes that tell how long the head is."""

Entries = tuple[CacheEntry, ...]


def packed(entries: Entries) -> bytes:
    """The entries as bytes."""
    head = json.dumps([_told(entry) for entry in entries], separators=(",", ":")).encode()
    bodies = (entry.body for entry in entries)
    return b"".join((VERSION, len(head).to_bytes(_LENGTH, "big"), head, *bodies))


def unpacked(data: bytes) -> Entries:
    """The entries of bytes. Raises StorageError if they are cut, damaged or of another version."""
    start = len(VERSION) + _LENGTH
    if data[: len(VERSION)] != VERSION or len(data) < start:
        raise StorageError("What was stored is of another version or damaged.")
    end = start + int.from_bytes(data[len(VERSION) : start], "big")
    try:
        entries, at = [], end
        for told in json.loads(data[start:end]):
            entries.append(_entry(told, data[at : at + told["size"]]))
            at += told["size"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StorageError(f"What was stored is damaged: {error!r}.") from error
    if at != len(data):
        raise StorageError("What was stored is not as long as it says.")
    return tuple(entries)


def readable(data: bytes | None) -> Entries:
    """The entries of bytes; () where there are none or they cannot be read: then it is a miss."""
    try:
        return unpacked(data) if data else ()
    except StorageError:
        return ()


def _told(entry: CacheEntry) -> dict[str, Any]:
    return {
        "status": entry.status,
        "reason": entry.reason,
        "fields": entry.headers.fields,
        "size": len(entry.body),
        "requested": entry.requested,
        "received": entry.received,
        "vary": entry.vary,
        "doubtful": entry.doubtful,
    }


def _entry(told: Mapping[str, Any], body: bytes) -> CacheEntry:
    return CacheEntry(
        int(told["status"]),
        str(told["reason"]),
        Headers(_pairs(told["fields"])),
        body,
        float(told["requested"]),
        float(told["received"]),
        _pairs(told["vary"]),
        bool(told["doubtful"]),
    )


def _pairs(told: Any) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in told)
