"""Serves SOCKS5: each connection as a CONNECT, at ports of HTTP as a redirected one."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Final

from winnow.feature import Context
from winnow.features.socks.handshake import (
    NONE_FITS,
    OPEN,
    PASSWORD,
    VERSION,
    SocksClient,
    SocksError,
    SocksReply,
)
from winnow.features.socks.settings import SocksSettings
from winnow.proxy.access.admission import NotAdmittedError, identify
from winnow.proxy.access.claimed_clients import Claim
from winnow.proxy.access.own_addresses import NO_FACES
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.app.app import App
from winnow.proxy.app.port_server import serve_http, serve_port
from winnow.proxy.decisions.request.routing import is_own
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.request_target import Origin, parse_authority
from winnow.proxy.server.connection import ConnectionServer, Ended
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.redirected import RedirectedTls
from winnow.proxy.server.requests.client_limits import HEAD_SECONDS, KEEPALIVE_SECONDS
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

_HOST: Final = re.compile(rb"\r\nhost:[ \t]*([^\r\n]+?)[ \t]*\r\n", re.IGNORECASE)
_HANDSHAKE: Final = 22
"""The first byte of TLS (RFC 8446, section 5.1), which begins no request of HTTP."""


async def listen(context: Context) -> None:
    """Serve until the settings change. Raises ConfigError."""
    server, chosen = context.settings.server, context.settings.of(SocksSettings)
    limits = ConnectionLimits(server.connections, server.connections_per_client)
    port = SocksPort(context, frozenset(chosen.http_ports))
    await serve_port("socks.port", server.host, chosen.port, port, limits)


@dataclass(frozen=True)
class SocksPort:
    """``http_ports``: those at which a client's first bytes are a request of HTTP, or TLS."""

    context: Context
    http_ports: frozenset[int]

    async def __call__(self, wire: OriginConnection) -> None:
        app = self.context.app()
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head, origin = await shaken(wire, app)
        except SocksError as error:
            await wire.send(error.answer)
            return
        if origin.port not in self.http_ports:
            await self._connect(wire, SocksStream(wire, head))
            return
        await wire.send(SocksReply.SUCCEEDED.packed())
        first = await wire.receive(KEEPALIVE_SECONDS)
        wire.unread(first)
        if first[:1] == bytes((_HANDSHAKE,)) or not await is_meant(app, first, origin):
            await self._connect(wire, RedirectedTls(wire.transport, head, wire.drain()))
        elif first:
            await read_http(wire, app, head, origin)

    async def _connect(self, wire: OriginConnection, stream: RedirectedTls) -> None:
        wire.transport.pause_reading()
        await self.context.of(Handover).handle(Exchange(stream), self.context.app())


async def shaken(wire: OriginConnection, app: App) -> tuple[RequestHead, Origin]:
    """The client as a CONNECT would name it, admitted, and where to. Raises SocksError."""
    client, offered = SocksClient(wire), await SocksClient(wire).methods()
    fields, refusal, accepted = Headers(), bytes((VERSION, NONE_FITS)), bytes((VERSION, OPEN))
    if app.gate.users and PASSWORD in offered:
        fields = Headers((("Proxy-Authorization", await client.credentials()),))
        refusal, accepted = b"\1\1", b"\1\0"
    elif OPEN not in offered:
        raise SocksError("No way to authenticate is common.", refusal)
    asks = RequestHead("CONNECT", "", fields, wire.peer)
    try:
        await identify(app.gate, asks, (), NO_FACES)
    except NotAdmittedError as error:
        raise SocksError(str(error), refusal) from error
    await wire.send(accepted)
    origin = await client.wanted()
    return replace(asks, target=origin.address), origin


async def is_meant(app: App, first: bytes, meant: Origin) -> bool:
    """Whether Host, where a literal address was asked for, names a site that is there."""
    named = _HOST.search(first)
    if not meant.is_literal or not named:
        return True
    try:
        origin = parse_authority(named[1].decode("latin-1"), "http")
        if origin.host == meant.host or is_own(origin, app.policy()):
            return True
    except ProxyError:
        return False
    return await app.connector.leads_to(origin.host, meant)


async def read_http(wire: OriginConnection, app: App, head: RequestHead, meant: Origin) -> None:
    """Serve the requests on a connection, with the password of its handshake."""

    def make(end: Ended) -> ConnectionServer:
        server = app.server(ended=end, redirected=meant)
        server.context = replace(server.context, claim=claiming(head))
        return server

    await serve_http(wire, make)


def claiming(head: RequestHead) -> Claim:
    """Each request is of the client, and has the credentials, of the handshake."""
    name = ("proxy-authorization",)
    return lambda _peer, fields: (head.client, fields.without(name).plus(*head.headers.fields))


class SocksStream(RedirectedTls):
    """A ClientStream of a CONNECT that SOCKS asked for: its status becomes a reply code."""

    def __init__(self, wire: OriginConnection, head: RequestHead) -> None:
        super().__init__(wire.transport, head, b"")
        self._wire = wire

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        self._transport.write(reply_for(status, headers).packed())

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        transport, _ = await super().take_over(status, headers)
        transport.write(SocksReply.SUCCEEDED.packed())
        return transport, self._wire.drain()


def reply_for(status: int, headers: Headers) -> SocksReply:
    """What stands for an error of CONNECT."""
    if "connection_refused" in headers.get("proxy-status"):
        return SocksReply.REFUSED
    codes = {403: SocksReply.NOT_ALLOWED, 502: SocksReply.UNREACHABLE, 504: SocksReply.UNREACHABLE}
    return codes.get(status, SocksReply.FAILED)
