"""Heads as bytes, requests to origins and their responses (RFC 9112, sections 2 to 5).

The only module that writes heads. Each has exactly the lines it was given: CR, LF or NUL in a
method, target, phrase or field raises MalformedHeadError.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Protocol

from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.proxy_errors import MalformedHeadError
from winnow.proxy.http.request_target import Target

_TOKENS: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]*\Z")
_METHOD_AND_TARGET: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+ [!-~\x80-\xff]+ HTTP/1\.1\Z")

IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
"""Methods that may be sent twice (RFC 9110, section 9.2.2)."""

Permit = Callable[[str, int], bool]
"""Whether an address (as text) and port may be connected to."""


Interim = Callable[[int, Headers], Awaitable[None]]
"""Called with status and fields of each interim response but 100 and 101 (RFC 9110, 15.2)."""


def anywhere(address: str, port: int) -> bool:
    """Permits every address, as for clients on this machine."""
    return bool(address) and port > 0


def request_head(method: str, target: str, headers: Headers) -> bytes:
    """Request line, fields and the empty line. Raises MalformedHeadError.

    ``target`` is any form of request target (RFC 9112, section 3.2), as Latin-1 text.
    """
    line = f"{method} {target} HTTP/1.1"
    if not _METHOD_AND_TARGET.match(line):
        raise MalformedHeadError("A request line would have been malformed.")
    return _head(line, headers)


def response_head(status: int, phrase: str, headers: Headers) -> bytes:
    """Status line, fields and the empty line. Raises MalformedHeadError.

    ``phrase`` may be empty.
    """
    if not 100 <= status <= 999:
        raise MalformedHeadError("A status code would have been malformed.")
    return _head(f"HTTP/1.1 {status} {phrase}", headers)


def field_lines(headers: Headers) -> bytes:
    """Fields and the empty line, as a trailer section. Raises MalformedHeadError."""
    return _head("", headers)[2:]


def _head(line: str, headers: Headers) -> bytes:
    """Counts line ends, which is cheaper than a look at each field."""
    fields = headers.fields
    text = "".join([line, "\r\n", *[f"{name}: {value}\r\n" for name, value in fields], "\r\n"])
    lines = len(fields) + 2
    if text.count("\n") != lines or text.count("\r") != lines or "\0" in text:
        raise MalformedHeadError("A header field would have held a line end.")
    if "\n:" in text or not _TOKENS.match("".join([name for name, _ in fields])):
        raise MalformedHeadError("A field name would have been malformed.")
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        raise MalformedHeadError("A header field would have held more than bytes.") from error


class RequestBody(Protocol):
    """The body that a client uploads; ``started`` once reading has begun.

    ``trailers`` are those received, once it was read to its end.
    """

    @property
    def started(self) -> bool: ...

    @property
    def trailers(self) -> Headers: ...

    def chunks(self) -> AsyncIterator[bytes]: ...


@dataclass(frozen=True)
class OriginRequest:
    """A request to be sent; ``headers`` are the fields as sent, Host and framing included."""

    method: str
    target: Target
    headers: Headers
    body: RequestBody | None = None
    permit: Permit = anywhere
    interim: Interim | None = field(default=None, compare=False)

    @cached_property
    def chunked(self) -> bool:
        return "transfer-encoding" in self.headers

    @cached_property
    def upgrade(self) -> bool:
        return "upgrade" in self.headers

    @property
    def is_websocket(self) -> bool:
        """Whether the upgrade is to a WebSocket (RFC 6455)."""
        return self.headers.get("upgrade").lower() == "websocket"

    @property
    def expects(self) -> bool:
        """Whether the body waits for 100 Continue (RFC 9110, section 10.1.1)."""
        return self.body is not None and "expect" in self.headers

    @cached_property
    def head(self) -> bytes:
        """The head in origin form (RFC 9112, section 3.2.1). Raises MalformedHeadError."""
        return request_head(self.method, self.target.path, self.headers)

    def proxy_head(self, fields: tuple[Field, ...]) -> bytes:
        """The head in absolute form for the next proxy (RFC 9112, section 3.2.2), with ``fields``.

        Raises MalformedHeadError.
        """
        return request_head(self.method, self.target.url, self.headers.plus(*fields))

    @property
    def repeatable(self) -> bool:
        """May be sent once more on a fresh connection (RFC 9112, section 9.3.1)."""
        return self.method in IDEMPOTENT and (self.body is None or not self.body.started)


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """The status line and the fields of a response."""

    status: int
    reason: str
    headers: Headers
    version: tuple[int, int] = (1, 1)


class OriginResponse(Protocol):
    """A final response, from the origin or a cache.

    ``length``: bytes of the body, None where unknown. ``read`` gives the next piece of the body,
    b"" at its end, after which ``trailers`` are those received. It raises OriginFaultError where
    the body is cut short.
    """

    @property
    def head(self) -> ResponseHead: ...

    @property
    def length(self) -> int | None: ...

    @property
    def trailers(self) -> Headers: ...

    async def read(self) -> bytes: ...

    async def aclose(self) -> None: ...


class Sender(Protocol):
    """Sends requests and returns responses. ``send`` raises OriginFaultError."""

    async def send(self, order: OriginRequest) -> OriginResponse: ...

    async def aclose(self) -> None: ...
