"""Parses HTTP/1 responses (RFC 9112) from bytes; performs no I/O.

Lenient where browsers and curl are (line ends, blanks, folded lines). Heads and framing are written
again for the client, so that nothing irregular is forwarded.
"""

from __future__ import annotations

import re
from enum import StrEnum

from winnow.proxy.http.content_coding import MAX_CODINGS
from winnow.proxy.http.headers import Headers, number
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.proxy_errors import MalformedResponseError

MAX_HEAD = 256 * 1024
"""Bytes of a response's head; single lines of 64 kB must pass."""

TRANSFER_CODINGS = frozenset({"gzip", "x-gzip", "deflate"})
"""Those of RFC 9112, section 7.2, that are in use, beside chunked."""

_HEAD_END = re.compile(rb"\n\r?\n")
_STATUS_LINE = re.compile(
    rb"HTTP/(\d)(?:\.(\d))?[ \t]+(\d{3})(?:[ \t]*(.*))?\Z", re.DOTALL | re.IGNORECASE
)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_REGULAR_START = re.compile(r"HTTP/1\.([01]) ([1-9][0-9][0-9]) ?([^\x00-\x1f\x7f]*)\r\n")
_REGULAR_FIELD = re.compile(r"\n([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*+([^\x00-\x1f\x7f]*+)\r(?=\n)")
"""Possessive: blanks before a control character would be tried anew from each of them."""
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_LENGTH = re.compile(r"\+?([0-9]+)")
_ENDLESS = 10**18
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?\Z", re.DOTALL)


class Framing(StrEnum):
    """What ends a body (RFC 9112, section 6.3)."""

    NONE = "none"
    LENGTH = "length"
    CHUNKED = "chunked"
    CLOSE = "close"


def head_end(buffer: bytes | bytearray) -> int:
    """The offset after the empty line that ends a head, or -1 for an incomplete one.

    Raises MalformedResponseError above MAX_HEAD.
    """
    match = _HEAD_END.search(buffer)
    if match:
        return match.end()
    if len(buffer) > MAX_HEAD:
        raise MalformedResponseError("The origin's header fields are larger than 256 kB.")
    return -1


def parse_head(block: bytes) -> ResponseHead:
    """Parse a head with its empty line. Raises MalformedResponseError if it is no HTTP."""
    return _regular_head(block.decode("latin-1")) or _lenient_head(block)


def _regular_head(block: str) -> ResponseHead | None:
    """A head in the strict syntax of RFC 9112, by one search for all its lines; else None.

    ``_lenient_head`` gives the same for these, line by line.
    """
    start = _REGULAR_START.match(block)
    if not start or " \r\n" in block or "\t\r\n" in block:
        return None
    fields = tuple(_REGULAR_FIELD.findall(block, start.end() - 1))
    if block.count("\n") != len(fields) + 2:
        return None
    return ResponseHead(int(start[2]), start[3], Headers(fields), (1, int(start[1])))


def _lenient_head(block: bytes) -> ResponseHead:
    first, *lines = block.lstrip(b"\r\n").split(b"\n")
    match = _STATUS_LINE.match(first.rstrip(b"\r"))
    if not match:
        raise MalformedResponseError(
            "The origin's response does not begin with an HTTP status line."
        )
    major, minor, status, reason = match.groups()
    if not 100 <= int(status) <= 999:
        raise MalformedResponseError("The origin's status code is not between 100 and 999.")
    return ResponseHead(
        int(status),
        _CONTROL.sub(b" ", reason or b"").strip().decode("latin-1"),
        Headers(tuple(_fields(lines))),
        (int(major), int(minor or 0)),
    )


def _unfolded(lines: list[bytes]) -> list[bytes]:
    """Join continuation lines to their field (RFC 9112, section 5.2)."""
    joined: list[bytes] = []
    for raw in lines:
        line = raw.removesuffix(b"\r")
        if joined and line[:1] in (b" ", b"\t") and line.strip():
            joined[-1] += b" " + line.strip()
        elif line.strip():
            joined.append(line)
    return joined


def _fields(lines: list[bytes]) -> list[tuple[str, str]]:
    """The fields; a line that is none is dropped."""
    fields = []
    for line in _unfolded(lines):
        name, colon, value = line.decode("latin-1").partition(":")
        if colon and _TOKEN.match(name.strip(" \t")):
            clean = _CONTROL.sub(b" ", value.encode("latin-1")).strip(b" \t")
            fields.append((name.strip(" \t"), clean.decode("latin-1")))
    return fields


def framing(method: str, head: ResponseHead) -> tuple[Framing, int]:
    """How the body ends and, for LENGTH, its bytes (RFC 9112, section 6.3).

    Where the length is no number the connection's end is the body's, as in browsers. Raises
    MalformedResponseError for contradicting lengths and for unsupported transfer codings.
    """
    if method == "HEAD" or head.status < 200 or head.status in (204, 304):
        return Framing.NONE, 0
    codings = _transfer_codings(head.headers)
    if codings:
        transfer_codings(head.headers)
        return (Framing.CHUNKED if codings[-1] == "chunked" else Framing.CLOSE), 0
    length = declared_length(head.headers)
    return (Framing.CLOSE, 0) if length is None else (Framing.LENGTH, length)


def _transfer_codings(headers: Headers) -> tuple[str, ...]:
    return tuple(each for each in headers.items("transfer-encoding") if each != "identity")


def transfer_codings(headers: Headers) -> tuple[str, ...]:
    """Transfer codings that are to be removed before, or instead of, a final chunked.

    In the order in which they were applied. Raises MalformedResponseError for unsupported ones.
    """
    codings = _transfer_codings(headers)
    if all(coding == "chunked" for coding in codings):
        return ()
    inner = codings[:-1] if codings[-1] == "chunked" else codings
    coded = inner[1:] if inner[0] == "chunked" else inner
    unknown = [coding for coding in coded if coding not in TRANSFER_CODINGS]
    if unknown or len(inner) > MAX_CODINGS:
        raise MalformedResponseError(
            f"The origin's transfer codings {', '.join(codings)} are not supported."
        )
    return inner


def declared_length(headers: Headers) -> int | None:
    """The Content-Length as curl reads it: leading digits count; None where there are none.

    Raises MalformedResponseError for contradicting values (RFC 9112, section 6.3, rule 5).
    """
    value = headers.joined("content-length")
    if not value or value.isdecimal():
        return _length(value)
    matches = [_LENGTH.match(length) for length in headers.items("content-length")]
    lengths = {_length(match[1]) for match in matches if match}
    if len(lengths) > 1:
        raise MalformedResponseError("The origin's Content-Length fields contradict each other.")
    return lengths.pop() if lengths else None


def _length(digits: str) -> int | None:
    """None for an impossible length, as in curl: the connection's end is the body's."""
    length = number(digits, _ENDLESS)
    return None if length == _ENDLESS else length


def reusable(head: ResponseHead, how: Framing) -> bool:
    """Whether the connection may carry another request (RFC 9112, section 9.3)."""
    fields = head.headers
    connection = fields.items("connection") + fields.items("proxy-connection")
    if how is Framing.CLOSE or "close" in connection:
        return False
    if not all(each.isdecimal() for each in fields.items("content-length")):
        return False
    return head.version >= (1, 1) or "keep-alive" in connection


class BodyReader:
    """Removes one body's framing; ``done`` once it is complete, ``rest`` is what follows it."""

    def __init__(self, how: Framing, length: int = 0) -> None:
        self.how = how
        self.done = how is Framing.NONE or (how is Framing.LENGTH and length == 0)
        self.rest = b""
        self._left = length
        self._buffer = b""
        self._in_trailer = False
        self._trailer_size = 0
        self._trailer_lines: list[bytes] = []

    @property
    def trailers(self) -> Headers:
        """The trailer fields that were received."""
        lines = self._trailer_lines
        return Headers(tuple(_fields(lines))) if lines else Headers()

    def feed(self, data: bytes) -> bytes:
        """The body's bytes in ``data``. Raises MalformedResponseError for a malformed chunk."""
        if self.done:
            self.rest += data
            return b""
        if self.how is Framing.CLOSE:
            return data
        if self.how is Framing.LENGTH:
            return self._take(data)
        return self._chunks(data)

    def end(self) -> None:
        """The connection was closed. Raises MalformedResponseError if the body is incomplete."""
        if self.how is Framing.CLOSE or self._in_trailer:
            self.done = True
        elif not self.done:
            raise MalformedResponseError(
                "The origin closed the connection before the body was complete."
            )

    def _take(self, data: bytes) -> bytes:
        body, self.rest = data[: self._left], data[self._left :]
        self._left -= len(body)
        self.done = self._left == 0
        return body

    def _chunks(self, data: bytes) -> bytes:
        data, at = self._buffer + data, 0
        out: list[bytes] = []
        while not self.done and (moved := self._step(data, at, out)):
            at = moved
        if self.done:
            self.rest, self._buffer = data[at:], b""
        else:
            self._buffer = data[at:]
        if len(self._buffer) > MAX_HEAD:
            raise MalformedResponseError("The origin sent a chunk line that does not end.")
        return b"".join(out)

    def _step(self, data: bytes, at: int, out: list[bytes]) -> int:
        """Read a line or a run of data at ``at``; the offset after it, 0 if it is incomplete."""
        if self._left > 0:
            piece = data[at : at + self._left]
            self._left -= len(piece)
            out.append(piece)
            return at + len(piece) if piece else 0
        newline = data.find(b"\n", at)
        if newline < 0:
            return 0
        self._line(data[at:newline].strip(b"\r"))
        return newline + 1

    def _line(self, line: bytes) -> None:
        if self._in_trailer:
            self._trailer(line)
        elif line.strip():
            self._size(line)

    def _trailer(self, line: bytes) -> None:
        """Collect trailers up to the empty line. Raises MalformedResponseError beyond MAX_HEAD."""
        self._trailer_size += len(line) + 1
        if self._trailer_size > MAX_HEAD:
            raise MalformedResponseError("The origin's trailer is larger than 256 kB.")
        if line:
            self._trailer_lines.append(line)
        else:
            self.done = True

    def _size(self, line: bytes) -> None:
        match = _CHUNK_SIZE.match(line)
        if not match:
            raise MalformedResponseError("The origin sent a chunk without a size.")
        self._left = int(match[1], 16)
        self._in_trailer = self._left == 0
