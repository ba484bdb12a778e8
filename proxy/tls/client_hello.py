"""Parses a TLS ClientHello (RFC 8446, section 4.1.2): SNI (RFC 6066), ALPN (RFC 7301)."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from winnow.proxy.tls.tls_errors import NotTlsError

MAX_HELLO = 65536
"""Bytes; more than any client sends."""
MAX_RECORDS = 2048
"""Records of one ClientHello; all are parsed again with each piece received."""
_HANDSHAKE = 22
_CLIENT_HELLO = 1
_SERVER_NAME = 0
_PROTOCOLS = 16
_SIGNATURES: Final = 13
_VARYING: Final = frozenset({0, 16, 21, 35, 41, 42, 44})
"""server_name, ALPN (hashed by itself), padding, session_ticket, pre_shared_key, early_data and
cookie, which vary between connections of one program."""
_RECORD_HEAD = 5
_MAX_RECORD = 16384


@dataclass(frozen=True, slots=True)
class ClientHello:
    """``server_name``: the SNI host in lower case, if any; ``protocols``: ALPN, as sent.

    ``fingerprint``: equal for connections of one program.
    """

    server_name: str | None = None
    protocols: tuple[str, ...] = ()
    fingerprint: str = ""

    @property
    def lacks_http1(self) -> bool:
        """Whether ALPN was offered without HTTP/1.1."""
        return bool(self.protocols) and "http/1.1" not in self.protocols

    @property
    def offers_http2(self) -> bool:
        """Whether ALPN was offered with HTTP/2."""
        return "h2" in self.protocols


def read_hello(data: bytes) -> ClientHello | None:
    """The ClientHello at the start of ``data``, None while it is incomplete.

    Raises ``NotTlsError`` as soon as it cannot be one.
    """
    message = _handshake(data)
    return None if message is None else _parse(message)


def _handshake(data: bytes) -> bytes | None:
    """The first handshake message's body, joined from its records."""
    joined = bytearray()
    at = records = 0
    while at < len(data):
        records += 1
        if records > MAX_RECORDS:
            raise NotTlsError("The ClientHello has too many records.")
        size = _record_size(data[at : at + _RECORD_HEAD])
        joined += data[at + _RECORD_HEAD : at + _RECORD_HEAD + size]
        if joined and joined[0] != _CLIENT_HELLO:
            raise NotTlsError("The first TLS message is not a ClientHello.")
        length = int.from_bytes(joined[1:4], "big")
        if length > MAX_HELLO:
            raise NotTlsError("The ClientHello is too long.")
        if len(joined) >= 4 + length and len(joined) >= 4:
            return bytes(joined[4 : 4 + length])
        at += _RECORD_HEAD + size
    return None


def _record_size(head: bytes) -> int:
    if head[0] != _HANDSHAKE or head[1:2] not in (b"", b"\x03"):
        raise NotTlsError("The first bytes are not a TLS handshake.")
    size = int.from_bytes(head[3:5], "big") if len(head) == _RECORD_HEAD else _MAX_RECORD
    if not 0 < size <= _MAX_RECORD:
        raise NotTlsError("A TLS record has an invalid length.")
    return size


class _Reader:
    """A cursor over one message; reading past its end raises ``NotTlsError``."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    @property
    def rest(self) -> bytes:
        """The bytes after the cursor."""
        return self._data[self._at :]

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise NotTlsError("The ClientHello ends too early.")
        self._at += size
        return self._data[self._at - size : self._at]

    def number(self, width: int) -> int:
        return int.from_bytes(self.take(width), "big")

    def vector(self, width: int) -> _Reader:
        """A vector with a length of ``width`` bytes."""
        return _Reader(self.take(self.number(width)))


def _parse(message: bytes) -> ClientHello:
    reader = _Reader(message)
    version = reader.take(2)
    reader.take(32)  # random
    reader.vector(1)  # session
    suites = reader.vector(2)
    reader.vector(1)  # compression methods
    extensions = _extensions(reader)
    fingerprint = _fingerprint(version, _numbers(suites), extensions)  # before they are read
    return ClientHello(
        _server_name(extensions.get(_SERVER_NAME)),
        _protocols(extensions.get(_PROTOCOLS)),
        fingerprint,
    )


def _fingerprint(version: bytes, suites: list[int], extensions: dict[int, _Reader]) -> str:
    """A hash of version, cipher suites, extensions, signatures and ALPN, as JA4 forms one.

    Sorted, since browsers shuffle extensions; without the random values of RFC 8701 and _VARYING.
    """
    kinds = sorted(kind for kind in extensions if kind not in _VARYING and not _is_grease(kind))
    numbers = sorted(number for number in suites if not _is_grease(number))
    parts: list[object] = [version.hex(), numbers, kinds]
    for kind in (_SIGNATURES, _PROTOCOLS):
        parts.append(extensions[kind].rest.hex() if kind in extensions else "")
    return sha256(repr(parts).encode()).hexdigest()[:24]


def _numbers(reader: _Reader) -> list[int]:
    return [reader.number(2) for _ in range(reader.left // 2)]


def _is_grease(number: int) -> bool:
    return number & 0x0F0F == 0x0A0A and number >> 8 == number & 0xFF


def _extensions(reader: _Reader) -> dict[int, _Reader]:
    found: dict[int, _Reader] = {}
    if not reader.left:
        return found
    listed = reader.vector(2)
    while listed.left:
        kind = listed.number(2)
        found.setdefault(kind, listed.vector(2))
    return found


def _server_name(reader: _Reader | None) -> str | None:
    if reader is None:
        return None
    names = reader.vector(2)
    while names.left:
        kind, name = names.number(1), names.vector(2)
        if kind == 0:
            return name.take(name.left).decode("ascii", "replace").lower()
    return None


def _protocols(reader: _Reader | None) -> tuple[str, ...]:
    if reader is None:
        return ()
    listed = reader.vector(2)
    found = []
    while listed.left:
        name = listed.vector(1)
        found.append(name.take(name.left).decode("latin-1"))
    return tuple(found)
