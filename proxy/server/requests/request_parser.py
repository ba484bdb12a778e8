"""Request heads of HTTP/1 (RFC 9112), strictly and for any method, and the parser of a connection.

Whatever two servers could read in two ways is refused: bare line ends, folded lines, blanks before
a colon, more than one Host or length. docs/adr/013-request-parser.md says why it is ours.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from aiohttp.base_protocol import BaseProtocol
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import RequestPayloadError
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from winnow.proxy.http.headers import Headers
from winnow.proxy.server.requests.request_body import (
    Body,
    ChunkedBody,
    MalformedRequestError,
    SizedBody,
)

MAX_HEAD: Final = 256 * 1024
"""Bytes of a request line and its fields."""
MAX_LINE: Final = 64 * 1024
"""Bytes of a request line, and of a field."""
MAX_FIELDS: Final = 1000
LONGEST_LOOK: Final = 64
"""Characters by which the beginning of a head is judged while it is incomplete."""

_LINE: Final = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]++) ([!-~]++) HTTP/1\.([01])\r\n")
_FIELD: Final = re.compile(
    r"\n([!#$%&'*+\-.^_`|~0-9A-Za-z]++):[ \t]*+([^\x00-\x08\x0a-\x1f\x7f]*+)\r(?=\n)"
)
"""Possessive: a line is looked at once, whatever it holds."""
_BEGUN: Final = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]++(?:\Z| )")
_BARE_LF: Final = re.compile(rb"(?<!\r)\n")
_LENGTH: Final = re.compile(r"0*+([0-9]{0,18})\Z")
_LINE_ENDS: Final = b"\r\n"
_NO_FIELDS: Final = CIMultiDictProxy[str](CIMultiDict())
_NO_URL: Final = URL("/")


class RefusedRequestError(HttpProcessingError):
    """A request that is malformed or too large: ``code`` is 400, 414 or 431. Quotes nothing."""


@dataclass(slots=True)
class RequestMessage:
    """A head; ``target`` as Latin-1 text. ``trailers`` come with the body's end."""

    method: str
    target: str
    version: tuple[int, int]
    fields: Headers
    should_close: bool
    upgrade: bool
    trailers: Headers = field(default_factory=Headers)

    @property
    def headers(self) -> CIMultiDictProxy[str]:
        """None: aiohttp asks for them, and nothing reads them."""
        return _NO_FIELDS

    @property
    def url(self) -> URL:
        """As ``headers``."""
        return _NO_URL


def parse_request_head(block: bytes) -> RequestMessage:
    """Parse a head with its empty line. Raises RefusedRequestError."""
    text = block.decode("latin-1")
    line = _LINE.match(text)
    if not line:
        raise RefusedRequestError(code=400)
    pairs = _FIELD.findall(text, line.end() - 1)
    if len(pairs) + 2 != text.count("\n"):
        raise RefusedRequestError(code=400)
    if len(pairs) > MAX_FIELDS or len(block) > MAX_LINE:
        _check_sizes(block, len(pairs))
    if " \r\n" in text or "\t\r\n" in text:
        pairs = [(name, value.rstrip(" \t")) for name, value in pairs]
    fields, version = Headers(tuple(pairs)), (1, int(line[3]))
    _check_host(fields, version)
    options = fields.items("connection")
    closes = "close" in options or (version < (1, 1) and "keep-alive" not in options)
    upgrades = version >= (1, 1) and "upgrade" in options and "upgrade" in fields
    return RequestMessage(line[1], line[2], version, fields, closes, upgrades)


def _check_sizes(block: bytes, count: int) -> None:
    first, *rest = block.split(b"\r\n")
    if len(first) > MAX_LINE:
        raise RefusedRequestError(code=414)
    if count > MAX_FIELDS or max(map(len, rest)) > MAX_LINE:
        raise RefusedRequestError(code=431)


def _check_host(fields: Headers, version: tuple[int, int]) -> None:
    """Exactly one Host (RFC 9112, section 3.2); HTTP/1.0 may have none."""
    if len(fields.every("host")) != 1 and (version >= (1, 1) or "host" in fields):
        raise RefusedRequestError(code=400)


def body_of(message: RequestMessage) -> Body | None:
    """How the body ends (RFC 9112, section 6.3). Raises RefusedRequestError."""
    lengths = message.fields.every("content-length")
    codings = message.fields.every("transfer-encoding")
    if not lengths and not codings:
        return None
    if len(lengths) + len(codings) > 1:
        raise RefusedRequestError(code=400)
    if codings:
        if codings[0].lower() != "chunked":
            raise RefusedRequestError(code=400)
        message.should_close = message.should_close or message.version < (1, 1)
        return ChunkedBody(MAX_LINE, MAX_HEAD)
    length = _LENGTH.match(lengths[0])
    if not length or not lengths[0]:
        raise RefusedRequestError(code=400)
    return SizedBody(int(length[1])) if length[1] else None


Parsed = tuple[Sequence[tuple[RequestMessage, StreamReader]], bool, bytes]


class RequestParser:
    """The parser of one connection, with aiohttp's methods; ignores what follows an error.

    ``buffered``: bytes of a body that wait to be read before the client must wait;
    ``most_waiting``: requests that wait for their turn.
    """

    def __init__(
        self,
        protocol: BaseProtocol,
        loop: asyncio.AbstractEventLoop,
        buffered: int,
        most_waiting: int,
    ) -> None:
        self._protocol, self._loop, self._buffered_size = protocol, loop, buffered
        self._buffer = bytearray()
        self._searched = 0
        self._message: RequestMessage | None = None
        self._body: Body | None = None
        self._payload: StreamReader = EMPTY_PAYLOAD
        self._most_waiting, self._waiting = most_waiting, 0
        self._upgraded = self._closes = False
        self.broken = self.body_is_broken = False

    @property
    def held(self) -> int:
        """Bytes that wait for more of them: of a head, or of requests whose turn has not come."""
        return len(self._buffer)

    def feed_data(self, data: bytes) -> Parsed:
        """Requests whose heads are complete, whether another protocol begins, and its bytes.

        Raises RefusedRequestError.
        """
        found: list[tuple[RequestMessage, StreamReader]] = []
        if self.broken:
            return found, False, b""
        self._buffer += data
        try:
            while self._buffer and not self._upgraded and self._step(found):
                pass
        except RefusedRequestError:
            self._break_off()
            raise
        if not self._upgraded:
            return found, False, b""
        tail = bytes(self._buffer)
        self._buffer.clear()
        return found, True, tail

    def _step(self, found: list[tuple[RequestMessage, StreamReader]]) -> bool:
        """Read a head, or a part of a body; False where more bytes are needed."""
        if self._body is not None:
            return self._read_body(self._body)
        if self._closes:  # nothing that follows is processed (RFC 9112, section 9.6)
            self._buffer.clear()
            return False
        if self._waiting >= self._most_waiting:
            return False
        block = self._take_head()
        if not block:
            return False
        message = self._message = parse_request_head(block)
        found.append((message, self._start(message)))
        self._waiting += 1
        return True

    def _take_head(self) -> bytes:
        """The next head, b"" while it is incomplete. Raises RefusedRequestError."""
        buffer = self._buffer
        if buffer[0] in _LINE_ENDS:  # before a request line: RFC 9112, section 2.2
            del buffer[: len(buffer) - len(buffer.lstrip(_LINE_ENDS))]
        end = buffer.find(b"\r\n\r\n", self._searched) + 4
        if end < 4:
            self._check_incomplete()
        elif end > MAX_HEAD:
            raise RefusedRequestError(code=431)
        else:
            block = bytes(buffer[:end])
            del buffer[:end]
            self._searched = 0
            return block
        return b""

    def _check_incomplete(self) -> None:
        """Refuse what cannot become a head; each byte is looked at once."""
        buffer, since = self._buffer, self._searched
        self._searched = max(len(buffer) - 3, 0)
        line_end = buffer.find(b"\r\n", 0, MAX_LINE + 2)
        if line_end < 0 and len(buffer) > MAX_LINE:
            raise RefusedRequestError(code=414)
        if len(buffer) > MAX_HEAD or len(buffer) - buffer.rfind(b"\n") > MAX_LINE + 2:
            raise RefusedRequestError(code=431)
        is_odd = buffer and not _BEGUN.match(buffer, 0, LONGEST_LOOK)
        line = buffer[: line_end + 2].decode("latin-1") if line_end >= since else ""
        if is_odd or (line and not _LINE.match(line)) or _BARE_LF.search(buffer, since):
            raise RefusedRequestError(code=400)

    def _start(self, message: RequestMessage) -> StreamReader:
        self._closes = message.should_close
        if message.method == "CONNECT":
            self._upgraded = True
            return EMPTY_PAYLOAD
        self._body = body_of(message)
        self._closes = message.should_close
        if self._body is None:
            self._upgraded = message.upgrade
            return EMPTY_PAYLOAD
        self._payload = StreamReader(self._protocol, self._buffered_size, loop=self._loop)
        return self._payload

    def _read_body(self, body: Body) -> bool:
        try:
            piece, size = body.feed(bytes(self._buffer))
        except MalformedRequestError:
            self._payload.set_exception(RequestPayloadError("The body's framing is malformed."))
            self._payload.feed_eof()
            self.body_is_broken = True
            self._break_off()
            return False
        del self._buffer[:size]
        self._payload.feed_data(piece)
        if body.done and self._message is not None:
            self._message.trailers = body.trailers
            self._upgraded = self._message.upgrade
            self._body = None
            self._payload.feed_eof()
        return body.done or size > 0

    def _break_off(self) -> None:
        self.broken = True
        self._buffer.clear()

    def message_consumed(self) -> None:
        """A request has had its turn."""
        self._waiting = max(self._waiting - 1, 0)

    def set_upgraded(self, upgraded: bool) -> None:
        """False: the other protocol was declined, so requests follow."""
        self._upgraded = upgraded

    def pause_reading(self) -> None:
        """The transport is paused; what was received already is read all the same."""

    def feed_eof(self) -> None:
        """The client sends no more."""
