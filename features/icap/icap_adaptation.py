"""Responses by the forwarder, requests by the router, both as by proxy, for who asks by ICAP."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aiohttp import web

from winnow.feature import Context
from winnow.features.icap.icap_reader import IcapBody, IcapReader, IcapResponse
from winnow.features.icap.icap_requests import rewritten
from winnow.features.icap.icap_stream import IcapStream
from winnow.features.icap.messages import IcapRequest, icap_head
from winnow.features.icap.shared_pages import SHOWN, SharedPages, seconds_stored
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.claimed_clients import claimed_address
from winnow.proxy.access.credentials.authentication import Admitted, Authenticator
from winnow.proxy.access.requester import REQUESTER, Requester, RequestHead, client_key
from winnow.proxy.app.app import App
from winnow.proxy.decisions.request.routing import ForwardRoute, route
from winnow.proxy.own.translation import LANGUAGE
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.requests.client_stream import FINISHED
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.requests.request_parser import parse_request_head
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.response_parser import parse_head

NO_RIGHTS = "192.0.0.8"
"""The IPv4 dummy address, which no client has (RFC 7600, section 4.8)."""


@dataclass(frozen=True)
class IcapAdaptation:
    """``tag``: changes whenever the same page would be shown otherwise to everybody."""

    context: Context
    tag: str
    pages: SharedPages

    async def __call__(
        self, app: App, wire: OriginConnection, reader: IcapReader, asked: IcapRequest, block: bytes
    ) -> bool:
        """Answer; whether the connection may stay."""

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
