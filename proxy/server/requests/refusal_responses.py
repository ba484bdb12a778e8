"""Responses to what is no readable request: plain text that quotes nothing of it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter

from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import response_head

LINGER: Final = 1.0
"""Seconds in which a client that still sends may read the response: closing would reset it."""
RETRY_SECONDS: Final = 5
"""Retry-After of a connection above the limits."""

_REASONS: Final = {
    400: ("malformed-request", "This is no request that HTTP allows."),
    408: ("request-timeout", "The head of the request took too long."),
    414: ("target-too-long", "The address is longer than 64 kB."),
    431: (
        "head-too-large",
        "A header field is larger than 64 kB, or all are larger than 256 kB (64 kB over HTTP/2).",
    ),
    500: ("internal-error", "Winnow failed to answer this request."),
    503: (
        "too-many-connections",
        f"Winnow has too many connections now. Try again in {RETRY_SECONDS} seconds.",
    ),
}


def refusal_parts(status: int, *more: Field) -> tuple[Headers, bytes]:
    """Fields and body of a response that ends the connection."""
    reason, message = _REASONS[status]
    body = f"{message}\n".encode()
    fields = (
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
        ("Winnow-Action", "original"),
        ("Winnow-Reason", reason),
        *more,
    )
    return Headers(fields), body


def refusal(status: int, *more: Field) -> bytes:
    """A whole response that ends the connection; 500 for a status that has no message here."""
    status = status if status in _REASONS else 500
    headers, body = refusal_parts(status, *more)
    return response_head(status, HTTPStatus(status).phrase, headers) + body


TOO_MANY_CONNECTIONS: Final = refusal(503, ("Retry-After", str(RETRY_SECONDS)))


class Refusal(web.StreamResponse):
    """aiohttp's response to what it could not parse: sends ``refusal`` and waits to be read."""

    def __init__(self, status: int) -> None:
        super().__init__(status=status)
        self._keep_alive = False

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        transport = request.transport
        if transport is not None and not transport.is_closing():
            transport.write(refusal(self.status))
            if transport.can_write_eof():
                with suppress(OSError):  # the client may have gone: nobody is told
                    transport.write_eof()
            await asyncio.sleep(LINGER)  # cancelled when the client closes
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        self._eof_sent = True
