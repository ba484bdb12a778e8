"""Accepts connections within their limits; stops without losing those that wait in the queue."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import cast

from winnow.proxy.server.balancers import NO_BALANCERS, client_behind
from winnow.proxy.server.connection import ConnectionServer
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.proxy_protocol import ProxyHeaderError
from winnow.proxy.server.requests.refusal_responses import TOO_MANY_CONNECTIONS
from winnow.proxy.server.sockets import STALLED_SECONDS, peer_address, set_client_options

_LOG = logging.getLogger("winnow.listener")
BACKLOG = 1024
ACCEPTS_PER_TURN = 32
"""Connections that are accepted before the loop does something else."""
MOST_REFUSALS = 64
"""Connections above the limits that are sent a 503 at the same time; others are just closed."""
HANDSHAKE_SECONDS = 20.0
"""For a client's TLS handshake with the listener itself."""


async def send_refusal(connection: socket.socket) -> None:
    """Send 503 and let the client read it before the connection ends."""
    loop = asyncio.get_running_loop()
    with connection, suppress(OSError, TimeoutError):
        async with asyncio.timeout(1):
            await loop.sock_sendall(connection, TOO_MANY_CONNECTIONS)
            connection.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(connection, 65536):
                pass


class Listener:
    """Accepts for ``server`` from groups of sockets, each with a number.

    asyncio's own servers would lose connections that arrive while they close.
    """

    def __init__(
        self,
        server: Callable[[], asyncio.BaseProtocol],
        tls: ssl.SSLContext | None = None,
        connection_limits: ConnectionLimits | None = None,
        stalled_seconds: float = STALLED_SECONDS,
        handshake_seconds: float = HANDSHAKE_SECONDS,
    ) -> None:
        """``connection_limits``: the server's; a connection counts before its TLS handshake."""
        self._server, self._tls, self._connection_limits = server, tls, connection_limits
        self._stalled_seconds, self._handshake_seconds = stalled_seconds, handshake_seconds
        self.balancers = NO_BALANCERS
        """Where they send PROXY headers, the server is a ConnectionServer."""
        self._refusing = 0
        self._groups: dict[int, Sequence[socket.socket]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def accept(self, sockets: Sequence[socket.socket], group: int = 0) -> None:
        """Accept from sockets, which this object closes. Raises OSError if one is taken."""
        for each in sockets:
            each.listen(BACKLOG)
        self._groups[group] = sockets
        self._resume(group)

    def leave(self, *groups: int) -> None:
        """Close groups, or all; another process that has the same sockets accepts from them."""
        for group in groups or [*self._groups]:
            for each in self._groups.pop(group, ()):
                asyncio.get_running_loop().remove_reader(each)
                each.close()

    @property
    def sockets(self) -> list[socket.socket]:
        return [one for sockets in self._groups.values() for one in sockets]

    def rest(self) -> None:
        """Leave connections in the queue, until ``resume`` or for another process."""
        for each in self.sockets:
            asyncio.get_running_loop().remove_reader(each)

    def resume(self) -> None:
        for group in self._groups:
            self._resume(group)

    async def close(self) -> None:
        """Accept what is queued already, then close all sockets."""
        loop = asyncio.get_running_loop()
        for each in self.sockets:
            loop.remove_reader(each)
            with suppress(OSError):
                while True:
                    self._accept_one(each)
            each.close()
        self._groups.clear()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _resume(self, group: int) -> None:
        for each in self._groups.get(group, ()):
            asyncio.get_running_loop().add_reader(each, self._accept_some, each, group)

    def _accept_some(self, listener: socket.socket, group: int) -> None:
        """Accept a bounded number; the loop calls again while more are queued."""
        try:
            for _ in range(ACCEPTS_PER_TURN):
                self._accept_one(listener)
        except (BlockingIOError, ConnectionError):
            return
        except OSError as error:  # no file descriptor is free: open connections go on
            _LOG.error("No more connections for a second: %s", error.strerror)
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(1.0, self._resume, group)

    def _accept_one(self, listener: socket.socket) -> None:
        """Raises BlockingIOError where the queue is empty, OSError where accepting fails."""
        connection, peer = listener.accept()
        connection.setblocking(False)
        address = peer_address(peer)
        peer_is_balancer = self.balancers.has(address)
        if not self._is_counted(connection, "" if peer_is_balancer else address):
            work = self._refuse(connection)
        elif peer_is_balancer and self.balancers.sends_header:
            work = self._serve_claimed(connection)
        else:
            work = self._serve(connection)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_counted(self, connection: socket.socket, client: str) -> bool:
        """Count the connection; False if it is above the limits."""
        limits, number = self._connection_limits, connection.fileno()
        if limits is None:
            return True
        limits.remove(number)  # counted for no address until its PROXY header was read
        if limit := limits.full_for(client):
            limits.on_refusal(limit)
            return False
        limits.add(number, client)
        return True

    async def _refuse(self, connection: socket.socket) -> None:
        """Send 503, or close at once while too many are sent that already."""
        if self._refusing >= MOST_REFUSALS:
            return connection.close()
        self._refusing += 1
        try:
            await send_refusal(connection)
        finally:
            self._refusing -= 1

    async def _serve_claimed(self, connection: socket.socket) -> None:
        """Serve the client whom the connection's PROXY header names."""
        try:
            client = await client_behind(connection)
        except (ProxyHeaderError, OSError) as error:  # TimeoutError among them
            _LOG.debug("A trusted proxy's connection had no PROXY header: %s", error)
            self._end_unclaimed(connection, is_counted=not isinstance(error, ConnectionError))
            return None
        if not self._is_counted(connection, client):
            return await self._refuse(connection)
        return await self._serve(connection, client)

    def _end_unclaimed(self, connection: socket.socket, *, is_counted: bool) -> None:
        """A check that connects and sends nothing is not counted."""
        if self._connection_limits is not None:
            self._connection_limits.remove(connection.fileno())
            if is_counted:
                self._connection_limits.on_refusal("proxy_header")
        connection.close()

    async def _serve(self, connection: socket.socket, client: str | None = None) -> None:
        """``client``: whom the PROXY header named, None where there is none."""
        loop, number = asyncio.get_running_loop(), connection.fileno()
        made = self._server
        if client is not None:
            made = partial(cast(ConnectionServer, self._server), client)
        timeout = {"ssl_handshake_timeout": self._handshake_seconds} if self._tls else {}
        try:
            set_client_options(connection, self._stalled_seconds)
            await loop.connect_accepted_socket(made, connection, ssl=self._tls, **timeout)
        except OSError as error:  # ssl.SSLError among them
            if self._connection_limits is not None:
                self._connection_limits.remove(number)
            connection.close()
            _LOG.debug("A client closed its connection during the handshake: %s", error)
