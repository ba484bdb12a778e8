"""Content codings undone and done within bounds (RFC 9110, section 8.4); knows no page.

A bomb cannot get past ``Bounds``: every decoder gives its output in pieces of limited size.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import brotli  # type: ignore[import-untyped]  # it ships no types

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from proxy.accept import accepts_coding
from proxy.errors import BodyTooLargeError, CodingError
from proxy.memo import of_text

DECODABLE = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})
_PIECE = 256 * 1024
_FREE_RATIO = 1024 * 1024
"""Output below this many bytes is never called a bomb, whatever its ratio."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bytes a decoded body may have, and how many a coded byte may become."""

    bytes: int = 32 * 1024 * 1024
    ratio: int = 200


class Decoder(Protocol):
    """Undoes one coding. ``finished`` tells a whole body from one that was cut short."""

    @property
    def finished(self) -> bool: ...

    def decode(self, data: bytes) -> Iterator[bytes]: ...


class _Zlib:
    """gzip (RFC 1952), zlib (RFC 1950) and the raw deflate that some servers send instead."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._inflate = zlib.decompressobj(window)
        self._begun = False

    @property
    def finished(self) -> bool:
        return self._inflate.eof

    def decode(self, data: bytes) -> Iterator[bytes]:
        while data and not self._inflate.eof:
            yield self._decompress(data)
            data = self._inflate.unconsumed_tail

    def _decompress(self, data: bytes) -> bytes:
        try:
            piece = self._inflate.decompress(data, _PIECE)
        except zlib.error:
            if self._begun or self._window != zlib.MAX_WBITS:
                raise
            self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
            piece = self._inflate.decompress(data, _PIECE)
        self._begun = True
        return piece


class _Brotli:
    """br (RFC 7932)."""

    def __init__(self) -> None:
        self._decompress = brotli.Decompressor()

    @property
    def finished(self) -> bool:
        return bool(self._decompress.is_finished())

    def decode(self, data: bytes) -> Iterator[bytes]:
        yield self._decompress.process(data, output_buffer_limit=_PIECE)
        while not self._decompress.is_finished() and not self._decompress.can_accept_more_data():
            yield self._decompress.process(b"", output_buffer_limit=_PIECE)


class _Zstd:
    """zstd (RFC 8878), its window limited to 8 MB as browsers do."""

    def __init__(self) -> None:
        options = {int(zstd.DecompressionParameter.window_log_max): 23}
        self._decompress = zstd.ZstdDecompressor(options=options)

    @property
    def finished(self) -> bool:
        return self._decompress.eof

    def decode(self, data: bytes) -> Iterator[bytes]:
        if self._decompress.eof:
            return
        yield self._decompress.decompress(data, _PIECE)
        while not self._decompress.eof and not self._decompress.needs_input:
            yield self._decompress.decompress(b"", _PIECE)


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "x-gzip": lambda: _Zlib(zlib.MAX_WBITS | 16),
    "deflate": lambda: _Zlib(zlib.MAX_WBITS),
    "br": _Brotli,
    "zstd": _Zstd,
}


class BodyDecoder:
    """Takes a coded body piece by piece; ``result`` gives the decoded whole.

    Raises CodingError for broken bytes and BodyTooLargeError beyond the bounds.
    """

    def __init__(self, codings: tuple[str, ...], bounds: Bounds) -> None:
        unknown = [coding for coding in codings if coding not in _DECODERS and coding != "identity"]
        if unknown:
            raise CodingError(f"The content coding {unknown[0]} is not known here.")
        self._decoders = [
            _DECODERS[coding]() for coding in reversed(codings) if coding in _DECODERS
        ]
        self._bounds = bounds
        self._taken = 0
        self._given = 0
        self._pieces: list[bytes] = []

    def feed(self, data: bytes) -> None:
        self._taken += len(data)
        try:
            for piece in _through(self._decoders, data):
                self._keep(piece)
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
            raise CodingError(f"The body cannot be decoded: {error}") from error

    def result(self) -> bytes:
        """Raises CodingError if the body was cut short."""
        if self._taken and not all(decoder.finished for decoder in self._decoders):
            raise CodingError("The body ends before its content coding does.")
        return b"".join(self._pieces)

    def _keep(self, piece: bytes) -> None:
        self._given += len(piece)
        too_dense = self._given > max(_FREE_RATIO, self._taken * self._bounds.ratio)
        if self._given > self._bounds.bytes or (self._decoders and too_dense):
            raise BodyTooLargeError("The decoded body is larger than this proxy takes.")
        self._pieces.append(piece)


def _through(decoders: list[Decoder], data: bytes) -> Iterator[bytes]:
    if not decoders:
        yield data
        return
    for piece in decoders[0].decode(data):
        yield from _through(decoders[1:], piece)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)


def _br(body: bytes) -> bytes:
    return bytes(brotli.compress(body, quality=4))


def _zstd(body: bytes) -> bytes:
    return zstd.compress(body, 3)


_ENCODERS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("br", _br),
    ("zstd", _zstd),
    ("gzip", _gzip),
)
SMALL = 512
"""Bodies below this many bytes are not worth coding."""


def choose_coding(accept_encoding: str | None, size: int) -> str:
    """The coding for a body of ours: br, zstd or gzip, or ``identity``."""
    if size < SMALL:
        return "identity"
    return "identity" if accept_encoding is None else _wanted(accept_encoding)


@of_text
def _wanted(accept_encoding: str) -> str:
    wanted = (name for name, _ in _ENCODERS if accepts_coding(accept_encoding, name))
    return next(wanted, "identity")


def encode(coding: str, body: bytes) -> bytes:
    """Deterministic, so that the same page has the same ETag."""
    return dict(_ENCODERS).get(coding, bytes)(body)
