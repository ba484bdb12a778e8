"""Dispatches each request to forwarding, a tunnel, interception or an own page."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from aiohttp import web

from winnow.proxy.access.admission import OPEN_GATE, Proof, check_rate, identify
from winnow.proxy.access.claimed_clients import Claim, always, peer_itself
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.memory_account import HOLDING
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.app.error_responses import INTERNAL_ERROR, send_brief, send_error, send_refusal
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.ad_blocking import unless_listed
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.private_permits import plain_check, unasked
from winnow.proxy.decisions.request.routing import (
    ForwardRoute,
    InterceptRoute,
    OwnPageRoute,
    RedirectRoute,
    Route,
    TunnelRoute,
    is_own,
    route,
)
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.forwarding.tunnel import tunnel
from winnow.proxy.http.proxy_errors import ClientFaultError, PrivateAddressError, ProxyError
from winnow.proxy.http.request_target import Origin, parse_authority
from winnow.proxy.observability.activity import page_opened
from winnow.proxy.observability.events import Observer, answered, ignore_event
from winnow.proxy.own.menus import MENUS, NO_MENUS, Menus
from winnow.proxy.own.translation import LANGUAGE, LanguageOf, by_header
from winnow.proxy.server.connection import ConnectionServer, Ended
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.redirected import Ends, RedirectedServer
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.requests.client_stream import CLIENT_BROKE, ClientStream, ServerContext
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.upstream.connections.connector import Connector

_LOG = logging.getLogger("winnow.app")


BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
Front = Callable[[Exchange, "App"], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class App:
    """Answers every request. ``policy`` is called for each, so that a pause applies at once."""

    policy: Callable[[], Policy]
    own: OwnRequests
    connector: Connector
    interceptor: Interceptor | None = None
    gate: Authenticator = OPEN_GATE
    observe: Observer = ignore_event
    handover: Handover = field(default_factory=Handover)
    bounds: ClientBounds = field(default_factory=ClientBounds)
    claim: Claim = peer_itself
    rate: RequestRate = field(default_factory=RequestRate)
    language: LanguageOf = by_header
    menus: Menus = NO_MENUS
    tasks: tuple[BackgroundTask, ...] = ()
    """What runs beside the server as long as this app answers."""
    front: Front | None = None
    """What answers in place of the proxy, where this is no proxy: before one site."""

    def server(
        self,
        inside: Origin | None = None,
        ended: Ended | None = None,
        user: str = "",
        client: str | None = None,
        redirected: Origin | None = None,
    ) -> ConnectionServer:
        """aiohttp's server for this app; the arguments as in RequestHead.

        ``client`` is None for the listener's own server: each connection has its own.
        """
        claim = self.claim if client is None else always(client)
        context = replace(
            self._context,
            inside=inside,
            user=user,
            is_ours=self._is_ours,
            claim=claim,
            redirected=redirected,
        )
        return self._serving(context, ended, http2=self.bounds.http2)

    def redirected_server(self, is_ours: Callable[[Ends], bool]) -> RedirectedServer:
        """The server of connections that a firewall redirects here; in clear text HTTP/1.1 alone.

        ``is_ours``: whether a connection, by its ends, is one of our own.
        """
        return RedirectedServer(self._serving(self._context, None, http2=False), is_ours)

    @property
    def _context(self) -> ServerContext:
        """What all servers have in common."""
        bounds = self.bounds
        return ServerContext(
            upload_idle=bounds.upload_idle,
            stalled=bounds.stalled,
            account=bounds.account,
            rate_seconds=bounds.rate_seconds,
        )

    def _serving(
        self, context: ServerContext, ended: Ended | None, *, http2: bool
    ) -> ConnectionServer:
        def answer(stream: ClientStream) -> Coroutine[Any, Any, web.StreamResponse]:
            return self.handover.handle(Exchange(stream), self)

        server = ConnectionServer(answer, self.bounds.head, ended, context, http2=http2)
        self.handover.add(server)
        return server

    def _is_ours(self, authority: str) -> bool:
        """Whether a client names Winnow itself."""
        try:
            return is_own(parse_authority(authority, "http"), self.policy())
        except ClientFaultError:
            return False

    async def handle(self, exchange: Exchange) -> web.StreamResponse:
        """Answers all errors; one whose client has gone is broken off, while it is told too."""
        MENUS.set(self.menus)
        LANGUAGE.set(self.language(exchange.head))
        holding = self.bounds.account.holding()
        HOLDING.set(holding)
        try:
            return await self._answered(exchange)
        except CLIENT_BROKE:
            return exchange.break_off()
        finally:
            holding.release()
            self.observe(answered(exchange))
            if page := page_opened(exchange):
                self.observe(page)

    async def _answered(self, exchange: Exchange) -> web.StreamResponse:
        try:
            return await self._respond(exchange)
        except ProxyError as error:
            return await send_error(exchange, error)
        except CLIENT_BROKE:
            raise
        except Exception:  # noqa: BLE001  # a defect of ours costs one request; it is logged whole
            _LOG.exception("A request failed with an unexpected error")
            return await send_refusal(exchange, INTERNAL_ERROR)

    async def _respond(self, exchange: Exchange) -> web.StreamResponse:
        if front := exchange.front or self.front:
            return await front(exchange, self)
        policy = self.policy()
        exchange.head, proof = await identify(
            self.gate, exchange.head, policy.page_names, policy.faces
        )
        if exchange.head.user:
            LANGUAGE.set(self.language(exchange.head))
        check_rate(self.rate, exchange.head)
        way = unless_listed(exchange.head, route(exchange.head, policy), policy)
        try:
            return await self._routed(exchange, way, policy, proof)
        except PrivateAddressError as error:
            if question := self.own.question(exchange, way, policy, error):
                return await exchange.send(303, question, b"")
            raise

    def _routed(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> Awaitable[web.StreamResponse]:
        permit, only_public = self.own.permit(exchange, route, policy, proof)
        match route:
            case ForwardRoute():
                return self.own.forward(exchange, route, policy, permit=permit)
            case OwnPageRoute():
                exchange.changes = exchange.head.method not in ("GET", "HEAD")
                if exchange.changes and self.handover.rests:
                    exchange.changes = exchange.keep_alive = False
                    return send_brief(exchange, RedirectRoute(exchange.head.target))
                return self.own(exchange, route, policy, permit, only_public=only_public)
            case TunnelRoute(origin, reason):
                return self._tunnel(exchange, origin, reason, policy)
            case InterceptRoute(origin):
                return self._intercept(exchange, origin, policy)
            case _:
                return send_brief(exchange, route)

    async def _tunnel(
        self, exchange: Exchange, origin: Origin, reason: str, policy: Policy
    ) -> web.StreamResponse:
        permit = policy.permit_of(exchange.head)
        far = await self.connector.open_tcp(origin, unasked(permit))
        check = plain_check(origin.host, permit, far.peer)
        return await tunnel(exchange, far, reason, self.bounds.tunnel, check)

    async def _intercept(
        self, exchange: Exchange, origin: Origin, policy: Policy
    ) -> web.StreamResponse:
        if self.interceptor is None:
            return await self._tunnel(exchange, origin, "not-intercepted", policy)
        self.connector.check_port(origin)
        permit = policy.permit_of(exchange.head)
        head = exchange.head
        server = partial(
            self.server, user=head.user, client=head.client, redirected=head.redirected
        )
        return await self.interceptor(exchange, origin, server, permit)
