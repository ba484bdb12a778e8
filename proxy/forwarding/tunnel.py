"""Joins two connections byte for byte: CONNECT tunnels and upgraded connections; reads nothing."""

from __future__ import annotations

import asyncio

from aiohttp import web

from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.server.client_limits import TunnelLimits
from winnow.proxy.server.exchange import Exchange
from winnow.proxy.server.sockets import STALLED_SECONDS, bound_stall_of
from winnow.proxy.upstream.connection_pool import OriginConnection, connection_of
from winnow.proxy.upstream.origin_client import UpgradableResponse


class _Traffic:
    """When bytes last moved, either way, as loop time."""

    def __init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self.moved = self._clock()

    async def pump(self, source: OriginConnection, sink: OriginConnection) -> None:
        """Copy until the source ends, then say so to the sink.

        Unless only one direction of the source has ended and the sink, under TLS, cannot say that:
        Chromium ends its stream right behind a WebSocket's Close, before the answer to it.
        """
        while data := await source.receive():
            self.moved = self._clock()
            await sink.send(data)
            self.moved = self._clock()
        self.moved = self._clock()
        if sink.half_closes or not source.half_closes:
            sink.finish()

    async def lasts(self, ways: set[asyncio.Task[None]], limits: TunnelLimits) -> bool:
        """Wait until both ways have ended, one breaks, or nothing has moved for too long: False."""
        pending = ways
        while pending:
            limit = limits.idle if len(pending) == len(ways) else limits.half_closed
            seconds = self.moved + limit - self._clock()
            if seconds <= 0:
                return False
            first = asyncio.FIRST_COMPLETED
            done, pending = await asyncio.wait(pending, timeout=seconds, return_when=first)
            for broken in filter(None, (way.exception() for way in done)):
                if isinstance(broken, ConnectionError):
                    return True
                raise broken
        return True


async def splice(left: OriginConnection, right: OriginConnection, limits: TunnelLimits) -> None:
    """Copy both ways until both have ended, either breaks or ``limits`` are reached; closes both.

    One that is silent is not one that is stalled: until then only ``limits`` bound it.
    """
    traffic = _Traffic()
    ways = {
        asyncio.create_task(traffic.pump(left, right)),
        asyncio.create_task(traffic.pump(right, left)),
    }
    for wire in (left, right):
        bound_stall_of(wire.transport, 0)
    try:
        if not await traffic.lasts(ways, limits):
            for wire in (left, right):
                if wire.transport.get_write_buffer_size():
                    wire.abort()
    finally:
        for way in ways:
            way.cancel()
        for wire in (left, right):
            bound_stall_of(wire.transport, STALLED_SECONDS)  # for what is still to be sent
            wire.close()
        await asyncio.gather(*ways, return_exceptions=True)


async def establish(exchange: Exchange, action: WinnowAction, reason: str) -> OriginConnection:
    """Answer CONNECT with 200 and take the client's connection over."""
    return connection_of(*await exchange.establish(Headers(outcome_fields(action, reason))))


async def tunnel(
    exchange: Exchange, far: OriginConnection, reason: str, limits: TunnelLimits
) -> web.StreamResponse:
    """Answer CONNECT and join the two sides."""
    near = await establish(exchange, WinnowAction.TUNNEL, reason)
    try:
        await splice(near, far, limits)
    finally:
        response = exchange.let_go()
    return response


async def relay_upgrade(
    exchange: Exchange, reply: UpgradableResponse, headers: Headers, limits: TunnelLimits
) -> web.StreamResponse:
    """Pass a 101 on and join the two sides (RFC 9110, section 7.8)."""
    upgrade = ("Upgrade", reply.head.headers.get("upgrade"))
    fields = headers.plus(("Connection", "Upgrade"), upgrade)
    near = connection_of(*await exchange.upgrade(fields, reply.head.reason))
    try:
        await splice(near, reply.connection, limits)
    finally:
        response = exchange.let_go()
    return response
