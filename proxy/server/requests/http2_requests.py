"""Serves the streams that a client opens, each in a task of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Final

from aiohttp import web
from h2.errors import ErrorCodes

from winnow.proxy.access.memory_account import MemoryFullError
from winnow.proxy.access.requester import log_failure
from winnow.proxy.http2.connection import Http2Connection
from winnow.proxy.http2.fields import MalformedFieldsError, RawFields, section
from winnow.proxy.http2.protocol import MAX_REQUEST_SECTION
from winnow.proxy.http2.stream import Http2Stream
from winnow.proxy.server.requests.client_limits import KEEPALIVE_SECONDS
from winnow.proxy.server.requests.client_stream import ClientStream, ServerContext
from winnow.proxy.server.requests.http2_stream import Http2ClientStream, head_of, is_secure, peer_of
from winnow.proxy.server.requests.refusal_responses import refusal_parts
from winnow.proxy.server.requests.request_parser import MAX_FIELDS

Answer = Callable[[ClientStream], Awaitable[web.StreamResponse]]
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a client's connection begins with (RFC 9113, section 3.4)."""


class Http2Requests:
    """One connection of a client; ``connection`` is its protocol."""

    def __init__(
        self,
        transport: asyncio.Transport,
        answer: Answer,
        context: ServerContext,
        *,
        idle_seconds: float = KEEPALIVE_SECONDS,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport, self._answer, self._context = transport, answer, context
        self._idle_seconds = idle_seconds
        self._held = context.holding(transport)
        self._tasks: set[asyncio.Task[object]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.connection = Http2Connection(
            memoryview(b""),
            self._opened,
            idle=self._on_idle,
            stalled_seconds=context.stalled,
            held=self._held,
        )
        self.connection.connection_made(transport)
        self._on_idle()

    def _opened(self, stream: Http2Stream, raw: RawFields) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        fields = list(raw)
        if refused := self._refused(fields, stream.section_size):
            stream.section_size = 0  # nothing is kept of it
            self._refuse(stream, refused)
            return
        try:
            head = head_of(
                fields,
                self._context,
                peer_of(self._transport),
                secure=is_secure(self._transport),
                ended=stream.ended,
            )
        except MalformedFieldsError:
            self._refuse(stream, 400)
            return
        client = Http2ClientStream(stream, head, self._transport, self._context)
        self._start(stream, self._serve(client))

    def _refused(self, fields: list[tuple[bytes, bytes]], size: int) -> int:
        """The status of a section that cannot be held; of any other 0, and it is booked."""
        if len(fields) > MAX_FIELDS or size > MAX_REQUEST_SECTION:
            return 431
        try:
            self._held.grow(size)
        except MemoryFullError as error:
            return 431 if error.status == 413 else error.status
        return 0

    def _start(self, stream: Http2Stream, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(log_failure)
        stream.on_abort = task.cancel

    async def _serve(self, client: Http2ClientStream) -> None:
        try:
            await self._answer(client)
        except ConnectionError:
            pass  # the client has left
        finally:
            await client.aclose()

    def _refuse(self, stream: Http2Stream, status: int) -> None:
        """Answer a malformed or oversized request; after 400 its stream is reset (8.1.1)."""
        self.connection.on_fault()
        self._start(stream, self._send_refusal(stream, status))

    async def _send_refusal(self, stream: Http2Stream, status: int) -> None:
        headers, body = refusal_parts(status)
        with suppress(ConnectionError):
            await stream.send_section(section(((":status", str(status)),), headers))
            await stream.send(body)
            if status != 400:
                stream.finish()
        stream.close(ErrorCodes.PROTOCOL_ERROR if status == 400 else ErrorCodes.NO_ERROR)

    def _on_idle(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self.connection.gone.done():
            self._timer = self._loop.call_later(self._idle_seconds, self.connection.close)

    async def shutdown(self) -> None:
        """End all streams and wait for their tasks."""
        self.connection.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
