"""An origin and a client of HTTP/2, written with h2 alone: what Winnow speaks to in tests."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

from h2.config import H2Configuration
from h2.events import (
    DataReceived,
    Event,
    InformationalResponseReceived,
    RequestReceived,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
    WindowUpdated,
)
from h2.settings import SettingCodes, Settings

from winnow.proxy.http2.protocol import H2State

Fields = list[tuple[str, str]]


@dataclass
class Exchanged:
    """One stream as its peer saw it."""

    number: int
    fields: Fields = field(default_factory=list)
    interim: list[Fields] = field(default_factory=list)
    body: bytes = b""
    trailers: Fields = field(default_factory=list)
    ended: bool = False
    reset: int | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def get(self, name: str) -> str:
        """The first field of a name, "" without one."""
        return next((value for key, value in self.fields if key == name), "")

    async def until(self, ready: Callable[[], bool]) -> Exchanged:
        """Wait until something is true of it."""
        async with asyncio.timeout(60):
            while not ready():
                self.changed.clear()
                await self.changed.wait()
        return self

    async def complete(self) -> Exchanged:
        return await self.until(lambda: self.ended or self.reset is not None)


class Peer(asyncio.Protocol):
    """A connection; ``on_request`` is called with each complete or opened stream of the other."""

    def __init__(self, client: bool, on_request: Callable[[Peer, Exchanged], None] | None = None):
        settings = H2Configuration(
            client_side=client,
            header_encoding="latin-1",
            validate_outbound_headers=False,
            normalize_outbound_headers=False,
        )
        self.state = H2State(settings)
        self.streams: dict[int, Exchanged] = {}
        self.events: list[Event] = []
        self.window = asyncio.Event()
        self.reads = True
        self.lost = asyncio.get_running_loop().create_future()
        self._on_request = on_request
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are none
        self.state.initiate_connection()
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(exc)
        self.window.set()
        for stream in self.streams.values():
            if not stream.ended and stream.reset is None:
                stream.reset = -1
            stream.changed.set()

    def data_received(self, data: bytes) -> None:
        for event in self.state.receive_data(data):
            self.events.append(event)
            self._on_event(event)
        self.flush()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, WindowUpdated):
            self.window.set()
        number = getattr(event, "stream_id", 0)
        if not number or not isinstance(number, int):
            return
        stream = self.streams.setdefault(number, Exchanged(number))
        match event:
            case RequestReceived() | ResponseReceived():
                stream.fields = _texts(event.headers)
                if self._on_request and isinstance(event, RequestReceived):
                    self._on_request(self, stream)
            case InformationalResponseReceived():
                stream.interim.append(_texts(event.headers))
            case TrailersReceived():
                stream.trailers = _texts(event.headers)
            case DataReceived():
                stream.body += event.data
                if self.reads:
                    self.state.acknowledge_received_data(event.flow_controlled_length, number)
            case _:
                _note_end(stream, event)
        stream.changed.set()

    def flush(self) -> None:
        data = self.state.data_to_send()
        if data and self.transport and not self.transport.is_closing():
            self.transport.write(data)

    def send_raw(self, data: bytes) -> None:
        assert self.transport
        self.transport.write(data)

    def request(self, fields: Fields, end: bool = True) -> Exchanged:
        """Open a stream."""
        number = self.state.get_next_available_stream_id()
        stream = self.streams[number] = Exchanged(number)
        self.state.send_headers(number, fields, end_stream=end)
        self.flush()
        return stream

    def fields(self, number: int, fields: Fields, end: bool = False) -> None:
        self.state.send_headers(number, fields, end_stream=end)
        self.flush()

    async def data(self, number: int, body: bytes, end: bool = True) -> None:
        """Send bytes as the windows allow."""
        at = 0
        while at < len(body):
            room = self.state.local_flow_control_window(number)
            room = min(room, self.state.max_outbound_frame_size)
            if not room:
                self.window.clear()
                await self.window.wait()
                continue
            self.state.send_data(number, body[at : at + room])
            at += room
            self.flush()
        if end:
            self.state.end_stream(number)
            self.flush()

    def close(self) -> None:
        if self.transport:
            self.transport.close()


def _note_end(stream: Exchanged, event: Event) -> None:
    if isinstance(event, StreamEnded):
        stream.ended = True
    elif isinstance(event, StreamReset):
        stream.reset = int(event.error_code)


def _texts(headers: object) -> Fields:
    assert isinstance(headers, list)
    return [(str(name), str(value)) for name, value in headers]


Script = Callable[[Peer, Exchanged], Awaitable[None]]


@dataclass
class Http2Origin:
    """Answers each path by its script or its bytes, once the request is complete.

    ``websockets``: whether it offers extended CONNECT.
    """

    replies: dict[str, bytes | Script] = field(default_factory=dict)
    requests: list[Exchanged] = field(default_factory=list)
    peers: list[Peer] = field(default_factory=list)
    port: int = 0
    websockets: bool = False
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def protocol(self) -> Peer:
        peer = Peer(False, self._on_request)
        if self.websockets:
            values = {SettingCodes.ENABLE_CONNECT_PROTOCOL: 1}
            peer.state.local_settings = Settings(client=False, initial_values=values)
        self.peers.append(peer)
        return peer

    def _on_request(self, peer: Peer, stream: Exchanged) -> None:
        self.requests.append(stream)
        task = asyncio.create_task(self._answer(peer, stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, peer: Peer, stream: Exchanged) -> None:
        answer = self.replies.get(stream.get(":path"), b"nothing here")
        if not isinstance(answer, bytes):
            return await answer(peer, stream)
        await stream.complete()
        if stream.reset is None:
            await respond(peer, stream, answer)
        return None


async def respond(
    peer: Peer, stream: Exchanged, body: bytes, *more: tuple[str, str], status: str = "200"
) -> None:
    """A whole response with its length."""
    length, is_head = ("content-length", str(len(body))), stream.get(":method") == "HEAD"
    peer.fields(stream.number, [(":status", status), length, *more], end=is_head)
    if not is_head:
        await peer.data(stream.number, body)


@asynccontextmanager
async def serving_http2(
    origin: Http2Origin, tls: ssl.SSLContext | None
) -> AsyncIterator[Http2Origin]:
    """``tls``: its context, which then offers h2 alone."""
    if tls:
        tls.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(origin.protocol, "127.0.0.1", 0, ssl=tls)
    origin.port = server.sockets[0].getsockname()[1]
    try:
        yield origin
    finally:
        server.close()
        for peer in origin.peers:
            peer.close()
        await server.wait_closed()


def get_fields(url: str, *more: tuple[str, str], method: str = "GET") -> Fields:
    """The fields of a request."""
    scheme, _, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    pseudo = [(":method", method), (":scheme", scheme), (":authority", authority)]
    return [*pseudo, (":path", slash + path or "/"), *more]
