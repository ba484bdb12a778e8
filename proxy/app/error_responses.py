"""Responses that need no handler: errors, redirects, and OPTIONS or TRACE with Max-Forwards."""

from __future__ import annotations

from aiohttp import web

from winnow.proxy.access.admission import NotAdmittedError
from winnow.proxy.decisions.request.routing import RedirectRoute, ReflectRoute, RefuseRoute
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.proxy_errors import MalformedHeadError, OriginFaultError, ProxyError
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.problem_details import problem
from winnow.proxy.server.requests.exchange import Exchange

INTERNAL_ERROR = RefuseRoute(
    500, "internal-error", N_("Winnow failed to answer this request: see its log.")
)


async def send_error(exchange: Exchange, error: ProxyError) -> web.StreamResponse:
    """The response to an error that a request raised."""
    fields = error.fields if isinstance(error, NotAdmittedError | OriginFaultError) else ()
    return await send_refusal(
        exchange, RefuseRoute(error.status, error.reason, error.sentence), fields
    )


async def send_refusal(
    exchange: Exchange, refusal: RefuseRoute, more: tuple[Field, ...] = ()
) -> web.StreamResponse:
    """A problem document or error page; breaks off where a response was begun."""
    if exchange.started:
        return exchange.break_off()
    if exchange.head.method == "CONNECT" or refusal.reason == MalformedHeadError.reason:
        exchange.keep_alive = False
    fields, body = problem(refusal.status, refusal.reason, refusal.message, exchange.head.headers)
    fields = fields.replaced(("Winnow-Request", exchange.number), *more)
    return await exchange.send(refusal.status, fields, body)


async def send_brief(
    exchange: Exchange, route: RedirectRoute | ReflectRoute | RefuseRoute
) -> web.StreamResponse:
    """The response to a route that needs nothing but the request."""
    match route:
        case RedirectRoute(location):
            fields = Headers((("Location", location), ("Cache-Control", "no-store")))
            return await exchange.send(307, fields, b"")
        case ReflectRoute():
            return await _send_options(exchange)
        case RefuseRoute():
            return await send_refusal(exchange, route)


async def _send_options(exchange: Exchange) -> web.StreamResponse:
    """OPTIONS; TRACE is refused, since its response would hold credentials."""
    is_options = exchange.head.method == "OPTIONS"
    status, methods = (
        (200, "GET, HEAD, POST, OPTIONS") if is_options else (405, "GET, HEAD, OPTIONS")
    )
    fields = (("Allow", methods), *outcome_fields(WinnowAction.ORIGINAL, "max-forwards"))
    return await exchange.send(status, Headers(fields), b"")
