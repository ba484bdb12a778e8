"""The way back to a client of ICAP: a response of HTTP, encapsulated; or 204, nothing to change."""

from __future__ import annotations

import asyncio

from aiohttp import web

from winnow.features.icap.icap_reader import IcapBody, IcapUpload
from winnow.features.icap.messages import icap_head
from winnow.features.icap.shared_pages import SHOWN
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import RequestBody, request_head, response_head
from winnow.proxy.server.requests.client_stream import BODILESS, FINISHED, NO_TRAILERS
from winnow.proxy.upstream.connections.connection_pool import OriginConnection


class IcapStream:
    """A ClientStream. ``is_begun``: the head of an answer was sent.

    ``seconds_stored``: how long a page may answer other readers, 0 for one reader's.
    """

    def __init__(self, wire: OriginConnection, head: RequestHead, body: IcapBody, tag: str) -> None:
        self.head, self.keep_alive, self.seconds_stored = head, True, 0
        self.secure = head.target.startswith("https:")
        self._wire, self._body, self._tag = wire, body, tag
        self._pending, self._has_body, self.is_begun = b"", False, False

    def body(self) -> RequestBody | None:
        return None if self._body.is_done else IcapUpload(self._body)

    async def unchanged(self) -> None:
        """204: the client goes on with what it has."""
        self.is_begun = True
        await self._body.skip()
        await self._wire.send(icap_head(204, self._tag))

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        """What Winnow made may depend on who asks, by a name that is no field of HTTP."""
        framing = () if length is None or status in BODILESS else (("Content-Length", str(length)),)
        self.start_same(
            status,
            reason,
            Headers((*stored(headers, self.seconds_stored).fields, *framing)),
            length,
        )

    def start_same(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        """The head as it is."""
        has_body = status >= 200 and status not in BODILESS and self.head.method != "HEAD"
        block = response_head(status, reason, headers)
        self._begin("res", block, has_body=has_body and length != 0)

    def start_request(self, headers: Headers, *, has_body: bool) -> None:
        """The request, with other fields."""
        block = request_head(self.head.method, self.head.target, headers)
        self._begin("req", block, has_body=has_body)

    def _begin(self, kind: str, block: bytes, *, has_body: bool) -> None:
        self._has_body, self.is_begun = has_body, True
        body = f"{kind}-body" if has_body else "null-body"
        parts = ("Encapsulated", f"{kind}-hdr=0, {body}={len(block)}")
        self._pending = icap_head(200, self._tag, parts) + block

    async def write(self, chunk: bytes) -> None:
        head, self._pending = self._pending, b""
        await self._wire.send(head + b"%x\r\n%b\r\n" % (len(chunk), chunk))

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        """ICAP has none."""

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        head, self._pending = self._pending, b""
        await self._wire.send(head + (b"0\r\n\r\n" if self._has_body else b""))
        await self._body.skip()
        return FINISHED[True]

    def break_off(self) -> web.StreamResponse:
        self.keep_alive = False
        self._wire.abort()
        return FINISHED[False]

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        raise ConnectionResetError("ICAP carries no other protocol.")

    def let_go(self) -> web.StreamResponse:
        return self.break_off()


def stored(headers: Headers, seconds: int) -> Headers:
    """The fields for a cache that several readers share (RFC 9111, sections 5.2.2.7 and 5.2.2.10).

    Readers' own caches validate each time, as those of pages by proxy do.
    """
    found = headers.items("cache-control")
    if not {"private", "no-store"}.isdisjoint(found):
        return headers
    if seconds and "no-cache" in found:
        control = f"max-age=0, must-revalidate, s-maxage={seconds}"
        vary = f"{headers.joined('vary')}, {SHOWN}"
        return headers.replaced(("Cache-Control", control), ("Vary", vary))
    control = f"{headers.joined('cache-control')}, private".lstrip(", ")
    return headers.replaced(("Cache-Control", control))
