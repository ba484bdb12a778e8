"""Reads HTTP/1 replies from bytes alone; knows no socket and refuses what cannot be read safely.

Lenient where browsers and curl are (line ends, blanks, folded lines), since a proxy that is
stricter than the client behind it loses pages. What goes on to the client is written anew, so
that nothing odd is forwarded.
"""

from __future__ import annotations

import re
from enum import StrEnum

from winnow.proxy.http.headers import Headers, number
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.proxy_errors import MalformedResponseError

MAX_HEAD = 256 * 1024
"""Bytes of a reply's head; single lines of 64 kB must pass."""

_HEAD_END = re.compile(rb"\n\r?\n")
_STATUS_LINE = re.compile(
    rb"HTTP/(\d)(?:\.(\d))?[ \t]+(\d{3})(?:[ \t]*(.*))?\Z", re.DOTALL | re.IGNORECASE
)
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_PLAIN_START = re.compile(r"HTTP/1\.([01]) ([1-9][0-9][0-9]) ?([^\x00-\x1f\x7f]*)\r\n")
_PLAIN_FIELD = re.compile(r"\n([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([^\x00-\x1f\x7f]*)\r(?=\n)")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_LENGTH = re.compile(r"\+?([0-9]+)")
_ENDLESS = 10**18
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?\Z", re.DOTALL)


class Framing(StrEnum):
    """How a body's end is found (RFC 9112, section 6.3)."""

    NONE = "none"
    LENGTH = "length"
    CHUNKED = "chunked"
    CLOSE = "close"


def head_end(buffer: bytes | bytearray) -> int:
    """The offset after the empty line that ends a head, or -1 while it has not come.

    Raises MalformedResponseError when the head is longer than MAX_HEAD.
    """
    match = _HEAD_END.search(buffer)
    if match:
        return match.end()
    if len(buffer) > MAX_HEAD:
        raise MalformedResponseError("The origin's header fields are larger than this proxy takes.")
    return -1


def parse_head(block: bytes) -> ResponseHead:
    """Read a head up to and with its empty line. Raises MalformedResponseError if it is no HTTP."""
    return _plain_head(block.decode("latin-1")) or _any_head(block)


def _plain_head(block: str) -> ResponseHead | None:
    """A head without anything odd, as nearly all are: one search for all its lines.

    None where a single byte is not as RFC 9112 wants it: then ``_any_head`` looks line by line,
    and reads what this reads alike.
    """
    start = _PLAIN_START.match(block)
    if not start or " \r\n" in block or "\t\r\n" in block:
        return None
    fields = tuple(_PLAIN_FIELD.findall(block, start.end() - 1))
    if block.count("\n") != len(fields) + 2:
        return None
    return ResponseHead(int(start[2]), start[3], Headers(fields), (1, int(start[1])))


def _any_head(block: bytes) -> ResponseHead:
    first, *lines = block.lstrip(b"\r\n").split(b"\n")
    match = _STATUS_LINE.match(first.rstrip(b"\r"))
    if not match:
        raise MalformedResponseError("The origin's reply does not begin with an HTTP status line.")
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
    """Join continuation lines to the field they continue (RFC 9112, section 5.2)."""
    joined: list[bytes] = []
    for raw in lines:
        line = raw.removesuffix(b"\r")
        if joined and line[:1] in (b" ", b"\t") and line.strip():
            joined[-1] += b" " + line.strip()
        elif line.strip():
            joined.append(line)
    return joined


def _fields(lines: list[bytes]) -> list[tuple[str, str]]:
    """The fields that can be sent on; a line that is none is dropped."""
    fields = []
    for line in _unfolded(lines):
        name, colon, value = line.decode("latin-1").partition(":")
        if colon and _TOKEN.match(name.strip(" \t")):
            clean = _CONTROL.sub(b" ", value.encode("latin-1")).strip(b" \t")
            fields.append((name.strip(" \t"), clean.decode("latin-1")))
    return fields


def framing(method: str, head: ResponseHead) -> tuple[Framing, int]:
    """How the body ends and, for LENGTH, its bytes (RFC 9112, section 6.3).

    A length that is no number ends with the connection, as in browsers; what goes on to the
    client is framed anew. Raises MalformedResponseError for lengths that contradict each other and
    for codings that we cannot undo.
    """
    if method == "HEAD" or head.status < 200 or head.status in (204, 304):
        return Framing.NONE, 0
    told = head.headers.items("transfer-encoding")
    if codings := [coding for coding in told if coding != "identity"]:
        if any(coding != "chunked" for coding in codings):
            raise MalformedResponseError(
                f"The origin uses the transfer coding {codings[0]}, which we do not."
            )
        return Framing.CHUNKED, 0
    length = declared_length(head.headers)
    return (Framing.CLOSE, 0) if length is None else (Framing.LENGTH, length)


def declared_length(headers: Headers) -> int | None:
    """The Content-Length as curl reads it: leading digits count; None where there are none.

    Raises MalformedResponseError where two of them contradict each other (RFC 9112, section 6.3,
    rule 5).
    """
    told = headers.joined("content-length")
    if not told or told.isdecimal():
        return _length(told)
    matches = [_LENGTH.match(length) for length in headers.items("content-length")]
    lengths = {_length(match[1]) for match in matches if match}
    if len(lengths) > 1:
        raise MalformedResponseError("The origin's Content-Length fields contradict each other.")
    return lengths.pop() if lengths else None


def _length(digits: str) -> int | None:
    """None for a length that no body has: the connection's end is the body's then, as in curl."""
    length = number(digits, _ENDLESS)
    return None if length == _ENDLESS else length


def reusable(head: ResponseHead, how: Framing) -> bool:
    """Whether the connection may carry another request (RFC 9112, section 9.3)."""
    known = head.headers
    connection = known.items("connection") + known.items("proxy-connection")
    if how is Framing.CLOSE or "close" in connection:
        return False
    length = known.joined("content-length")
    is_plain = not length or length.isdecimal()
    if not is_plain and not all(each.isdecimal() for each in known.items("content-length")):
        return False
    return head.version >= (1, 1) or "keep-alive" in connection


class BodyReader:
    """Takes bytes as they come and gives the body's; ``done`` once it ended where it should.

    ``rest`` holds bytes beyond the end. A reader is used for one body.
    """

    def __init__(self, how: Framing, length: int = 0) -> None:
        self.how = how
        self.done = how is Framing.NONE or (how is Framing.LENGTH and length == 0)
        self.rest = b""
        self._left = length
        self._buffer = b""
        self._in_trailer = False
        self._trailer_size = 0

    def feed(self, data: bytes) -> bytes:
        """The body's bytes in ``data``. Raises MalformedResponseError for a broken chunk."""
        if self.done:
            self.rest += data
            return b""
        if self.how is Framing.CLOSE:
            return data
        if self.how is Framing.LENGTH:
            return self._take(data)
        return self._chunks(data)

    def end(self) -> None:
        """The connection was closed. Raises MalformedResponseError if the body was not complete."""
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
        """Read one line or one run of data at ``at``; the offset after it, 0 if more must come."""
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
        """Drop trailers up to the empty line. Raises MalformedResponseError beyond MAX_HEAD."""
        self._trailer_size += len(line) + 1
        if self._trailer_size > MAX_HEAD:
            raise MalformedResponseError("The origin's trailer is larger than this proxy takes.")
        if not line:
            self.done = True

    def _size(self, line: bytes) -> None:
        match = _CHUNK_SIZE.match(line)
        if not match:
            raise MalformedResponseError("The origin sent a chunk without a size.")
        self._left = int(match[1], 16)
        self._in_trailer = self._left == 0
