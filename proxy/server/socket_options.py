"""Socket options of clients' connections: the kernel ends those whose client takes nothing."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

STALLED_SECONDS: Final = 60.0
"""After so long without taking a byte of what we send a client is cut off (nginx: send_timeout)."""
KEEPALIVE: Final = ((socket.TCP_KEEPIDLE, 60), (socket.TCP_KEEPINTVL, 15), (socket.TCP_KEEPCNT, 4))
"""Probes of a silent connection: one whose peer is gone ends after some two minutes."""


def bound_stall(connection: socket.socket, seconds: float) -> None:
    """End a connection whose peer acknowledges nothing, or has no room, for ``seconds`` (RFC 5482).

    0 is no bound of our own: an unreachable peer is given up by the system's retransmissions.
    """
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def set_client_options(connection: socket.socket, stalled_seconds: float) -> None:
    """Bounds for a connection that was accepted. Raises OSError if it is gone already."""
    bound_stall(connection, stalled_seconds)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE:
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


def bound_stall_of(transport: asyncio.BaseTransport, seconds: float) -> None:
    """``bound_stall`` of a transport's socket; one that is closed already needs none."""
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0 and connection.family != socket.AF_UNIX:
        bound_stall(connection, seconds)
