"""aiohttp's request parser with bounds: of the head, of a line, of the number of fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from aiohttp.http_parser import HttpParser
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader

MAX_HEAD: Final = 256 * 1024
"""Bytes of a request line and its fields; one more read of PIECE bytes may complete it."""
MAX_LINE: Final = 64 * 1024
"""Bytes of a request target, and of a field."""
MAX_FIELDS: Final = 1000

_TOO_MANY_FIELDS: Final = "Too many headers received"
"""aiohttp's message, which has no exception class of its own."""

Parsed = tuple[Sequence[tuple[Any, StreamReader]], bool, bytes]


class RefusedRequestError(HttpProcessingError):
    """A request that is malformed or too large: ``code`` is 400, 414 or 431. Quotes nothing."""


class BoundedParser:
    """aiohttp's parser of one connection, with MAX_HEAD enforced while bytes arrive.

    After an error it ignores all input.
    """

    def __init__(self, parser: HttpParser[Any]) -> None:
        self._parser = parser
        self._body: StreamReader = EMPTY_PAYLOAD
        self._head = 0
        self._line_has_ended = False
        self.broken = False
        self.pause_reading = parser.pause_reading
        self.message_consumed = parser.message_consumed
        self.feed_eof = parser.feed_eof
        self.set_upgraded = parser.set_upgraded

    def feed_data(self, data: bytes) -> Parsed:
        """As aiohttp's. Raises RefusedRequestError."""
        if self.broken:
            return (), False, b""
        try:
            parsed: Parsed = self._parser.feed_data(data)
        except HttpProcessingError as error:
            raise self._refusal(self._code(error)) from None
        if parsed[0]:
            self._body, self._head, self._line_has_ended = parsed[0][-1][1], 0, False
        elif self._body.is_eof():
            self._count(data)
        return parsed

    def _count(self, data: bytes) -> None:
        """Count bytes of an incomplete head."""
        self._head += len(data)
        self._line_has_ended = self._line_has_ended or b"\n" in data.lstrip(b"\r\n")
        if self._head > MAX_HEAD:
            raise self._refusal(431)

    def _refusal(self, code: int) -> RefusedRequestError:
        self.broken = True
        return RefusedRequestError(code=code)

    def _code(self, error: HttpProcessingError) -> int:
        if isinstance(error, LineTooLong):
            return 431 if self._line_has_ended else 414
        return 431 if error.message == _TOO_MANY_FIELDS else 400
