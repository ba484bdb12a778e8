"""Which app answers by now, and the requests that each still serves.

Reloaded settings apply from the next request on, on any connection. At the end each client gets
``Connection: close`` with its next response, so that no request is lost. Before a newer process
opens the stores, a client that changes what is stored is sent to it by 307, which keeps the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, cast
from weakref import WeakSet

from aiohttp import web

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.server.connection import ClientConnection
from winnow.proxy.server.requests.exchange import Exchange

LINGER = 1.0
"""Seconds in which a client may send one more request before its idle connection is closed."""


class RequestHandler(Protocol):
    """Answers requests."""

    async def handle(self, exchange: Exchange) -> web.StreamResponse: ...


class Handover:
    """``app`` answers all requests from now on; None: the one that is passed to ``handle``."""

    def __init__(self) -> None:
        self.app: RequestHandler | None = None
        self.begun = self.rests = False
        self._ending = False
        self._active: dict[Exchange, RequestHandler] = {}
        self._tasks: dict[Exchange, asyncio.Task[object] | None] = {}
        self._withdrawn: set[Exchange] = set()
        self._servers: WeakSet[web.Server] = WeakSet()
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def not_ready(self) -> str:
        """Why a load balancer should send nothing here; "" if it should."""
        return "stopping" if self._ending else "" if self.begun else "starting"

    @property
    def tunnels(self) -> int:
        """Tunnels that are open, intercepted ones included."""
        return sum(exchange.head.method == "CONNECT" for exchange in self._active)

    def drain(self) -> None:
        """Say that it stops, and have each connection end after its next response."""
        self._ending = True
        for exchange in self._active:
            exchange.keep_alive = False

    def add(self, server: web.Server) -> None:
        """Close the idle connections of this server, too, in ``end``."""
        self._servers.add(server)

    async def handle(self, exchange: Exchange, default: RequestHandler) -> web.StreamResponse:
        """Have the current app answer the request."""
        app = self.app or default
        self._active[exchange], self._tasks[exchange] = app, asyncio.current_task()
        if self._ending:
            exchange.keep_alive = False
        try:
            return await app.handle(exchange)
        except asyncio.CancelledError:
            if exchange not in self._withdrawn:
                raise
            return exchange.break_off()
        finally:
            del self._active[exchange], self._tasks[exchange]
            self._withdrawn.discard(exchange)
            if self._waiters:
                self._wake()

    def withdraw(self, is_withdrawn: Callable[[RequestHead], bool]) -> None:
        """Break off what has begun for those who are not let in any more."""
        for exchange, task in self._tasks.items():
            if task and is_withdrawn(exchange.head):
                self._withdrawn.add(exchange)
                task.cancel()

    async def wait_for(self, app: RequestHandler) -> bool:
        """Wait until an app serves no request but tunnels, which need nothing of it."""

        def busy() -> bool:
            active = self._active.items()
            return any(by is app and each.head.method != "CONNECT" for each, by in active)

        return await self._wait_while(busy, None)

    async def wait_for_heads(self, seconds: float) -> bool:
        """Wait until each response has begun, which no worker and no cache can change any more."""
        await asyncio.sleep(LINGER)  # connections may bring one more request
        return await self._wait_while(lambda: not all(e.started for e in self._active), seconds)

    async def rest(self, seconds: float) -> None:
        """Have those sent away who change what is stored; wait for the changes under way."""
        self.rests = True
        for connection in [one for server in self._servers for one in server.connections]:
            cast(ClientConnection, connection).leave_http2()
        await self._wait_while(lambda: any(each.changes for each in self._active), seconds)

    async def end(self, seconds: float, linger: float = LINGER) -> bool:
        """Have each connection end after its next response; False if some were still active.

        Tunnels count too. Waits for ``seconds`` at most.
        """
        self.drain()
        begun = asyncio.get_running_loop().time()
        await self._wait_while(
            lambda: any(server.connections for server in self._servers), min(linger, seconds)
        )
        for server in list(self._servers):
            server.pre_shutdown()
        left = seconds - (asyncio.get_running_loop().time() - begun)
        return await self._wait_while(lambda: bool(self._active), max(left, 0))

    async def _wait_while(self, busy: Callable[[], bool], seconds: float | None) -> bool:
        """Whether ``busy``, called after each request, was false within ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                while busy():
                    waiter = asyncio.get_running_loop().create_future()
                    self._waiters.append(waiter)
                    await waiter
        except TimeoutError:
            return not busy()
        return True

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.get_loop().call_soon(_resolve, waiter)


def _resolve(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
