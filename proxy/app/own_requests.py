"""Requests for own pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from http import HTTPStatus

from aiohttp import web

from winnow.config.appearance import AS_DELIVERED, Appearance
from winnow.proxy.access.credentials.tokens import FormTokens, form_purpose
from winnow.proxy.access.own_addresses import READ_PATH
from winnow.proxy.access.own_faces import is_browser
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.app import own_responses
from winnow.proxy.app.client_reach import ClientReach
from winnow.proxy.app.read_requests import ReadRequests
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import OwnPageRoute
from winnow.proxy.forwarding.forwarder import Forwarder, gateway_prefix
from winnow.proxy.http.messages import Permit
from winnow.proxy.own.router import OwnPage, OwnRequest, read_query
from winnow.proxy.own.templates.base_page import LOOKS
from winnow.proxy.own.templates.errors.private_address_page import BEGIN
from winnow.proxy.own.templates.navigation import HERE
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

    def begin(self, head: RequestHead) -> None:
        """A request is answered from now on: pages of ours have the looks of who sent it."""
        LOOKS.set(partial(self.looks, head))

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
        token = self.tokens.make(form_purpose(exchange.head.client), datetime.now(UTC))
        if route.path == READ_PATH and exchange.head.method in ("GET", "HEAD"):
            if only_public:
                query.pop("token", None)
            return await self._read(exchange, query, token, policy, permit)
        base = gateway_prefix(exchange, policy)
        request = OwnRequest(
            exchange.head, route.path, query, base, exchange.body(), permit, token, self.limits
        )
        HERE.set(route.path)
        response = await self.pages(request)
        if response.status == HTTPStatus.REQUEST_TIMEOUT:  # the rest of the body may still arrive
            exchange.keep_alive = False
        return await own_responses.send(exchange, response)

    def _may_render(self, head: RequestHead, query: Mapping[str, str]) -> bool:
        """Whether a program asks or a form of ours: no link of a page may start a browser."""
        if "sec-fetch-site" not in head.headers and not is_browser(head.headers.get("user-agent")):
            return True
        purpose = form_purpose(head.client)
        return self.tokens.holds(query.get("token", ""), purpose, datetime.now(UTC))

    @cached_property
    def reach(self) -> ClientReach:
        return ClientReach(self.tokens, self.paired)

    @cached_property
    def _read(self) -> ReadRequests:
        return ReadRequests(self.forward, self.tokens)
