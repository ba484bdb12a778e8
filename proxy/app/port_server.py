"""A port beside the proxy's own, for another protocol: a coroutine serves each connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from winnow.config.errors import ConfigError
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.server.connection import ConnectionServer, Ended
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.sockets import bind_sockets
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

_LOG = logging.getLogger("winnow.ports")
Serve = Callable[[OriginConnection], Awaitable[None]]
"""Serves one connection, until it returns."""


async def serve_port(
    setting: str, host: str, port: int, serve: Serve, limits: ConnectionLimits
) -> None:
    """Accept until it is cancelled; connections that have begun go on.

    Raises ConfigError, which names the ``setting`` of the port, where it cannot listen.

    Another task or process may accept at the same port beside it.
    """
    tasks: set[asyncio.Task[None]] = set()

    def begin(accepted: OriginConnection) -> None:
        task = asyncio.create_task(_served(accepted, serve, limits))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    listener = Listener(lambda: _Accepted(begin), None, limits)
    try:
        listener.accept(bind_sockets(host, port, shared=True))
    except OSError as error:
        raise ConfigError(f"{setting}: cannot listen on {port}: {error.strerror}.") from error
    try:
        await asyncio.Event().wait()
    finally:
        await listener.close()


async def serve_http(wire: OriginConnection, make: Callable[[Ended], ConnectionServer]) -> None:
    """Serve the requests of HTTP on a connection, to its end, by the server that ``make`` makes."""
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(_error: BaseException | None) -> None:
        if not ended.done():
            ended.set_result(None)

    server = make(end)
    protocol, transport = server(), wire.transport
    transport.set_protocol(protocol)
    protocol.connection_made(transport)
    protocol.data_received(wire.drain())
    transport.resume_reading()
    try:
        await ended
    finally:
        await server.shutdown(0)


async def _served(accepted: OriginConnection, serve: Serve, limits: ConnectionLimits) -> None:
    limits.rename(accepted.transport.get_extra_info("socket").fileno(), accepted)
    try:
        await serve(accepted)
    except (ConnectionError, TimeoutError, ProxyError) as error:
        _LOG.debug("A connection ended: %s", error)
    except Exception:  # noqa: BLE001  # a defect of ours costs one connection; it is logged whole
        _LOG.exception("A connection failed with an unexpected error")
    finally:
        accepted.close()
        limits.remove(accepted)


class _Accepted(OriginConnection):
    """The client's side; ``begin`` is called once it is there."""

    def __init__(self, begin: Callable[[OriginConnection], None]) -> None:
        super().__init__()
        self._begin = begin

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._begin(self)
