"""CONNECT requests: tunnelled to their origin, or intercepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from aiohttp import web

from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.private_permits import plain_check, unasked
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.forwarding.tunnel import tunnel
from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.connection import ConnectionServer
from winnow.proxy.server.requests.client_limits import TunnelLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.upstream.connections.connector import Connector


@dataclass(frozen=True, slots=True)
class ConnectRequests:
    """``server`` makes what answers inside an intercepted connection (``AppServers.server``)."""

    connector: Connector
    interceptor: Interceptor | None
    limits: TunnelLimits
    server: Callable[..., ConnectionServer]

    async def tunnel(
        self, exchange: Exchange, origin: Origin, reason: str, policy: Policy
    ) -> web.StreamResponse:
        permit = policy.permit_of(exchange.head)
        far = await self.connector.open_tcp(origin, unasked(permit))
        check = plain_check(origin.host, permit, far.peer)
        return await tunnel(exchange, far, reason, self.limits, check)

    async def intercept(
        self, exchange: Exchange, origin: Origin, policy: Policy
    ) -> web.StreamResponse:
        if self.interceptor is None:
            return await self.tunnel(exchange, origin, "not-intercepted", policy)
        self.connector.check_port(origin)
        permit = policy.permit_of(exchange.head)
        head = exchange.head
        server = partial(
            self.server, user=head.user, client=head.client, redirected=head.redirected
        )
        return await self.interceptor(exchange, origin, server, permit)
