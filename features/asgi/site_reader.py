"""Answers the requests of an application that ask for another view of its own pages."""

from __future__ import annotations

from abc import ABC, abstractmethod

from winnow.features.asgi.app_response import (
    AppResponse,
    AsgiApp,
    Message,
    Receive,
    Scope,
    Send,
    head_of,
    scope_for,
)
from winnow.features.asgi.asgi_stream import AsgiStream
from winnow.features.origin.site_views import ORIGINAL, chosen, preferred, site_view
from winnow.proxy.access.requester import REQUESTER, Requester, RequestHead, client_key
from winnow.proxy.app.error_responses import send_error
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import from_headers
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.decisions.request.routing import ForwardRoute
from winnow.proxy.forwarding.forwarder import Forwarder
from winnow.proxy.forwarding.transaction import Transaction
from winnow.proxy.http.messages import OriginRequest, OriginResponse
from winnow.proxy.http.proxy_errors import OriginFaultError, ProxyError
from winnow.proxy.http.request_target import origin_target, parse_authority
from winnow.proxy.own.translation import LANGUAGE, by_header
from winnow.proxy.server.requests.exchange import Exchange


class SiteReader(ABC):
    """An application (ASGI 3) around another one; what is no view of a page passes untouched.

    ``prefix`` stands before the views; ``automatic``: pages for reading are shown so unasked, as by
    proxy.
    """

    def __init__(self, app: AsgiApp, policy: Policy, prefix: str, *, automatic: bool) -> None:
        self.app, self.policy = app, policy
        self.prefix, self.automatic = prefix, automatic

    @abstractmethod
    async def forwarder(self) -> Forwarder:
        """What makes the views, once it can."""

    @abstractmethod
    async def aclose(self) -> None:
        """End its processes; another request would begin them again."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._lifespan(scope, receive, send)
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return await self.app(scope, receive, send)
        head = head_of(scope)
        LANGUAGE.set(by_header(head))
        REQUESTER.set(Requester(client_key("", head.client)))
        exchange = Exchange(AsgiStream(head, send, secure=scope["scheme"] == "https"))
        try:
            transaction = await self._begun(exchange, head)
        except ProxyError as error:
            await send_error(exchange, error)
            return None
        if exchange.started:
            return None
        if transaction is None or not transaction.may_be_page:
            return await self.app(scope, receive, send)
        return await self._answer(transaction, scope, receive, send)

    async def _begun(self, exchange: Exchange, head: RequestHead) -> Transaction | None:
        """None where nobody asks for another view of the page, or the answer was sent."""
        scheme = "https" if exchange.secure else "http"
        public = parse_authority(head.headers.get("host") or "localhost", scheme)
        view, policy = site_view(head.target, self.prefix), self.policy
        if view.name == ORIGINAL:
            await exchange.send(303, chosen(public, view.path), b"")
            return None
        wanted = preferred(head, view, policy) or from_headers(head.headers, policy.recipe)
        is_asked = wanted.recipe.format is not policy.recipe.format or self.automatic
        if not is_asked and wanted.mode is RequestMode.AUTO:
            return None
        route = ForwardRoute(origin_target(public, view.path))
        forwarder = await self.forwarder()
        return await forwarder.begun(exchange, route, policy, wanted)

    async def _answer(
        self, transaction: Transaction, scope: Scope, receive: Receive, send: Send
    ) -> None:
        reply = AppResponse(self.app, scope_for(scope, transaction.request_to()), receive)
        try:
            await reply.begin()
            forwarder = await self.forwarder()
            if await forwarder.adapted(transaction, reply) is None:
                async for event in reply.events():
                    await send(event)
            await reply.aclose()
        finally:
            reply.cancel()

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(event: Message) -> None:
            if event["type"].startswith("lifespan.shutdown"):
                await self.aclose()
            await send(event)

        await self.app(scope, receive, sent)


class NoSender:
    """The Sender of what asks nobody: a text of several pages ends with its first one."""

    async def send(self, order: OriginRequest) -> OriginResponse:
        raise OriginFaultError("Further pages are not fetched here.")

    async def aclose(self) -> None:
        """There is nothing to close."""
