"""The way back to the client of an ASGI server."""

from __future__ import annotations

import asyncio

from aiohttp import web

from winnow.features.asgi.app_response import Message, Send
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import RequestBody
from winnow.proxy.server.requests.client_stream import FINISHED, NO_TRAILERS


class AsgiStream:
    """A ClientStream without a body of the request and without interim responses."""

    def __init__(self, head: RequestHead, send: Send, *, secure: bool) -> None:
        self.head, self.secure, self.keep_alive = head, secure, True
        self._send = send
        self._pending: list[Message] = []

    def body(self) -> RequestBody | None:
        return None

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        fields = headers.fields if length is None else (*headers, ("content-length", str(length)))
        raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in fields]
        self._pending = [{"type": "http.response.start", "status": status, "headers": raw}]

    async def write(self, chunk: bytes) -> None:
        await self._body(chunk, more=True)

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        await self._body(b"", more=False)
        return FINISHED[True]

    async def _body(self, body: bytes, *, more: bool) -> None:
        begun, self._pending = self._pending, []
        for event in (*begun, {"type": "http.response.body", "body": body, "more_body": more}):
            await self._send(event)

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        """Servers differ in whether they can."""

    def break_off(self) -> web.StreamResponse:
        """The server tells its client, as the response has no end."""
        return FINISHED[False]

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        raise ConnectionResetError("No other protocol follows a GET by ASGI.")

    def let_go(self) -> web.StreamResponse:
        return FINISHED[False]
