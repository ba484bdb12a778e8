"""Joins two connections byte for byte: CONNECT tunnels and upgraded connections; reads nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Final

from aiohttp import web

from winnow.proxy.decisions.private_permits import PlainCheck
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import response_head
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.server.requests.client_limits import LEAST_READ, TunnelLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.requests.request_parser import (
    MAX_HEAD,
    RefusedRequestError,
    parse_request_head,
)
from winnow.proxy.server.sockets import STALLED_SECONDS, bound_stall_of, unread
from winnow.proxy.upstream.connections.connection_pool import OriginConnection, connection_of
from winnow.proxy.upstream.origin_client import UpgradableResponse

FIRST_SECONDS: Final = 3.0
"""A client that is silent for so long waits for the server to speak first: no TLS, no HTTP."""
_NOTHING_MORE: Final = Headers((("Content-Length", "0"), ("Connection", "close")))
_FORBIDDEN: Final = response_head(403, "Forbidden", _NOTHING_MORE)


class Side:
    """One end of a tunnel, and whether it takes what waits for it (nginx: send_timeout)."""

    def __init__(self, wire: OriginConnection) -> None:
        self.wire, self._sent = wire, 0
        self._taken_before: int | None = None

    async def send(self, data: bytes) -> None:
        self._sent += len(data)
        await self.wire.send(data)

    def is_stalled(self) -> bool:
        """Whether bytes wait as they did at the last call, and it took less than LEAST_READ."""
        waits = self.wire.transport.get_write_buffer_size() > 0
        taken, before = self._sent - unread(self.wire.transport), self._taken_before
        self._taken_before = taken if waits else None
        return waits and before is not None and taken - before < LEAST_READ


class _Traffic:
    """When bytes last moved, either way, as loop time."""

    def __init__(self, sides: Sequence[Side], limits: TunnelLimits) -> None:
        self._clock = asyncio.get_running_loop().time
        self._sides, self._limits = sides, limits
        self.moved = self._looked = self._clock()

    async def pump(self, source: OriginConnection, side: Side) -> None:
        """Copy until the source ends, then say so to the sink.

        Unless only one direction of the source has ended and the sink, under TLS, cannot say that:
        Chromium ends its stream right behind a WebSocket's Close, before the answer to it.
        """
        while data := await source.receive():
            self.moved = self._clock()
            await side.send(data)
            self.moved = self._clock()
        self.moved, sink = self._clock(), side.wire
        if sink.half_closes or not source.half_closes:
            sink.finish()

    async def lasts(self, ways: set[asyncio.Task[None]]) -> bool:
        """Wait until both ways have ended, one breaks, or too little has moved for too long: False.

        Who sends slowly, or nothing, is judged by what is silent alone: no tunnel says what it is.
        """
        pending, limits = ways, self._limits
        while pending:
            limit = limits.idle if len(pending) == len(ways) else limits.half_closed
            seconds = self.moved + limit - self._clock()
            if seconds <= 0 or self._stalls():
                return False
            first = asyncio.FIRST_COMPLETED
            done, pending = await asyncio.wait(
                pending, timeout=min(seconds, limits.rate), return_when=first
            )
            for broken in filter(None, (way.exception() for way in done)):
                if isinstance(broken, ConnectionError):
                    return True
                raise broken
        return True

    def _stalls(self) -> bool:
        if self._clock() - self._looked < self._limits.rate:
            return False
        self._looked = self._clock()
        return True in [side.is_stalled() for side in self._sides]


async def splice(left: OriginConnection, right: OriginConnection, limits: TunnelLimits) -> None:
    """Copy both ways until both have ended, either breaks or ``limits`` are reached; closes both.

    One that is silent is not one that is stalled: until then only ``limits`` bound it.
    """
    sides = Side(left), Side(right)
    traffic = _Traffic(sides, limits)
    ways = {
        asyncio.create_task(traffic.pump(left, sides[1])),
        asyncio.create_task(traffic.pump(right, sides[0])),
    }
    for wire in (left, right):
        bound_stall_of(wire.transport, 0)
    try:
        if not await traffic.lasts(ways):
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


async def passes(near: OriginConnection, check: PlainCheck) -> bool:
    """Whether what the client sends first is TLS, no HTTP, or a request that ``check`` answers.

    What was read is put back; a request that is not answered gets a 403.
    """
    head = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(FIRST_SECONDS):
            while piece := await near.receive():
                head += piece
                if b"\r\n\r\n" in head or not head[:1].isalpha() or len(head) > MAX_HEAD:
                    break
    near.unread(head)
    if not head[:1].isalpha():
        return True
    with suppress(RefusedRequestError):
        message = parse_request_head(head.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        if check(message.method, message.fields):
            return True
        await near.send(_FORBIDDEN)
        return False
    return b"HTTP/1" not in head


async def establish(exchange: Exchange, action: WinnowAction, reason: str) -> OriginConnection:
    """Answer CONNECT with 200 and take the client's connection over."""
    return connection_of(*await exchange.establish(Headers(outcome_fields(action, reason))))


async def tunnel(
    exchange: Exchange,
    far: OriginConnection,
    reason: str,
    limits: TunnelLimits,
    check: PlainCheck | None = None,
) -> web.StreamResponse:
    """Answer CONNECT and join the two sides; ``check`` judges a request in clear text."""
    with closing(far):  # also where the client has left before
        near = await establish(exchange, WinnowAction.TUNNEL, reason)
        try:
            if check is None or await passes(near, check):
                await splice(near, far, limits)
        finally:
            near.close()
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
