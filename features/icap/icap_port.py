"""Serves ICAP: responses by the forwarder, requests by the router, both as by proxy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from importlib.metadata import version

from aiohttp import web

from winnow.feature import Context
from winnow.features.icap.icap_reader import IcapBody, IcapReader, IcapResponse
from winnow.features.icap.icap_requests import rewritten
from winnow.features.icap.icap_stream import IcapStream
from winnow.features.icap.messages import IcapError, IcapRequest, icap_head, options, parse_icap
from winnow.features.icap.settings import IcapSettings
from winnow.features.icap.shared_pages import SHOWN, SharedPages, seconds_stored
from winnow.proxy.access.address_kinds import Network, is_local
from winnow.proxy.access.claimed_clients import claimed_address
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.access.credentials.authentication import Admitted, Authenticator
from winnow.proxy.access.memory_account import MemoryFullError
from winnow.proxy.access.requester import REQUESTER, Requester, RequestHead, client_key, network_of
from winnow.proxy.app.app import App
from winnow.proxy.app.port_server import serve_port
from winnow.proxy.decisions.request.routing import ForwardRoute, route
from winnow.proxy.http.proxy_errors import MalformedResponseError
from winnow.proxy.own.translation import LANGUAGE
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.requests.client_stream import FINISHED
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.requests.request_parser import RefusedRequestError, parse_request_head
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.response_parser import parse_head

MOST_HEADS = 512 * 1024
"""Bytes of both heads of HTTP in a message."""
NO_RIGHTS = "192.0.0.8"
"""The IPv4 dummy address, which no client has (RFC 7600, section 4.8)."""
SERVICES = {"/respmod": "RESPMOD", "/reqmod": "REQMOD"}


async def listen(context: Context) -> None:
    """Serve until the settings change. Raises ConfigError."""
    server, chosen = context.settings.server, context.settings.of(IcapSettings)
    limits = ConnectionLimits(server.connections)
    known = f"{version('winnow-proxy')} {context.settings!r}".encode()
    tag = hashlib.sha256(known).hexdigest()[:24]
    port = IcapPort(context, chosen.networks, tag, SharedPages(tag), server.connections)
    await serve_port("icap.port", server.host, chosen.port, port, limits)


@dataclass(frozen=True)
class IcapPort:
    """``tag``: changes whenever the same page would be shown otherwise to everybody."""

    context: Context
    peers: tuple[Network, ...]
    tag: str
    pages: SharedPages
    connections: int = 0

    async def __call__(self, wire: OriginConnection) -> None:
        reader = IcapReader(wire)
        try:
            if not in_networks(wire.peer, self.peers):
                raise IcapError(403)
            while block := await reader.head():
                if not await self._one(wire, reader, parse_icap(block)):
                    return
        except MemoryFullError:
            await wire.send(icap_head(503, self.tag, ("Connection", "close")))
        except (IcapError, RefusedRequestError, MalformedResponseError) as error:
            status = error.status if isinstance(error, IcapError) else 400
            await wire.send(icap_head(status, self.tag, ("Connection", "close")))

    async def _one(self, wire: OriginConnection, reader: IcapReader, asked: IcapRequest) -> bool:
        """Answer a request; whether another one may follow."""
        method = SERVICES.get(asked.service)
        if method is None:
            raise IcapError(404)
        if asked.method == "OPTIONS" and not asked.has_body:
            await wire.send(options(method, self.tag, self.connections))
            return asked.persists
        if asked.method != method:
            raise IcapError(405)
        if asked.heads > MOST_HEADS:
            raise IcapError(400)
        app = self.context.app()
        holding = app.bounds.account.holding(network_of(wire.peer))
        try:
            holding.set(asked.heads)
            block = await reader.exactly(asked.heads)
            return await self._adapt(app, wire, reader, asked, block) and asked.persists
        finally:
            holding.release()

    async def _adapt(
        self, app: App, wire: OriginConnection, reader: IcapReader, asked: IcapRequest, block: bytes
    ) -> bool:
        async def go_on() -> None:
            await wire.send(icap_head(100, self.tag))

        head = head_of(asked, block, wire.peer)
        done = not asked.has_body
        body = IcapBody(reader, previews=asked.previews, is_done=done, go_on=go_on)
        stream = IcapStream(wire, head, body, self.tag)
        if asked.method == "RESPMOD":
            reply = IcapResponse(parse_head(asked.head("res-hdr", block)), body)
            exchange = Exchange(stream)
            exchange.front = Responses(stream, reply, asked, self.pages)
            await self.context.of(Handover).handle(exchange, app)
        elif isinstance(way := route(head, app.policy()), ForwardRoute):
            LANGUAGE.set(app.language(head))  # the bar is in it, so the mark depends on it
            exchange = Exchange(stream)
            begun = await app.own.forward.begun(exchange, way, app.policy())
            await rewritten(stream, body, asked, await self.pages.asked(app, exchange, begun.plan))
        elif head.method == "CONNECT":
            await rewritten(stream, body, asked)
        else:
            await replace(app, gate=PeersGate({}, ())).handle(Exchange(stream))
        return stream.keep_alive


class PeersGate(Authenticator):
    """The peer has admitted its clients, and names them."""

    async def admit(
        self, client: str, credentials: str | None, *, is_open: bool = True
    ) -> Admitted:
        return Admitted()


def head_of(asked: IcapRequest, block: bytes, peer: str) -> RequestHead:
    """The request of HTTP, of the client whom the peer names. Raises RefusedRequestError.

    A loopback address is the peer's own machine: its address, or one that gives no rights here.
    """
    message = parse_request_head(asked.head("req-hdr", block))
    named = asked.fields.get("x-client-ip")
    client = claimed_address(named)
    if is_local(named):
        client = claimed_address(peer) or NO_RIGHTS
    user = asked.fields.get("x-client-username")
    return RequestHead(
        message.method, message.target, message.fields, client, message.version, user=user
    )


@dataclass(frozen=True)
class Responses:
    """A Front: what Winnow makes of a response; what is none of its own passes unchanged."""

    stream: IcapStream
    reply: IcapResponse
    asked: IcapRequest
    pages: SharedPages

    async def __call__(self, exchange: Exchange, app: App) -> web.StreamResponse:
        head, policy = exchange.head, app.policy()
        REQUESTER.set(Requester(client_key(head.user, head.client)))
        way, done = route(head, policy), None
        if isinstance(way, ForwardRoute):
            forward, permit = app.own.forward, policy.permit_of(head)
            transaction = await forward.begun(exchange, way, policy, None, permit)
            plan, given = transaction.plan, head.headers.get(SHOWN)
            seconds = seconds_stored(head.headers, self.reply.head)
            mark = await self.pages.mark(app, plan) if seconds or given else ""
            is_noted = bool(mark) and mark == given
            self.stream.seconds_stored = seconds if is_noted else 0
            done = await forward.adapted(transaction, self.reply)
            self.pages.learn(plan, mark, exchange, seconds)
            exchange.page = "" if is_noted else exchange.page
        return done or await self._unchanged(exchange)

    async def _unchanged(self, exchange: Exchange) -> web.StreamResponse:
        """204, or for a client that takes none the same again (RFC 3507, section 4.6)."""
        found = self.reply.head
        exchange.record(found.status, found.headers)
        if self.asked.takes_204:
            await self.stream.unchanged()
            return FINISHED[True]
        self.stream.start_same(found.status, found.reason, found.headers, self.reply.length)
        while piece := await self.reply.read():
            await self.stream.write(piece)
        return await self.stream.finish()
