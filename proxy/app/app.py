"""The door: takes aiohttp's requests, routes each, and has it answered; knows no page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

from aiohttp import web

from winnow.proxy.access.admission import (
    CHALLENGE,
    COOKIE,
    COOKIE_SECONDS,
    OPEN_GATE,
    NotAdmittedError,
    Proof,
    admit,
    known_as,
    own_purpose,
    reach_purpose,
)
from winnow.proxy.access.authentication import Authenticator
from winnow.proxy.access.ip_addresses import public_only
from winnow.proxy.access.own_faces import Allowed, Reach, Refused, decide
from winnow.proxy.access.referrers import origin_of
from winnow.proxy.access.request_head import REQUESTER, Requester, client_key
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.face_requests import face_request
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.preferences import from_query
from winnow.proxy.decisions.response_headers import outcome_fields
from winnow.proxy.decisions.routing import (
    Face,
    ForwardRoute,
    InterceptRoute,
    OwnPageRoute,
    RedirectRoute,
    ReflectRoute,
    RefuseRoute,
    Route,
    TunnelRoute,
    route,
)
from winnow.proxy.forwarding.forwarder import Forwarder, gateway_prefix
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.forwarding.tunnel import tunnel
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.origins import Origin, parse_url
from winnow.proxy.http.proxy_errors import ClientFaultError, MalformedHeadError, ProxyError
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.observability.activity import page_opened
from winnow.proxy.observability.events import Observer, answered, ignore_event
from winnow.proxy.own.handlers.index import completed
from winnow.proxy.own.problem_details import problem
from winnow.proxy.own.router import STRICT_POLICY, OwnPages, OwnRequest, OwnResponse, read_query
from winnow.proxy.server.client_limits import KEEPALIVE_SECONDS, LINGERING_SECONDS, ClientBounds
from winnow.proxy.server.connection import MAX_FIELDS, MAX_LINE, ConnectionServer, Ended
from winnow.proxy.server.exchange import CLIENT_BROKE, PIECE, Exchange
from winnow.proxy.server.handover import Handover
from winnow.proxy.upstream.connector import Connector

_LOG = logging.getLogger("winnow.front")
FAILED = RefuseRoute(500, "internal-error", "Winnow failed to answer this request: see its log.")


@dataclass(frozen=True)
class App:
    """Answers every request. ``policy`` is asked anew each time: a pause takes effect at once."""

    policy: Callable[[], Policy]
    forward: Forwarder
    pages: OwnPages
    connector: Connector
    interceptor: Interceptor | None = None
    gate: Authenticator = OPEN_GATE
    observe: Observer = ignore_event
    turns: Handover = field(default_factory=Handover)
    tokens: FormTokens = field(default_factory=FormTokens)
    bounds: ClientBounds = field(default_factory=ClientBounds)

    def server(
        self, inside: Origin | None = None, ended: Ended | None = None, user: str = ""
    ) -> ConnectionServer:
        """aiohttp's server around this front; ``inside`` and ``user`` as in RequestHead.

        ``ended`` is told of the end of each of its connections.
        """

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            exchange = Exchange(request, inside, self.bounds.upload_idle, user)
            return await self.turns.handle(exchange, self)

        server = ConnectionServer(
            handle,
            handler_cancellation=True,
            auto_decompress=False,
            max_line_size=MAX_LINE,
            max_field_size=MAX_LINE,
            max_headers=MAX_FIELDS,
            keepalive_timeout=KEEPALIVE_SECONDS,
            read_bufsize=PIECE,
            lingering_time=LINGERING_SECONDS,
            access_log=None,
            logger=_LOG,
        )
        server.ended, server.head_seconds = ended, self.bounds.head
        self.turns.watch(server)
        return server

    async def handle(self, exchange: Exchange) -> web.StreamResponse:
        """Never raises but when the client has left: what fails is answered."""
        try:
            return await self._handled(exchange)
        finally:
            self.observe(answered(exchange))
            if page := page_opened(exchange):
                self.observe(page)

    async def _handled(self, exchange: Exchange) -> web.StreamResponse:
        policy = self.policy()
        try:
            proof = await admit(self.gate, exchange.head, policy.page_names)
            if not exchange.head.inside:  # there it is the user of the CONNECT
                REQUESTER.set(Requester(client_key(proof.user, exchange.head.client)))
            head = replace(exchange.head, user=proof.user) if proof.user else exchange.head
            exchange.head = known_as(head, policy.page_names)
            return await self._dispatch(exchange, policy, proof)
        except NotAdmittedError as error:
            return await _refused(exchange, _refusal(error), error.fields)
        except ProxyError as error:
            return await _refused(exchange, _refusal(error))
        except CLIENT_BROKE:
            return exchange.break_off()
        except Exception:  # noqa: BLE001  # a fault of ours costs one request; it is logged whole
            _LOG.exception("A request failed in a way that ignore_event foresaw")
            return await _refused(exchange, FAILED)

    async def _dispatch(
        self, exchange: Exchange, policy: Policy, proof: Proof
    ) -> web.StreamResponse:
        decision = route(exchange.head, policy)
        permit = self._permit(exchange, decision, policy, proof)
        match decision:
            case ForwardRoute():
                return await self.forward(exchange, decision, policy, permit=permit)
            case OwnPageRoute():
                return await self._own(exchange, decision, policy, permit)
            case TunnelRoute(origin, reason):
                return await self._tunnel(exchange, origin, reason, policy)
            case InterceptRoute(origin):
                return await self._intercept(exchange, origin, policy)
            case _:
                return await _brief(exchange, decision)

    def _permit(self, exchange: Exchange, found: Route, policy: Policy, proof: Proof) -> Permit:
        """Which addresses the request may reach. Raises NotAdmittedError if it is refused."""
        client = exchange.head.client
        own = gateway_prefix(exchange, policy).rstrip("/")
        request = face_request(exchange.head, found, own, proof, self.tokens)
        match decide(request) if request else None:
            case Refused(status, reason, sentence):
                challenge = (CHALLENGE,) if status == 401 else ()
                raise NotAdmittedError(sentence, status, reason, *challenge)
            case Allowed(Reach.PUBLIC):
                return public_only
            case _:
                return policy.permit_for(client)

    async def _tunnel(
        self, exchange: Exchange, origin: Origin, reason: str, policy: Policy
    ) -> web.StreamResponse:
        permit = policy.permit_for(exchange.head.client)
        far = await self.connector.open_tcp(origin, permit)
        return await tunnel(exchange, far, reason, self.bounds.tunnel)

    async def _intercept(
        self, exchange: Exchange, origin: Origin, policy: Policy
    ) -> web.StreamResponse:
        if self.interceptor is None:
            return await self._tunnel(exchange, origin, "not-intercepted", policy)
        self.connector.check_port(origin)
        permit = policy.permit_for(exchange.head.client)
        server = partial(self.server, user=exchange.head.user)
        return await self.interceptor(exchange, origin, server, permit)

    async def _own(
        self, exchange: Exchange, own: OwnPageRoute, policy: Policy, permit: Permit
    ) -> web.StreamResponse:
        query = read_query(own.query)
        if own.path == "/-/read" and exchange.head.method in ("GET", "HEAD"):
            return await self._read(exchange, query, policy, permit)
        base = gateway_prefix(exchange, policy)
        token = self.tokens.make(own_purpose(exchange.head.client), datetime.now(UTC))
        upload, limits = exchange.body(), self.bounds.upload
        asked = OwnRequest(exchange.head, own.path, query, base, upload, permit, token, limits)
        shown = await self.pages(asked)
        if shown.status == HTTPStatus.REQUEST_TIMEOUT:  # more of the body may still come
            exchange.keep_alive = False
        return await _shown(exchange, shown)

    async def _read(
        self, exchange: Exchange, query: dict[str, str], policy: Policy, permit: Permit
    ) -> web.StreamResponse:
        """``/-/read?url=``: the gateway, with wishes as parameters; basic has one of its own."""
        if not query.get("url"):
            if "text/html" in exchange.head.headers.joined("accept"):  # a person: there is a form
                return await exchange.send(303, Headers((("Location", "/"),)), b"")
            raise ClientFaultError("Name the page: /-/read?url=https://...", 400, "no-url")
        url = completed(query["url"])
        wishes = {name: value for name, value in query.items() if name not in ("url", "token")}
        if wishes in ({}, {"profile": "basic"}):
            location = ("/-/small/" if wishes else "/") + quote(url, safe="/:?#[]@!$&'()*+,;=%~")
            fields = Headers((("Location", location), ("Cache-Control", "no-store")))
            if "token" in query and permit is not public_only:
                fields = fields.plus(self._opening(exchange.head.client, url))
            return await exchange.send(302, fields, b"")
        forward = ForwardRoute(parse_url(url), Face.GATEWAY)
        wish = from_query(wishes, policy.recipe)
        return await self.forward(exchange, forward, policy, wish, permit)

    def _opening(self, client: str, url: str) -> Field:
        """A cookie by which the redirect to an address entered on our own page is recognised."""
        token = self.tokens.make(reach_purpose(client, origin_of(url)), datetime.now(UTC))
        rules = f"Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict"
        return "Set-Cookie", f"{COOKIE}={token}; {rules}"


async def _shown(exchange: Exchange, shown: OwnResponse) -> web.StreamResponse:
    fields = (
        ("Content-Type", shown.media_type),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "same-origin"),
        ("Content-Security-Policy", STRICT_POLICY),
    )
    return await exchange.send(shown.status, Headers(fields).replaced(*shown.fields), shown.body)


def _refusal(error: ProxyError) -> RefuseRoute:
    return RefuseRoute(error.status, error.reason, str(error))


async def _refused(
    exchange: Exchange, refuse: RefuseRoute, more: tuple[Field, ...] = ()
) -> web.StreamResponse:
    if exchange.started:
        return exchange.break_off()
    if exchange.head.method == "CONNECT" or refuse.reason == MalformedHeadError.reason:
        exchange.keep_alive = False
    fields, body = problem(refuse.status, refuse.reason, refuse.message, exchange.head.headers)
    return await exchange.send(
        refuse.status, fields.plus(("Winnow-Request", exchange.number), *more), body
    )


async def _brief(
    exchange: Exchange, decision: RedirectRoute | ReflectRoute | RefuseRoute
) -> web.StreamResponse:
    """The answers that need nothing but the request."""
    match decision:
        case RedirectRoute(location):
            fields = Headers((("Location", location), ("Cache-Control", "no-store")))
            return await exchange.send(307, fields, b"")
        case ReflectRoute():
            return await _reflect(exchange)
        case RefuseRoute():
            return await _refused(exchange, decision)


async def _reflect(exchange: Exchange) -> web.StreamResponse:
    """OPTIONS says what may be asked here; TRACE is refused, since it would mirror secrets."""
    outcome = outcome_fields(WinnowAction.ORIGINAL, "max-forwards")
    if exchange.head.method != "OPTIONS":
        return await exchange.send(405, Headers((("Allow", "GET, HEAD, OPTIONS"), *outcome)), b"")
    return await exchange.send(200, Headers((("Allow", "GET, HEAD, POST, OPTIONS"), *outcome)), b"")
