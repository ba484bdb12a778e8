"""One request and the way back to its client, whichever version of HTTP carries them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.web_protocol import RequestPayloadError

from winnow.proxy.access.claimed_clients import Claim, peer_itself
from winnow.proxy.access.memory_account import Holding, MemoryAccount
from winnow.proxy.access.requester import RequestHead, network_of
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import RequestBody
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http2.stream import STALLED_SECONDS
from winnow.proxy.server.requests.client_limits import RATE_SECONDS, UPLOAD_IDLE
from winnow.proxy.server.sockets import peer_address

CLIENT_BROKE = (RequestPayloadError, ConnectionError)
BODILESS = frozenset({204, 304})
NO_TRAILERS: Final = Headers()


def never_ours(authority: str) -> bool:
    """Knows no name of ours."""
    return not authority


@dataclass(frozen=True, slots=True)
class ServerContext:
    """What all requests of a server have in common.

    ``inside`` and ``user``: as in RequestHead. ``upload_idle``: seconds; ``stalled``: those
    in which a client of HTTP/2 opens no window. ``is_ours``: whether an authority names
    Winnow itself. ``claim``: who the client is, from the connection's peer and the fields.
    ``redirected``, ``names``: as in RequestHead. ``account``, ``rate_seconds``: as in ClientBounds.
    """

    inside: Origin | None = None
    user: str = ""
    upload_idle: float = UPLOAD_IDLE
    stalled: float = STALLED_SECONDS
    is_ours: Callable[[str], bool] = never_ours
    claim: Claim = peer_itself
    redirected: Origin | None = None
    names: frozenset[str] = frozenset()
    account: MemoryAccount = field(default_factory=MemoryAccount)
    rate_seconds: float = RATE_SECONDS

    def holding(self, transport: asyncio.BaseTransport) -> Holding:
        """What a connection makes Winnow hold, booked for its client."""
        peer = peer_address(transport.get_extra_info("peername"))
        client, _ = self.claim(peer, Headers())
        return self.account.holding(network_of(client or peer))


class FinishedResponse(web.StreamResponse):
    """Tells aiohttp that the response was written, and whether the connection stays open."""

    def __init__(self, keep_alive: bool) -> None:
        super().__init__()
        self._keep_alive = keep_alive

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        pass


FINISHED: Final = {keep_alive: FinishedResponse(keep_alive) for keep_alive in (True, False)}
"""aiohttp only reads them, so all requests share them."""


class ClientStream(Protocol):
    """``keep_alive``: whether the connection may carry further requests; may be set to False.

    ``secure``: TLS. Writing raises ConnectionError once the client is gone.
    """

    keep_alive: bool

    @property
    def head(self) -> RequestHead: ...

    @property
    def secure(self) -> bool: ...

    def body(self) -> RequestBody | None:
        """The request's body, None where it has none."""

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        """Send a head, with the first piece of the body or in the loop's next turn.

        ``headers`` have no framing. Raises MalformedHeadError, and nothing is sent then.
        """

    async def write(self, chunk: bytes) -> None:
        """Send a piece of the body; waits while the client is slow."""

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        """Send an interim response, before ``start``."""

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        """End the response; trailers are dropped where the client or the framing has none."""

    def break_off(self) -> web.StreamResponse:
        """End an incomplete response so that the client can tell."""

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        """Answer CONNECT; the transport of its bytes, reading paused, and those received already.

        After a response 101 was started, the bytes of the upgraded protocol.
        """

    def let_go(self) -> web.StreamResponse:
        """End what was taken over."""
