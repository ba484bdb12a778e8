"""Listener sockets: bound, accepted from, and given up without losing who waits in their queue."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from aiohttp import web

from winnow.proxy.server.connection_limits import TURNED_AWAY, ConnectionLimits
from winnow.proxy.server.socket_options import STALLED_SECONDS, set_client_options

_LOG = logging.getLogger("winnow.listening")
BACKLOG = 1024
AT_ONCE = 32
"""Connections that are accepted before the loop does something else."""
TURNED_AWAY_AT_ONCE = 64
"""Connections beyond the bounds that are told so; further ones are closed without a word."""
HANDSHAKE_SECONDS = 20.0
"""For a client's TLS handshake with the listener itself."""


def bound(host: str, port: int, *, shared: bool = False) -> list[socket.socket]:
    """A socket for each address of ``host``, all at one port; 0 takes a free one.

    ``shared``: others may bind the same port, and the kernel gives each its part of the
    connections (SO_REUSEPORT). Raises OSError if an address is taken.
    """
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            at = port or (sockets[0].getsockname()[1] if sockets else 0)
            sockets.append(socket.socket(family, kind, protocol))
            _bind(sockets[-1], (address[0], at, *address[2:]), shared)
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


def _bind(fresh: socket.socket, address: tuple[object, ...], shared: bool) -> None:
    fresh.setblocking(False)
    fresh.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        fresh.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if fresh.family == socket.AF_INET6:
        fresh.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    fresh.bind(address)


def probe(host: str, port: int) -> None:
    """Raises OSError if somebody listens there, be it on a shared port."""
    for each in bound(host, port):
        with each:
            each.listen()


def client_of(peer: Any) -> str:
    """The address of a socket's peer, an IPv4-mapped one as IPv4; "" where it is gone."""
    return str(peer[0]).partition("%")[0].removeprefix("::ffff:") if peer else ""


async def turn_away(connection: socket.socket) -> None:
    """Say when to try again, and let the client read that before the connection ends."""
    loop = asyncio.get_running_loop()
    with connection, suppress(OSError, TimeoutError):
        async with asyncio.timeout(1):
            await loop.sock_sendall(connection, TURNED_AWAY)
            connection.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(connection, 65536):
                pass


class Listener:
    """Hands what connects to sockets to ``server``; groups of sockets are known by a number.

    It accepts by itself, since the loops' own servers lose who connects while they close.
    """

    def __init__(
        self,
        server: web.Server,
        tls: ssl.SSLContext | None = None,
        connection_limits: ConnectionLimits | None = None,
        stalled_seconds: float = STALLED_SECONDS,
        handshake_seconds: float = HANDSHAKE_SECONDS,
    ) -> None:
        """``connection_limits``: the server's; a connection counts before its TLS handshake."""
        self._server, self._tls, self._connection_limits = server, tls, connection_limits
        self._stalled_seconds, self._handshake_seconds = stalled_seconds, handshake_seconds
        self._turning_away = 0
        self._open: dict[int, Sequence[socket.socket]] = {}
        self._taking: set[asyncio.Task[None]] = set()

    def accept(self, sockets: Sequence[socket.socket], group: int = 0) -> None:
        """Accept from sockets, which are ours from now on. Raises OSError if one is taken."""
        for each in sockets:
            each.listen(BACKLOG)
        self._open[group] = sockets
        self._resume(group)

    def leave(self, group: int) -> None:
        """Accept from these no longer; somebody else does, who holds the same sockets."""
        for each in self._open.pop(group, ()):
            asyncio.get_running_loop().remove_reader(each)
            each.close()

    async def close(self) -> None:
        """Accept what waits already, then from nowhere any more."""
        loop = asyncio.get_running_loop()
        for each in [one for sockets in self._open.values() for one in sockets]:
            loop.remove_reader(each)
            with suppress(OSError):
                while True:
                    self._take(each)
            each.close()
        self._open.clear()
        await asyncio.gather(*self._taking, return_exceptions=True)

    def _resume(self, group: int) -> None:
        for each in self._open.get(group, ()):
            asyncio.get_running_loop().add_reader(each, self._ready, each, group)

    def _ready(self, listener: socket.socket, group: int) -> None:
        """Accept some; the loop calls again while there are more."""
        try:
            for _ in range(AT_ONCE):
                self._take(listener)
        except (BlockingIOError, ConnectionError):
            return
        except OSError as error:  # no file is left to be opened: those that are there go on
            _LOG.error("No more connections for a second: %s", error.strerror)
            loop = asyncio.get_running_loop()
            loop.remove_reader(listener)
            loop.call_later(1.0, self._resume, group)

    def _take(self, listener: socket.socket) -> None:
        """Raises BlockingIOError where nobody waits, OSError where nobody can be taken."""
        connection, peer = listener.accept()
        connection.setblocking(False)
        if self._counted(connection, client_of(peer)):
            work = self._serve(connection)
        elif self._turning_away < TURNED_AWAY_AT_ONCE:
            work = self._turn_away(connection)
        else:
            return connection.close()
        task = asyncio.create_task(work)
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)
        return None

    def _counted(self, connection: socket.socket, client: str) -> bool:
        """Whether a client may have one connection more, which counts from now on."""
        if self._connection_limits is None:
            return True
        if self._connection_limits.is_full_for(client):
            return False
        self._connection_limits.came(connection.fileno(), client)
        return True

    async def _turn_away(self, connection: socket.socket) -> None:
        self._turning_away += 1
        try:
            await turn_away(connection)
        finally:
            self._turning_away -= 1

    async def _serve(self, connection: socket.socket) -> None:
        loop, number = asyncio.get_running_loop(), connection.fileno()
        within = {"ssl_handshake_timeout": self._handshake_seconds} if self._tls else {}
        try:
            set_client_options(connection, self._stalled_seconds)
            await loop.connect_accepted_socket(self._server, connection, ssl=self._tls, **within)
        except OSError as error:  # ssl.SSLError among them
            if self._connection_limits is not None:
                self._connection_limits.left(number)
            connection.close()
            _LOG.debug("A client broke off while it connected: %s", error)
