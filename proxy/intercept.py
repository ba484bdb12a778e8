"""Opens the TLS of a CONNECT tunnel and serves the requests inside; learns who does not like it.

Knows handshakes; refuses to know certificates' making and what becomes of the requests.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, cast

from aiohttp import web

from proxy.errors import OriginFaultError, ProxyError
from proxy.exchange import Exchange
from proxy.reasons import Action
from proxy.tls.errors import NotTlsError
from proxy.tls.hello import ClientHello, read_hello
from proxy.tunnel import establish, let_go, splice
from proxy.upstream.client import Client
from proxy.upstream.connect import Permit, wants_client_certificate
from proxy.upstream.origins import Origin
from proxy.upstream.wire import Wire

HELLO_SECONDS = 30.0
HANDSHAKE_SECONDS = 30.0

REFUSALS = frozenset(
    {
        "SSLV3_ALERT_CERTIFICATE_UNKNOWN",
        "SSLV3_ALERT_BAD_CERTIFICATE",
        "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
        "SSLV3_ALERT_CERTIFICATE_EXPIRED",
        "SSLV3_ALERT_CERTIFICATE_REVOKED",
        "TLSV1_ALERT_UNKNOWN_CA",
        "TLSV1_ALERT_ACCESS_DENIED",
    }
)
"""OpenSSL's names of the alerts by which a client says that it does not trust our certificate."""


class Learner(Protocol):
    """What interception tells: who accepts our certificates, and which hosts to tunnel."""

    async def accepted(self, client: str) -> None: ...

    async def refused(self, host: str, client: str) -> None: ...

    async def wants_certificate(self, host: str) -> None: ...


@dataclass(frozen=True)
class Interceptor:
    """One for the whole process.

    ``context_for`` gives the TLS context of a host; ``spared`` says of a ClientHello why the
    connection is tunnelled after all, as a reason token, or empty.
    """

    client: Client
    context_for: Callable[[str], Awaitable[ssl.SSLContext]]
    spared: Callable[[ClientHello], str]
    learner: Learner
    serve: Callable[[Origin], web.Server]

    async def __call__(
        self, exchange: Exchange, origin: Origin, permit: Permit
    ) -> web.StreamResponse:
        """Answer CONNECT, then TLS, then the requests inside until the connection ends."""
        near = await establish(exchange, Action.TUNNEL, "intercepted")
        try:
            hello, taken = await self._hello(near)
            reason = "not-tls" if hello is None else self.spared(hello)
            if reason or await self._must_tunnel(origin, permit):
                near.unread(taken)
                far = await self.client.connector.open(plain(origin), permit)
                await splice(near, far)
            else:
                await self._open(near, taken, named(origin, hello), exchange.head.client)
        except (ConnectionError, TimeoutError, ProxyError):
            near.abort()
        finally:
            response = let_go(exchange)
        return response

    async def _hello(self, near: Wire) -> tuple[ClientHello | None, bytes]:
        """The ClientHello and its bytes; None if the client does not speak TLS."""
        taken = b""
        async with asyncio.timeout(HELLO_SECONDS):
            while True:
                data = await near.receive()
                taken += data
                try:
                    hello = read_hello(taken)
                except NotTlsError:
                    return None, taken
                if hello or not data:
                    return hello, taken

    async def _must_tunnel(self, origin: Origin, permit: Permit) -> bool:
        """Connect to the origin already: one that asks for a certificate of the client's is
        tunnelled. Any other fault is shown as a page, once a request has come.
        """
        try:
            await self.client.warm(origin, permit)
        except OriginFaultError as error:
            if wants_client_certificate(error):
                await self.learner.wants_certificate(origin.host)
                return True
        except ProxyError:
            return False
        return False

    async def _open(self, near: Wire, taken: bytes, origin: Origin, client: str) -> None:
        context = await self.context_for(origin.host)
        server = self.serve(origin)
        protocol = server()
        try:
            transport = await start_tls(near, taken, protocol, context)
        except ssl.SSLError as error:
            if error.reason in REFUSALS:
                await self.learner.refused(origin.host, client)
            return
        protocol.connection_made(transport)
        task = protocol._task_handler
        await self.learner.accepted(client)
        try:
            if task:
                await asyncio.wait({task})
        finally:
            transport.close()


def plain(origin: Origin) -> Origin:
    """The same address, spoken to without TLS of ours."""
    return Origin("http", origin.host, origin.port)


def named(origin: Origin, hello: ClientHello | None) -> Origin:
    """The origin by the name that the client asked for, where CONNECT gave an address only."""
    if origin.is_literal and hello and hello.server_name:
        return Origin("https", hello.server_name, origin.port)
    return origin


async def start_tls(
    near: Wire, taken: bytes, protocol: asyncio.Protocol, context: ssl.SSLContext
) -> asyncio.Transport:
    """Begin TLS on a connection whose first bytes have been read already.

    ``loop.start_tls`` reads from the socket only, so these bytes are given to its protocol once
    it is connected and before anything else is read. Raises ``ssl.SSLError`` or ConnectionError.
    """
    loop = asyncio.get_running_loop()
    underlying = near.transport
    underlying.pause_reading()
    begun = loop.create_task(
        loop.start_tls(
            underlying,
            protocol,
            context,
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
        )
    )
    await asyncio.sleep(0)
    loop.call_soon(_give, underlying, taken + near.drain())
    transport = await begun
    if transport is None:
        raise ConnectionResetError("The client has left.")
    return transport


def _give(transport: asyncio.Transport, data: bytes) -> None:
    protocol = cast(asyncio.BufferedProtocol, transport.get_protocol())
    left = memoryview(data)
    while left:
        buffer = memoryview(protocol.get_buffer(len(left)))
        size = min(len(left), len(buffer))
        buffer[:size] = left[:size]
        protocol.buffer_updated(size)
        left = left[size:]


class NothingLearned:
    """A Learner that keeps nothing."""

    async def accepted(self, client: str) -> None:
        """Not kept."""

    async def refused(self, host: str, client: str) -> None:
        """Not kept."""

    async def wants_certificate(self, host: str) -> None:
        """Not kept."""
