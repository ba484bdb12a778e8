"""Stored responses: the entry, its key (RFC 9111, section 2), its bytes outside the process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

import msgspec

from winnow.document.addresses import joined
from winnow.proxy.access.private_addresses import ClientPermit
from winnow.proxy.caching.directives import age_of, date_of
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import OriginRequest, ResponseHead, anywhere
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import Target, parse_target


class StorageError(Exception):
    """A storage failed (full, damaged, gone); it costs a fetch, never a response."""


@dataclass(frozen=True)
class CacheEntry:
    """One stored reply (RFC 9111, section 3), complete.

    ``vary``: the request's fields that Vary names, as they were. ``requested``, ``received``:
    seconds since 1970 of its request and of its head. ``doubtful``: an unsafe request
    or a HEAD has shown that it may have changed: it must be validated. ``version``: of HTTP, by
    which it came.
    """

    status: int
    reason: str
    headers: Headers
    body: bytes
    requested: float
    received: float
    vary: tuple[tuple[str, str], ...] = ()
    doubtful: bool = False
    version: tuple[int, int] = (1, 1)

    @cached_property
    def initial_age(self) -> float:
        """Seconds that it was old when it was received (RFC 9111, section 4.2.3)."""
        date = date_of(self.headers.get("date"))
        apparent = max(0.0, self.received - date) if date is not None else 0.0
        return max(apparent, age_of(self.headers) + max(0.0, self.received - self.requested))

    @property
    def size(self) -> int:
        """Bytes that it takes, fields and overhead included."""
        pairs = (*self.headers, *self.vary)
        return len(self.body) + sum(len(name) + len(value) + 300 for name, value in pairs) + 400

    def head(self, headers: Headers | None = None) -> ResponseHead:
        """The head of a response with this entry."""
        return ResponseHead(self.status, self.reason, headers or self.headers, self.version)


_LOCAL = "local "
"""Prefix of responses for clients that may reach every address; no address begins so."""


LONGEST: Final = 512
"""Characters of an address that is its own key; a longer one's key is a digest."""


def key_of(request: OriginRequest) -> str:
    """The address; responses that only this machine's own clients may have get other keys."""
    url = _short(request.target.url)
    is_local = request.permit is anywhere or isinstance(request.permit, ClientPermit)
    return _LOCAL + url if is_local else url


def invalidated_keys(request: OriginRequest, reply: Headers) -> tuple[str, ...]:
    """The keys that a successful unsafe request invalidates (RFC 9111, section 4.4).

    Location and Content-Location count where they name the same origin.
    """
    here = request.target
    urls_named = [reply.get(name) for name in ("location", "content-location") if name in reply]
    targets = [here, *(target for url in urls_named if (target := _absolute(here, url)))]
    urls = dict.fromkeys(_short(each.url) for each in targets if each.origin == here.origin)
    keys = [key for url in urls for key in (url, _LOCAL + url)]
    return (*keys, *map(part_key, keys))


def part_key(key: str) -> str:
    """The key of the part that is stored of a response (206)."""
    return f"part {key}"


def _short(url: str) -> str:
    if len(url) <= LONGEST:
        return url
    return "blake2b " + blake2b(url.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()


def _absolute(here: Target, url: str) -> Target | None:
    try:
        return parse_target(joined(here.url, url))
    except ClientFaultError:  # not an address that could be stored
        return None


VERSION: Final = b"WC3\n"
"""WC1 may hold the Set-Cookie of the client that fetched an entry, WC2 is JSON."""

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
    except ValueError as error:  # UnicodeDecodeError too
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
