"""Requests for own pages, and ``/-/read``, the gateway with its options as query parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import quote

from aiohttp import web

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.proxy.access.admission import Proof, is_restricted
from winnow.proxy.access.credentials.tokens import (
    REACH_COOKIE,
    REACH_SECONDS,
    FormTokens,
    form_purpose,
    reach_purpose,
)
from winnow.proxy.access.own_faces import is_browser
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.access.referrers import origin_of
from winnow.proxy.access.requester import REQUESTER, RequestHead
from winnow.proxy.decisions.face_requests import face_request, from_extension
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.private_permits import permit_by_proxy
from winnow.proxy.decisions.request.preferences import from_query
from winnow.proxy.decisions.request.query_names import check_parameters
from winnow.proxy.decisions.request.routing import (
    Face,
    ForwardRoute,
    OwnPageRoute,
    Route,
    is_own_face,
)
from winnow.proxy.forwarding.forwarder import Forwarder, gateway_prefix
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, PrivateAddressError
from winnow.proxy.http.request_target import completed, parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.own.problem_details import asks_for_page, words_page_of
from winnow.proxy.own.router import (
    STRICT_POLICY,
    OwnPage,
    OwnRequest,
    OwnResponse,
    read_query,
    shown,
)
from winnow.proxy.own.templates.base_page import begin_page
from winnow.proxy.own.templates.errors.private_address_page import (
    BEGIN,
    FetchRequest,
    question_page,
)
from winnow.proxy.own.templates.in_page.choice_links import private_question
from winnow.proxy.server.requests.client_limits import UploadLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.stores.paired_extensions import Paired


@dataclass(frozen=True)
class OwnRequests:
    """``tokens`` are those of own forms; ``limits`` are for the bodies of requests.

    ``paired``: the browser extensions that are paired now. ``looks``: the text and colours that
    a reader chose.
    """

    pages: OwnPage
    forward: Forwarder
    tokens: FormTokens = field(default_factory=FormTokens)
    limits: UploadLimits = field(default_factory=UploadLimits)
    paired: Callable[[], Paired] = tuple
    looks: Callable[[RequestHead], Appearance] = lambda _head: AS_DELIVERED

    async def __call__(
        self,
        exchange: Exchange,
        route: OwnPageRoute,
        policy: Policy,
        permit: Permit,
        *,
        only_public: bool = False,
    ) -> web.StreamResponse:
        """Respond with an own page; ``only_public``: ``permit`` is narrower than the client's."""
        query = read_query(route.query)
        if "render" in query and not self._may_render(exchange.head, query):
            del query["render"]
        if only_public:
            query.pop(BEGIN, None)
        if route.path == "/-/read" and exchange.head.method in ("GET", "HEAD"):
            if only_public:
                query.pop("token", None)
            return await self._read(exchange, query, policy, permit)
        base = gateway_prefix(exchange, policy)
        token = self._form_token(exchange.head)
        request = OwnRequest(
            exchange.head, route.path, query, base, exchange.body(), permit, token, self.limits
        )
        begin_page(route.path, self.looks(exchange.head))
        response = await self.pages(request)
        if response.status == HTTPStatus.REQUEST_TIMEOUT:  # the rest of the body may still arrive
            exchange.keep_alive = False
        return await _send(exchange, response)

    def _may_render(self, head: RequestHead, query: Mapping[str, str]) -> bool:
        """Whether a program asks or a form of ours: no link of a page may start a browser."""
        if "sec-fetch-site" not in head.headers and not is_browser(head.headers.get("user-agent")):
            return True
        purpose = form_purpose(head.client)
        return self.tokens.holds(query.get("token", ""), purpose, datetime.now(UTC))

    def permit(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> tuple[Permit, bool]:
        """What a request may reach, and whether that is public addresses only, since another site's
        page sent it. Raises NotAdmittedError."""
        if isinstance(route, ForwardRoute) and route.face is not Face.GATEWAY:
            return permit_by_proxy(exchange.head, route.target.origin.host, policy), False
        if self._is_only_public(exchange, route, policy, proof):
            REQUESTER.set(replace(REQUESTER.get(), is_sent=True))
            return public_only, True
        return policy.permit_of(exchange.head), False

    def question(
        self, exchange: Exchange, route: Route, policy: Policy, error: PrivateAddressError
    ) -> Headers | None:
        """The fields of a redirect to the page that asks whether a private address is meant."""
        head = exchange.head
        if not error.asks or not asks_for_page(head.headers):
            return None
        match route:
            case ForwardRoute(target, face):
                base = gateway_prefix(exchange, policy) if face is Face.GATEWAY else ""
                location = private_question(target.url, base)
            case OwnPageRoute(_, query):
                url = completed(read_query(query)["url"])
                location = private_question(url, gateway_prefix(exchange, policy))
            case _:
                return None
        return Headers((("Location", location), ("Cache-Control", "no-store")))

    def _is_only_public(
        self, exchange: Exchange, route: Route, policy: Policy, proof: Proof
    ) -> bool:
        """Whether the request may reach public addresses only. Raises NotAdmittedError."""
        if not is_own_face(route):
            return False
        own = gateway_prefix(exchange, policy).rstrip("/")
        head = exchange.head
        request = face_request(head, route, own, proof, self.tokens, faces=policy.faces)
        if request is None:
            return False
        return is_restricted(from_extension(request, head, route, self.paired()))

    async def _read(
        self, exchange: Exchange, query: dict[str, str], policy: Policy, permit: Permit
    ) -> web.StreamResponse:
        """Redirects to the gateway's own address where no other option is given.

        Asks where another site may have led the client to a private address.
        """
        if not query.get("url"):
            if "text/html" in exchange.head.headers.joined("accept"):  # a person: there is a form
                return await exchange.send(303, Headers((("Location", "/"),)), b"")
            raise ClientFaultError(
                says("Missing page address: /-/read?url=https://..."), 400, "no-url"
            )
        check_parameters(query)
        try:
            url = completed(query["url"])
        except ClientFaultError:
            if "text/html" not in exchange.head.headers.joined("accept"):
                raise
            head = exchange.head
            page = words_page_of(head, "/-/read", query["url"], self._form_token(head))
            return await exchange.send(HTTPStatus.BAD_REQUEST, *page)
        options = {name: value for name, value in query.items() if name not in ("url", "token")}
        if options in ({}, {"profile": "basic"}):
            location = ("/-/small/" if options else "/") + quote(url, safe="/:?#[]@!$&'()*+,;=%~")
            fields = Headers((("Location", location), ("Cache-Control", "no-store")))
            if "token" in query:
                fields = fields.plus(self._reach_cookie(exchange.head.client, url))
            return await exchange.send(302, fields, b"")
        route = ForwardRoute(parse_url(url), Face.GATEWAY)
        preferences = from_query(options, policy.recipe)
        try:
            return await self.forward(exchange, route, policy, preferences, permit)
        except PrivateAddressError as error:
            if not (REQUESTER.get().is_sent and asks_for_page(exchange.head.headers)):
                raise
            wanted = FetchRequest("/-/read", tuple(query.items()))
            token = self._form_token(exchange.head)
            return await _send(exchange, shown(question_page(wanted, error.host, token)))

    def _form_token(self, head: RequestHead) -> str:
        return self.tokens.make(form_purpose(head.client), datetime.now(UTC))

    def _reach_cookie(self, client: str, url: str) -> Field:
        """Lets the client open an address entered on our own page, after the redirect."""
        token = self.tokens.make(reach_purpose(client, origin_of(url)), datetime.now(UTC))
        attributes = f"Path=/; Max-Age={REACH_SECONDS}; HttpOnly; SameSite=Strict"
        return "Set-Cookie", f"{REACH_COOKIE}={token}; {attributes}"


async def _send(exchange: Exchange, response: OwnResponse) -> web.StreamResponse:
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
