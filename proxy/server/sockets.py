"""Sockets of clients' connections: bound, their options, and the buffer that they are read into."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import sys
import termios
from collections.abc import Iterable
from typing import Any, Final
from weakref import WeakKeyDictionary

STALLED_SECONDS: Final = 60.0
"""After so long without taking a byte of what we send a client is cut off (nginx: send_timeout)."""
KEEPALIVE: Final = ((socket.TCP_KEEPIDLE, 60), (socket.TCP_KEEPINTVL, 15), (socket.TCP_KEEPCNT, 4))
"""Probes of a silent connection: one whose peer is gone ends after some two minutes."""
_SIOCOUTQ: Final = termios.TIOCOUTQ
READ_BUFFER_SIZE: Final = 64 * 1024
_BUFFERS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, memoryview]] = WeakKeyDictionary()


def bind_sockets(host: str, port: int, *, shared: bool = False) -> list[socket.socket]:
    """A socket for each address of ``host``, all at one port; 0 takes a free one.

    ``shared``: others may bind the same port, and the kernel distributes the connections
    (SO_REUSEPORT). Raises OSError if an address is taken.
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


def opened(files: Iterable[int]) -> list[socket.socket]:
    """The sockets of open files that another process passed; child processes do not get them."""
    sockets = [socket.socket(fileno=each) for each in files]
    for each in sockets:
        each.set_inheritable(False)
        each.setblocking(False)
    return sockets


def check_free(host: str, port: int) -> None:
    """Raises OSError if somebody listens there, be it on a shared port."""
    for each in bind_sockets(host, port):
        with each:
            each.listen()


def peer_address(peer: Any) -> str:
    """The IP address in a socket's ``peername``, an IPv4-mapped one as IPv4; "" without one."""
    return str(peer[0]).partition("%")[0].removeprefix("::ffff:") if peer else ""


def bound_stall(connection: socket.socket, seconds: float) -> None:
    """End a connection whose peer acknowledges nothing, or has no room, for ``seconds`` (RFC 5482).

    0 is no bound of our own: an unreachable peer is given up by the system's retransmissions.
    """
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def bound_stall_of(transport: asyncio.BaseTransport, seconds: float) -> None:
    """``bound_stall`` of a transport's socket; one that is closed already needs none."""
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0 and connection.family != socket.AF_UNIX:
        bound_stall(connection, seconds)


def set_client_options(connection: socket.socket, stalled_seconds: float) -> None:
    """Bounds for an accepted connection. Raises OSError if it is gone already."""
    bound_stall(connection, stalled_seconds)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


def read_buffer(loop: asyncio.AbstractEventLoop) -> memoryview:
    """READ_BUFFER_SIZE bytes that all connections of a loop share.

    A loop fills it and calls ``buffer_updated`` in one step, so its connections never conflict.
    Loops run in threads of their own, so each has its own buffer.
    """
    found = _BUFFERS.get(loop)
    if found is None:
        found = _BUFFERS[loop] = memoryview(bytearray(READ_BUFFER_SIZE))
    return found


def unread(transport: asyncio.Transport) -> int:
    """Bytes that wait for the peer, in our buffer and the kernel's (Linux, tcp(7), SIOCOUTQ)."""
    connection, kernel = transport.get_extra_info("socket"), bytes(4)
    if connection is not None and connection.fileno() >= 0:
        kernel = fcntl.ioctl(connection.fileno(), _SIOCOUTQ, kernel)
    return transport.get_write_buffer_size() + int.from_bytes(kernel, sys.byteorder)


def reset_at_close(connection: socket.socket) -> None:
    """Let a connection that is closed take with it what its peer has not read (socket(7))."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
