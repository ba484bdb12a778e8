"""Which front answers by now, and which requests each still has under way; reads no request.

Settings that were read again take effect with the next request, on whatever connection it comes; a
proxy that is to end tells each client with its next reply, so that no request is lost on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol
from weakref import WeakSet

from aiohttp import web

from winnow.proxy.server.exchange import Exchange

LINGER = 1.0
"""Seconds in which a client may send one more request before its idle connection is closed."""


class RequestHandler(Protocol):
    """Whatever answers requests."""

    async def handle(self, exchange: Exchange) -> web.StreamResponse: ...


class Handover:
    """``front`` answers all requests from now on; None leaves them to whom they came to."""

    def __init__(self) -> None:
        self.front: RequestHandler | None = None
        self._ending = False
        self._under_way: dict[Exchange, RequestHandler] = {}
        self._servers: WeakSet[web.Server] = WeakSet()
        self._waiting: list[asyncio.Future[None]] = []

    def watch(self, server: web.Server) -> None:
        """Close the idle connections of this server, too, when the end has come."""
        self._servers.add(server)

    async def handle(self, exchange: Exchange, usual: RequestHandler) -> web.StreamResponse:
        """Have the request answered by the front of now."""
        front = self.front or usual
        self._under_way[exchange] = front
        if self._ending:
            exchange.keep_alive = False
        try:
            return await front.handle(exchange)
        finally:
            del self._under_way[exchange]
            self._tell()

    async def left_by(self, front: RequestHandler, seconds: float) -> bool:
        """Wait until a front has no request under way but tunnels, which need nothing of it."""

        def busy() -> bool:
            known = self._under_way.items()
            return any(by is front and each.head.method != "CONNECT" for each, by in known)

        return await self._until(busy, seconds)

    async def end(self, seconds: float, linger: float = LINGER) -> bool:
        """Have each connection end after its next reply; True once none has a request under way.

        False: some, tunnels among them, were still under way after ``seconds``.
        """
        self._ending = True
        for exchange in self._under_way:
            exchange.keep_alive = False
        begun = asyncio.get_running_loop().time()
        await self._until(lambda: any(map(_open, self._servers)), min(linger, seconds))
        for server in list(self._servers):
            server.pre_shutdown()
        left = seconds - (asyncio.get_running_loop().time() - begun)
        return await self._until(lambda: bool(self._under_way), max(left, 0))

    async def _until(self, busy: Callable[[], bool], seconds: float) -> bool:
        """Wait until nothing is busy; it is looked at whenever a request has ended."""
        try:
            async with asyncio.timeout(seconds):
                while busy():
                    turn = asyncio.get_running_loop().create_future()
                    self._waiting.append(turn)
                    await turn
        except TimeoutError:
            return not busy()
        return True

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.get_loop().call_soon(_settle, turn)


def _settle(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


def _open(server: web.Server) -> Iterable[object]:
    return server.connections
