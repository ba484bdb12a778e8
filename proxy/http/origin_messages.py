"""Requests to origins and their responses as every room of the proxy exchanges them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.heads import request_head
from winnow.proxy.http.origins import Target

IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
"""Methods that may be sent twice (RFC 9110, section 9.2.2)."""

Permit = Callable[[str, int], bool]
"""Whether an address (as text) and port may be connected to."""


def anywhere(address: str, port: int) -> bool:
    """Permits every address: what a client on this very machine may reach."""
    return bool(address) and port > 0


class RequestBody(Protocol):
    """The body that a client uploads; ``started`` is true once a byte of it was read."""

    @property
    def started(self) -> bool: ...

    def chunks(self) -> AsyncIterator[bytes]: ...


@dataclass(frozen=True)
class OriginRequest:
    """A request to be sent; ``headers`` are the fields as sent, Host and framing included."""

    method: str
    target: Target
    headers: Headers
    body: RequestBody | None = None
    permit: Permit = anywhere

    @cached_property
    def chunked(self) -> bool:
        return "transfer-encoding" in self.headers

    @cached_property
    def upgrade(self) -> bool:
        return "upgrade" in self.headers

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
    """A final response, from the origin or from a cache.

    ``length``: bytes of the body, None where unknown. ``read`` gives the next piece of the body,
    b"" at its end; it raises OriginFaultError where the body is cut short.
    """

    @property
    def head(self) -> ResponseHead: ...

    @property
    def length(self) -> int | None: ...

    async def read(self) -> bytes: ...

    async def aclose(self) -> None: ...


class Sender(Protocol):
    """Sends requests and returns responses. ``send`` raises OriginFaultError."""

    async def send(self, order: OriginRequest) -> OriginResponse: ...

    async def aclose(self) -> None: ...
