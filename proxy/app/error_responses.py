"""Responses that need no handler: errors, redirects, and OPTIONS or TRACE with Max-Forwards."""

from __future__ import annotations

from aiohttp import web

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.access.admission import NotAdmittedError
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.request.routing import RedirectRoute, ReflectRoute, RefuseRoute
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedHeadError,
    OriginFaultError,
    ProxyError,
)
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.sentences import N_
from winnow.proxy.own.problem_details import problem_of
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.server.requests.exchange import Exchange

INTERNAL_ERROR = RefuseRoute(
    500, "internal-error", N_("Winnow failed to answer this request: see its log.")
)


async def send_error(exchange: Exchange, error: ProxyError) -> web.StreamResponse:
    """The problem document or page of an error; breaks off where a response was begun."""
    if exchange.started:
        return exchange.break_off()
    head = exchange.head
    if head.method == "CONNECT" or error.reason == MalformedHeadError.reason:
        exchange.keep_alive = False
    failed = None if isinstance(error, NotAdmittedError) else FailedRequest(base=_base(head))
    fields, body = problem_of(error, head.headers, failed)
    more = error.fields if isinstance(error, NotAdmittedError | OriginFaultError) else ()
    fields = fields.replaced(("Winnow-Request", exchange.number), *more)
    return await exchange.send(error.status, fields, body)


def _base(head: RequestHead) -> str:
    """Where our own pages are for who sees an error: "" at an address of ours."""
    if head.is_straight:
        return ""
    return f"{'https' if head.inside else 'http'}://{OWN_NAME}"


async def send_refusal(exchange: Exchange, refusal: RefuseRoute) -> web.StreamResponse:
    """As ``send_error`` does, of a request that goes nowhere."""
    error = ClientFaultError(refusal.message, refusal.status, refusal.reason)
    return await send_error(exchange, error)


async def send_brief(
    exchange: Exchange, route: RedirectRoute | ReflectRoute | RefuseRoute
) -> web.StreamResponse:
    """The response to a route that needs nothing but the request."""
    match route:
        case RedirectRoute(location):
            fields = Headers((("Location", location), ("Cache-Control", "no-store")))
            status = 307 if exchange.head.version >= (1, 1) else 302  # RFC 1945, section 9.3
            return await exchange.send(status, fields, b"")
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
