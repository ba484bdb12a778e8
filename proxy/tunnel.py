"""Joins two connections byte for byte: CONNECT tunnels and upgraded connections; reads nothing."""

from __future__ import annotations

import asyncio

from aiohttp import web

from proxy.exchange import Exchange, Handled
from proxy.headers import Headers
from proxy.http.heads import response_head
from proxy.incoming import said
from proxy.reasons import Action
from proxy.upstream.client import Reply
from proxy.upstream.wire import Wire


def take_over(exchange: Exchange) -> Wire:
    """The client's connection as a Wire, from the bytes on that aiohttp has not parsed.

    aiohttp's protocol is told at the end that its connection is lost (``let_go``).
    """
    protocol = exchange.request.protocol
    transport = exchange.request.transport
    if transport is None:
        raise ConnectionResetError("The client has left.")
    wire = Wire()
    tail, protocol._message_tail = protocol._message_tail, b""
    transport.pause_reading()
    transport.set_protocol(wire)
    wire.connection_made(transport)
    wire.unread(tail)
    transport.resume_reading()
    return wire


def let_go(exchange: Exchange) -> web.StreamResponse:
    """Tell aiohttp that a taken-over connection has ended."""
    exchange.request.protocol.force_close()
    exchange.request.protocol.connection_lost(None)
    return Handled(False)


async def pump(source: Wire, sink: Wire) -> None:
    """Copy until the source ends, then say so to the sink."""
    while data := await source.receive():
        await sink.send(data)
    sink.finish()


async def splice(left: Wire, right: Wire) -> None:
    """Copy both ways until both have ended or either breaks; closes both."""
    ways = [asyncio.create_task(pump(left, right)), asyncio.create_task(pump(right, left))]
    try:
        await asyncio.gather(*ways)
    except ConnectionError:
        return
    finally:
        for way in ways:
            way.cancel()
        left.close()
        right.close()
        await asyncio.gather(*ways, return_exceptions=True)


async def establish(exchange: Exchange, action: Action, reason: str) -> Wire:
    """Answer CONNECT with 200 and take the client's connection over."""
    fields = Headers(said(action, reason))
    head = response_head(200, "Connection established", fields)
    exchange.tell(200, fields)
    await exchange.request.writer.write(head)
    return take_over(exchange)


async def tunnel(exchange: Exchange, far: Wire, reason: str) -> web.StreamResponse:
    """Answer CONNECT and join the two sides."""
    near = await establish(exchange, Action.TUNNEL, reason)
    try:
        await splice(near, far)
    finally:
        response = let_go(exchange)
    return response


async def relay_upgrade(exchange: Exchange, reply: Reply, headers: Headers) -> web.StreamResponse:
    """Pass a 101 on and join the two sides (RFC 9110, section 7.8)."""
    upgrade = ("Upgrade", reply.head.headers.get("upgrade"))
    exchange.keep_alive = True
    fields = headers.plus(("Connection", "Upgrade"), upgrade)
    await exchange.start(101, fields, None, reply.head.reason)
    near = take_over(exchange)
    try:
        await splice(near, reply.wire)
    finally:
        response = let_go(exchange)
    return response
