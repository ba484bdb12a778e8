"""Dispatches each request to forwarding, a tunnel, interception or an own page."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aiohttp import web

from winnow.proxy.access.admission import OPEN_GATE, Proof, check_rate, identify
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.memory_account import HOLDING
from winnow.proxy.access.request_rate import RequestRate
from winnow.proxy.app.app_servers import AppServers
from winnow.proxy.app.connect_requests import ConnectRequests
from winnow.proxy.app.error_responses import INTERNAL_ERROR, send_brief, send_error, send_refusal
from winnow.proxy.app.own_requests import OwnRequests
from winnow.proxy.decisions.ad_blocking import unless_listed
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import (
    ForwardRoute,
    InterceptRoute,
    OwnPageRoute,
    RedirectRoute,
    Route,
    TunnelRoute,
    route,
)
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.http.proxy_errors import PrivateAddressError, ProxyError
from winnow.proxy.observability.activity import page_opened
from winnow.proxy.observability.events import Observer, answered, ignore_event
from winnow.proxy.own.menus import MENUS, NO_MENUS, Menus
from winnow.proxy.own.translation import LANGUAGE, LanguageOf, by_header
from winnow.proxy.server.requests.client_stream import CLIENT_BROKE
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.upstream.connections.connector import Connector

_LOG = logging.getLogger("winnow.app")


BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
Front = Callable[[Exchange, "App"], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class App(AppServers):
    """Answers every request."""

    own: OwnRequests
    connector: Connector
    interceptor: Interceptor | None = None
    gate: Authenticator = OPEN_GATE
    observe: Observer = ignore_event
    rate: RequestRate = field(default_factory=RequestRate)
    language: LanguageOf = by_header
    menus: Menus = NO_MENUS
    tasks: tuple[BackgroundTask, ...] = ()
    """What runs beside the server as long as this app answers."""
    front: Front | None = None
    """What answers in place of the proxy, where this is no proxy: before one site."""

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
        self.own.begin(exchange.head)
        check_rate(self.rate, exchange.head)
        way = unless_listed(exchange.head, route(exchange.head, policy), policy)
        try:
            return await self._routed(exchange, way, policy, proof)
        except PrivateAddressError as error:
            if question := self.own.reach.question(exchange, way, policy, error):
                return await exchange.send(303, question, b"")
            raise

    def _routed(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> Awaitable[web.StreamResponse]:
        permit, only_public = self.own.reach.permit(exchange, route, policy, proof)
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
                return self._connects.tunnel(exchange, origin, reason, policy)
            case InterceptRoute(origin):
                return self._connects.intercept(exchange, origin, policy)
            case _:
                return send_brief(exchange, route)

    @cached_property
    def _connects(self) -> ConnectRequests:
        return ConnectRequests(self.connector, self.interceptor, self.bounds.tunnel, self.server)
