"""Sends the response of an own page."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

from winnow.proxy.http.headers import Headers
from winnow.proxy.own.router import STRICT_POLICY, OwnResponse
from winnow.proxy.server.requests.exchange import Exchange


async def send(exchange: Exchange, response: OwnResponse) -> web.StreamResponse:
    """With the fields that every own page has."""
    fields = (
        ("Content-Type", response.media_type),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Content-Security-Policy", STRICT_POLICY),
    )
    headers, status = Headers(fields).replaced(*response.fields), response.status
    if status == HTTPStatus.SEE_OTHER and exchange.head.version < (1, 1):
        status = HTTPStatus.FOUND  # RFC 1945, section 9.3: HTTP/1.0 has no other
    if response.rest is None:
        return await exchange.send(status, headers, response.body)
    await exchange.start(status, headers, None)
    if exchange.head.method != "HEAD":
        await exchange.write(response.body)
        async for chunk in response.rest:
            await exchange.write(chunk)
    return await exchange.finish()
