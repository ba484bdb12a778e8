"""Decodes and encodes content codings (RFC 9110, section 8.4) within bounds.

Decoders return pieces of limited size, so that no decompression bomb exceeds ``DecodingBounds``.
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

from winnow.proxy.http.accept import accepts_coding
from winnow.proxy.http.headers import cached_by_text
from winnow.proxy.http.proxy_errors import BodyTooLargeError, CodingError

DECODABLE = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd"})
MAX_CODINGS = 3
"""Content codings of one body. RFC 9110, section 8.4, sets no limit; curl's is 5.

``br`` only once: its window takes 16 MiB."""
_PIECE = 256 * 1024
_FREE_RATIO = 1024 * 1024
"""Bytes of output below which the ratio is not checked."""


@dataclass(frozen=True, slots=True)
class DecodingBounds:
    """Bytes of a decoded body, and their ratio to the coded ones.

    Both apply to the output of each coding: intermediate gigabytes cost time too.
    """

    bytes: int = 32 * 1024 * 1024
    ratio: int = 200


class Decoder(Protocol):
    """Decodes one coding; ``finished`` at its end."""

    @property
    def finished(self) -> bool: ...

    def decode(self, data: bytes) -> Iterator[bytes]: ...


class _Zlib:
    """gzip (RFC 1952), zlib (RFC 1950) and the raw deflate that some servers send."""

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
    """zstd (RFC 8878) with a window of at most 8 MB, as in browsers."""

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


def why_undecodable(codings: tuple[str, ...]) -> str:
    """Why these members of Content-Encoding cannot be decoded; empty if they can."""
    if len(codings) > MAX_CODINGS:
        return f"The body has {len(codings)} content codings; at most {MAX_CODINGS} are decoded."
    if codings.count("br") > 1:
        return "The body is coded twice by brotli."
    unknown = [coding for coding in codings if coding not in DECODABLE and coding != "identity"]
    return f"The content coding {unknown[0]} is not supported." if unknown else ""


class BodyDecoder:
    """Decodes a body piece by piece; ``result`` is the decoded body.

    Raises CodingError for unsupported or too many codings.
    """

    def __init__(self, codings: tuple[str, ...], bounds: DecodingBounds) -> None:
        refusal = why_undecodable(codings)
        if refusal:
            raise CodingError(refusal)
        self._decoders = [
            _DECODERS[coding]() for coding in reversed(codings) if coding in _DECODERS
        ]
        self._bounds = bounds
        self._received = 0
        self._output = [0] * len(self._decoders)
        self._size = 0
        self._pieces: list[bytes] = []

    @property
    def finished(self) -> bool:
        """Whether all codings have ended."""
        return all(decoder.finished for decoder in self._decoders)

    def feed(self, data: bytes) -> None:
        """Decode some bytes. Raises CodingError, and BodyTooLargeError above the bounds."""
        for piece in self.pieces(data):
            self._append(piece)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Decode some bytes without keeping them; raises as ``feed``."""
        self._received += len(data)
        try:
            yield from self._through(0, data)
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
            raise CodingError(f"The body cannot be decoded: {error}") from error

    def result(self) -> bytes:
        """Raises CodingError if the body was cut short."""
        if self._received and not self.finished:
            raise CodingError("The body ends before its content coding does.")
        return b"".join(self._pieces)

    def _append(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._bounds.bytes:
            raise BodyTooLargeError(_TOO_LARGE)
        self._pieces.append(piece)

    def _through(self, stage: int, data: bytes) -> Iterator[bytes]:
        """The data decoded by all decoders from ``stage`` on, each within its bounds."""
        if stage == len(self._decoders):
            yield data
            return
        for piece in self._decoders[stage].decode(data):
            self._output[stage] += len(piece)
            if self._output[stage] > self._most():
                raise BodyTooLargeError(_TOO_LARGE)
            yield from self._through(stage + 1, piece)

    def _most(self) -> int:
        """Bytes that one decoder may have returned for those received so far."""
        dense = max(_FREE_RATIO, self._received * self._bounds.ratio)
        return min(self._bounds.bytes, dense)


_TOO_LARGE = "The decoded body is larger than the limit."


_ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: bytes(brotli.compress(body, quality=4)),
    "zstd": lambda body: zstd.compress(body, 3),
    "gzip": lambda body: gzip.compress(body, 6, mtime=0),
}
"""By preference."""
SMALL = 512
"""Bytes of a body below which it is sent uncoded."""


def choose_coding(accept_encoding: str | None, size: int) -> str:
    """The coding of a body of our own: br, zstd or gzip, or ``identity``."""
    if size < SMALL:
        return "identity"
    return "identity" if accept_encoding is None else _accepted(accept_encoding)


@cached_by_text
def _accepted(accept_encoding: str) -> str:
    accepted = (name for name in _ENCODERS if accepts_coding(accept_encoding, name))
    return next(accepted, "identity")


def encode(coding: str, body: bytes) -> bytes:
    """Deterministic, so that the same page has the same ETag."""
    return _ENCODERS.get(coding, bytes)(body)
