"""``/-/read``: the gateway with its options as query parameters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import quote

from aiohttp import web

from winnow.proxy.access.credentials.tokens import (
    REACH_COOKIE,
    REACH_SECONDS,
    FormTokens,
    reach_purpose,
)
from winnow.proxy.access.own_addresses import READ_PATH
from winnow.proxy.access.referrers import origin_of
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.app import own_responses
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import from_query
from winnow.proxy.decisions.request.query_names import check_parameters
from winnow.proxy.decisions.request.routing import Face, ForwardRoute
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, PrivateAddressError
from winnow.proxy.http.request_target import completed, parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.own.problem_details import asks_for_page, words_page_of
from winnow.proxy.own.router import shown
from winnow.proxy.own.templates.errors.private_address_page import FetchRequest, question_page
from winnow.proxy.server.requests.exchange import Exchange


@dataclass(frozen=True, slots=True)
class ReadRequests:
    """Forwards what ``/-/read`` names."""

    forward: Forwarder
    tokens: FormTokens

    async def __call__(
        self, exchange: Exchange, query: dict[str, str], token: str, policy: Policy, permit: Permit
    ) -> web.StreamResponse:
        """Redirects to the gateway's own address where no other option is given.

        ``token`` proves that a form is ours.

        Asks where another site may have led the client to a private address.
        """
        if not query.get("url"):
            return await _without_address(exchange)
        check_parameters(query)
        try:
            url = completed(query["url"])
        except ClientFaultError:
            if "text/html" not in exchange.head.headers.joined("accept"):
                raise
            head = exchange.head
            page = words_page_of(head, READ_PATH, query["url"], token)
            return await exchange.send(HTTPStatus.BAD_REQUEST, *page)
        options = {name: value for name, value in query.items() if name not in ("url", "token")}
        if options in ({}, {"profile": "basic"}):
            return await self._redirected(exchange, url, query, "/-/small/" if options else "/")
        route = ForwardRoute(parse_url(url), Face.GATEWAY)
        preferences = from_query(options, policy.recipe)
        try:
            return await self.forward(exchange, route, policy, preferences, permit)
        except PrivateAddressError as error:
            if not (REQUESTER.get().is_sent and asks_for_page(exchange.head.headers)):
                raise
            wanted = FetchRequest(READ_PATH, tuple(query.items()))
            question = shown(question_page(wanted, error.host, token))
            return await own_responses.send(exchange, question)

    async def _redirected(
        self, exchange: Exchange, url: str, query: dict[str, str], place: str
    ) -> web.StreamResponse:
        location = place + quote(url, safe="/:?#[]@!$&'()*+,;=%~")
        fields = Headers((("Location", location), ("Cache-Control", "no-store")))
        if "token" in query:
            fields = fields.plus(self._reach_cookie(exchange.head.client, url))
        return await exchange.send(302, fields, b"")

    def _reach_cookie(self, client: str, url: str) -> Field:
        """Lets the client open an address entered on our own page, after the redirect."""
        token = self.tokens.make(reach_purpose(client, origin_of(url)), datetime.now(UTC))
        attributes = f"Path=/; Max-Age={REACH_SECONDS}; HttpOnly; SameSite=Strict"
        return "Set-Cookie", f"{REACH_COOKIE}={token}; {attributes}"


async def _without_address(exchange: Exchange) -> web.StreamResponse:
    """Raises ClientFaultError for a program."""
    if "text/html" in exchange.head.headers.joined("accept"):  # a person: there is a form
        return await exchange.send(303, Headers((("Location", "/"),)), b"")
    raise ClientFaultError(says("Missing page address: /-/read?url=https://..."), 400, "no-url")
