"""Stored responses as MessagePack, for storages outside this process; no pickles."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.cache_errors import StorageError
from winnow.proxy.http.headers import Field, Headers

VERSION: Final = b"WC3\n"
"""WC1 may hold the Set-Cookie of whoever fetched an entry, WC2 is JSON."""

Entries = tuple[CacheEntry, ...]


def packed(entries: Entries) -> bytes:
    """The entries as bytes."""
    return VERSION + _ENCODER.encode(entries)


def unpacked(data: bytes) -> Entries:
    """The entries of bytes. Raises StorageError if they are cut, damaged or of another version."""
    if not data.startswith(VERSION):
        raise StorageError("The stored response is of another version or damaged.")
    try:
        return _DECODER.decode(memoryview(data)[len(VERSION) :])
    except msgspec.DecodeError as error:
        raise StorageError(f"The stored response is damaged: {error}.") from error


def readable(data: bytes | None) -> Entries:
    """The entries of bytes; () where there are none or they cannot be read: then it is a miss."""
    try:
        return unpacked(data) if data else ()
    except StorageError:
        return ()


def _encoded(value: Headers) -> tuple[Field, ...]:
    return value.fields


def _decoded(_type: type, value: Any) -> Headers:
    return Headers(msgspec.convert(value, tuple[Field, ...]))


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_encoded)
_DECODER: Final = msgspec.msgpack.Decoder(Entries, dec_hook=_decoded)
