"""The framing of a request's body, read strictly (RFC 9112, sections 6 and 7). No I/O."""

from __future__ import annotations

import re
from typing import Final, Protocol

from winnow.proxy.http.headers import Headers

_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})(?:[ \t]*+;[^\x00-\x08\x0a-\x1f\x7f]*+)?\r\n")
_TRAILER: Final = re.compile(
    r"([!#$%&'*+\-.^_`|~0-9A-Za-z]++):[ \t]*+([^\x00-\x08\x0a-\x1f\x7f]*+)\Z"
)


class MalformedRequestError(ValueError):
    """A body whose framing is broken."""


class Body(Protocol):
    """``done`` at its end; ``trailers`` are those received."""

    done: bool
    trailers: Headers

    def feed(self, data: bytes) -> tuple[bytes, int]:
        """The body's bytes at the start of ``data``, and how many of it were read.

        Raises MalformedRequestError.
        """


class SizedBody:
    """A body with a Content-Length above 0."""

    def __init__(self, length: int) -> None:
        self._left = length
        self.done, self.trailers = False, Headers()

    def feed(self, data: bytes) -> tuple[bytes, int]:
        piece = data[: self._left]
        self._left -= len(piece)
        self.done = self._left == 0
        return piece, len(piece)


class ChunkedBody:
    """``largest_line``: bytes of a chunk's line; ``largest_trailer``: of the trailer section."""

    def __init__(self, largest_line: int, largest_trailer: int) -> None:
        self._largest_line, self._largest_trailer = largest_line, largest_trailer
        self._left = 0
        self._in_data = self._in_trailer = False
        self._lines: list[str] = []
        self._trailer_size = 0
        self.done, self.trailers = False, Headers()

    def feed(self, data: bytes) -> tuple[bytes, int]:
        at, pieces = 0, list[bytes]()
        while not self.done and (moved := self._step(data, at, pieces)) > at:
            at = moved
        return b"".join(pieces), at

    def _step(self, data: bytes, at: int, pieces: list[bytes]) -> int:
        """Read data, its line end, a size or a trailer at ``at``; the offset behind it."""
        if self._left:
            piece = data[at : at + self._left]
            self._left -= len(piece)
            pieces.append(piece)
            return at + len(piece)
        end = data.find(b"\n", at) + 1
        if not end:
            self._check_incomplete(data, at)
            return at
        if end - at > self._largest_line:
            raise MalformedRequestError("A line is too long.")
        self._line(data[at:end])
        return end

    def _check_incomplete(self, data: bytes, at: int) -> None:
        if len(data) - at > self._largest_line:
            raise MalformedRequestError("A line is too long.")
        if self._in_data and data[at : at + 2] not in (b"", b"\r"):
            raise MalformedRequestError("A chunk is longer than its size.")

    def _line(self, line: bytes) -> None:
        if self._in_trailer:
            self._trailer(line)
        elif self._in_data:
            self._in_data = False
            if line != b"\r\n":
                raise MalformedRequestError("A chunk is longer than its size.")
        else:
            self._size(line)

    def _size(self, line: bytes) -> None:
        match = _SIZE.fullmatch(line)
        if not match:
            raise MalformedRequestError("A chunk has no size.")
        self._left = int(match[1], 16)
        self._in_data, self._in_trailer = self._left > 0, self._left == 0

    def _trailer(self, line: bytes) -> None:
        self._trailer_size += len(line)
        if self._trailer_size > self._largest_trailer or not line.endswith(b"\r\n"):
            raise MalformedRequestError("The trailers are malformed or too large.")
        if line == b"\r\n":
            self.done = True
            self.trailers = Headers(tuple(map(_field, self._lines)))
        else:
            self._lines.append(line[:-2].decode("latin-1"))


def _field(line: str) -> tuple[str, str]:
    match = _TRAILER.match(line)
    if not match:
        raise MalformedRequestError("A trailer is no field.")
    return match[1], match[2].rstrip(" \t")
