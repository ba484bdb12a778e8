"""The servers by which an app is reached: the listener's, those inside TLS, redirected ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web

from winnow.proxy.access.claimed_clients import Claim, always, peer_itself
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import is_own
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import Origin, parse_authority
from winnow.proxy.server.connection import ConnectionServer, Ended
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.redirected import Ends, RedirectedServer
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.requests.client_stream import ClientStream, ServerContext
from winnow.proxy.server.requests.exchange import Exchange


@dataclass(frozen=True)
class AppServers(ABC):
    """``policy`` is called for each request, so that a pause applies at once."""

    policy: Callable[[], Policy]
    handover: Handover = field(default_factory=Handover, kw_only=True)
    bounds: ClientBounds = field(default_factory=ClientBounds, kw_only=True)
    claim: Claim = field(default=peer_itself, kw_only=True)

    @abstractmethod
    async def handle(self, exchange: Exchange) -> web.StreamResponse:
        """Answers a request, whatever goes wrong."""

    def server(  # noqa: PLR0913 - what is known of a connection's requests, as in RequestHead
        self,
        inside: Origin | None = None,
        ended: Ended | None = None,
        user: str = "",
        client: str | None = None,
        redirected: Origin | None = None,
        *,
        names: frozenset[str] = frozenset(),
    ) -> ConnectionServer:
        """aiohttp's server for this app; the arguments as in RequestHead.

        ``client`` is None for the listener's own server: each connection has its own.
        """
        claim = self.claim if client is None else always(client)
        context = replace(
            self._context,
            inside=inside,
            user=user,
            is_ours=self._is_ours,
            claim=claim,
            redirected=redirected,
            names=names,
        )
        return self._serving(context, ended, http2=self.bounds.http2)

    def redirected_server(self, is_ours: Callable[[Ends], bool]) -> RedirectedServer:
        """The server of connections that a firewall redirects here; in clear text HTTP/1.1 alone.

        ``is_ours``: whether a connection, by its ends, is one of our own.
        """
        return RedirectedServer(self._serving(self._context, None, http2=False), is_ours)

    @property
    def _context(self) -> ServerContext:
        """What all servers have in common."""
        bounds = self.bounds
        return ServerContext(
            upload_idle=bounds.upload_idle,
            stalled=bounds.stalled,
            account=bounds.account,
            rate_seconds=bounds.rate_seconds,
        )

    def _serving(
        self, context: ServerContext, ended: Ended | None, *, http2: bool
    ) -> ConnectionServer:
        def answer(stream: ClientStream) -> Coroutine[Any, Any, web.StreamResponse]:
            return self.handover.handle(Exchange(stream), self)

        server = ConnectionServer(answer, self.bounds.head, ended, context, http2=http2)
        self.handover.add(server)
        return server

    def _is_ours(self, authority: str) -> bool:
        """Whether a client names Winnow itself."""
        try:
            return is_own(parse_authority(authority, "http"), self.policy())
        except ClientFaultError:
            return False
