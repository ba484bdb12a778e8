"""HTTP/2 connections to origins: each serves many requests at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from cachetools import TTLCache

from winnow.proxy.access.private_addresses import usable
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http2.connection import Http2Connection
from winnow.proxy.server.sockets import read_buffer
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

MOST_REQUESTS: Final = 10_000
"""Requests of one connection; the next one is sent on another."""


REMEMBERED: Final = 4096
"""Origins of which it is remembered, for a day, that they speak HTTP/2, or do not want it."""


class Http2Session:
    """A connection to an origin; closed after ``seconds`` without a stream."""

    def __init__(
        self, opened: OriginConnection, origin: Origin, seconds: float, left: Callable[[], None]
    ) -> None:
        """Takes the connection over. ``left``: called once no more requests are possible."""
        self._loop = asyncio.get_running_loop()
        self.origin, self.peer = origin, opened.peer
        self._seconds, self._left, self._requests = seconds, left, 0
        self._timer: asyncio.TimerHandle | None = None
        self.connection = Http2Connection(read_buffer(self._loop), idle=self._on_idle)
        transport = opened.transport
        transport.set_protocol(self.connection)
        self.connection.connection_made(transport)
        self._on_idle()
        if early := opened.drain():
            self.connection.data_received(early)

    def serves(self, permit: Permit) -> bool:
        """Whether one more request may be sent, by a client that may reach this address."""
        has_room = self.connection.has_room and self._requests < MOST_REQUESTS
        return has_room and bool(usable(self.origin.host, (self.peer,), self.origin.port, permit))

    def on_request(self) -> None:
        """A stream was opened."""
        self._requests += 1
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _on_idle(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self.connection.gone.done():
            self._left()
        else:
            self._timer = self._loop.call_later(self._seconds, self.connection.close)


class Http2Pool:
    """The sessions by origin, and the origins whose first connection is being opened."""

    def __init__(self, seconds: float = 30) -> None:
        self._seconds = seconds
        self._sessions: dict[str, list[Http2Session]] = {}
        self._spoken: TTLCache[str, bool] = TTLCache(REMEMBERED, 86_400)
        self._refused: TTLCache[str, bool] = TTLCache(REMEMBERED, 86_400)
        self._opening: dict[str, asyncio.Future[None]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._sessions.values()))

    def find(self, origin: Origin, permit: Permit) -> Http2Session | None:
        """A session that takes one more request."""
        if self.is_refused(origin):
            return None
        for session in self._sessions.get(origin.key, ()):
            if session.serves(permit):
                return session
        return None

    def refuse(self, origin: Origin) -> None:
        """The origin wants HTTP/1.1 for something: it gets that for everything, for a day."""
        self._refused[origin.key] = True

    def is_refused(self, origin: Origin) -> bool:
        return origin.key in self._refused

    async def wait_for(self, origin: Origin) -> None:
        """Wait while another request opens a connection that this one could use."""
        if opening := self._opening.get(origin.key):
            await asyncio.wait([opening])

    @contextmanager
    def opening(self, origin: Origin) -> Iterator[None]:
        """Have others wait meanwhile, if the origin spoke HTTP/2 before."""
        if origin.key not in self._spoken or origin.key in self._opening:
            yield
            return
        opened = self._opening[origin.key] = asyncio.get_running_loop().create_future()
        try:
            yield
        finally:
            del self._opening[origin.key]
            opened.set_result(None)

    def add(self, opened: OriginConnection, origin: Origin) -> Http2Session:
        """Take a connection over on which HTTP/2 was chosen by ALPN."""
        self._spoken[origin.key] = True

        def left() -> None:
            sessions = self._sessions.get(origin.key, [])
            if session in sessions:
                sessions.remove(session)
            if not sessions:
                self._sessions.pop(origin.key, None)

        session = Http2Session(opened, origin, self._seconds, left)
        self._sessions.setdefault(origin.key, []).append(session)
        return session

    async def aclose(self) -> None:
        """Close them all and wait until they are closed."""
        connections = [each.connection for some in self._sessions.values() for each in some]
        for connection in connections:
            connection.close()
        await asyncio.gather(*(connection.gone for connection in connections))
