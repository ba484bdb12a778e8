"""Behind load balancers the client is who the balancer names, in every way of a request."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from tests.proxy.forwarding.test_websocket import Far
from tests.proxy.http2_peers import Peer
from tests.proxy.origins import Origin, closed, get, opened, read_answer, reply
from tests.proxy.proxies import Proxy, proxying
from tests.proxy.server.test_proxy_protocol import binary, line
from tests.proxy.worlds import world
from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.admission import OPEN_GATE
from winnow.proxy.access.claimed_clients import ClaimField, claimed_by_field
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.server import balancers
from winnow.proxy.server.balancers import Balancers
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.sockets import bind_sockets

HERE: tuple[Network, ...] = (ip_network("127.0.0.1/32"),)
CLIENT = "198.51.100.7"


@dataclass
class Behind:
    """A proxy behind balancers at ``port``; ``clients`` are those of its requests to origins."""

    port: int
    limits: ConnectionLimits
    clients: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@asynccontextmanager
async def behind(
    proxy: Proxy,
    trusted: Balancers = Balancers(HERE, sends_header=True),  # noqa: B008  # it is frozen
    tls: ssl.SSLContext | None = None,
    gate: Authenticator = OPEN_GATE,
    most_each: int = 0,
) -> AsyncIterator[Behind]:
    """``proxy`` at one more port."""
    app = replace(proxy.front, gate=gate)
    if not trusted.sends_header:
        app = replace(app, claim=claimed_by_field(ClaimField.X_FORWARDED_FOR, HERE))
    server = app.server()
    server.connection_limits = bounds = ConnectionLimits(most_each=most_each)
    listener, sockets = Listener(server, tls, bounds), bind_sockets("127.0.0.1", 0)
    made = Behind(sockets[0].getsockname()[1], bounds)
    bounds.on_refusal = made.refused.append

    def permit(client: str) -> Permit:
        made.clients.append(client)
        return anywhere

    own = proxy.policy.own_names | {f"127.0.0.1:{made.port}"}
    proxy.policy = replace(proxy.policy, permit_for=permit, own_names=own)
    listener.balancers = trusted
    listener.accept(sockets)
    try:
        yield made
    finally:
        await listener.close()
        await server.shutdown(1)


async def sent(port: int, *pieces: bytes) -> bytes:
    """All that is answered until the end; ``pieces`` are sent apart."""
    reader, writer = await opened(port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.01)
    try:
        return await asyncio.wait_for(reader.read(), 60)
    except ConnectionError:
        return b""
    finally:
        with suppress(ConnectionError):
            await closed(writer)


@pytest.mark.parametrize("header", [line(CLIENT), binary(CLIENT), line("2001:db8::7")])
async def test_every_request_of_the_connection_is_the_claimed_clients(
    origin: Origin, header: bytes
) -> None:
    origin.replies["/a"] = reply(b"a")
    client = "2001:db8::7" if b"TCP6" in header else CLIENT
    async with proxying() as proxy, behind(proxy) as here:
        reader, writer = await opened(here.port)
        writer.write(header + get(origin.url("/a")))
        assert (await read_answer(reader)).body == b"a"
        writer.write(get(origin.url("/a")))
        assert (await read_answer(reader)).body == b"a"
        assert here.limits.clients == 1
        await closed(writer)
    assert here.clients == [client, client]


async def test_a_header_may_come_in_pieces(origin: Origin) -> None:
    origin.replies["/a"] = reply(b"a", "Connection: close")
    async with proxying() as proxy, behind(proxy) as here:
        for header in (line(CLIENT), binary(CLIENT)):
            pieces = [header[at : at + 5] for at in range(0, len(header), 5)]
            asked = get(origin.url("/a"), "Connection: close")
            assert (await sent(here.port, *pieces, asked)).endswith(b"a")
    assert here.clients == [CLIENT, CLIENT]


@pytest.mark.parametrize("header", [line("127.0.0.1"), b"PROXY UNKNOWN\r\n", binary(command=0x20)])
async def test_a_claimed_loopback_address_and_none_are_a_stranger(
    origin: Origin, header: bytes
) -> None:
    origin.replies["/a"] = reply(b"a")
    async with proxying() as proxy, behind(proxy) as here:
        refused = await sent(here.port, header + get(origin.url("/a"), "Connection: close"))
        assert b" 407 " in refused  # it is in no open network
        ready = b"GET /-/ready HTTP/1.0\r\n\r\n"  # a balancer's check
        assert b" 200 " in await sent(here.port, header + ready)
    assert not here.clients


@pytest.mark.parametrize(
    "beginning", [b"", b"PROXY TCP4 1.2.3.4\r\n", b"\x16\x03\x01", b"\r\n\r\n\0\r\nQUIT\n\x41\x11"]
)
async def test_from_a_balancer_the_header_is_required(origin: Origin, beginning: bytes) -> None:
    async with proxying() as proxy, behind(proxy) as here:
        assert await sent(here.port, beginning + get(origin.url("/a"))) == b""
        assert here.refused == ["proxy_header"]
        assert len(here.limits) == 0
    assert not here.clients


@pytest.mark.parametrize("header", [line(CLIENT), binary(CLIENT)])
async def test_from_others_it_is_refused(origin: Origin, header: bytes) -> None:
    elsewhere = Balancers((ip_network("10.0.0.2/32"),), sends_header=True)
    http2 = ClientBounds(http2=True)
    async with proxying(bounds=http2) as proxy, behind(proxy, elsewhere) as here:
        assert b" 400 " in await sent(here.port, header + get(origin.url("/a")))
        assert here.refused == ["unasked_proxy_header"]
    assert not here.clients
    assert not origin.requests


async def test_a_header_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(balancers, "PROXY_HEADER_SECONDS", 0.05)
    async with proxying() as proxy, behind(proxy) as here:
        assert await sent(here.port, b"PROXY TCP4 ") == b""
        assert here.refused == ["proxy_header"]


async def test_a_check_that_only_connects_is_no_fault() -> None:
    async with proxying() as proxy, behind(proxy) as here:
        _, writer = await opened(here.port)
        await closed(writer)
        assert b" 200 " in await sent(here.port, b"PROXY UNKNOWN\r\nGET /-/health HTTP/1.0\r\n\r\n")
        async with asyncio.timeout(60):
            while len(here.limits):  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0.01)
        assert not here.refused


async def test_connections_count_for_the_claimed_client() -> None:
    async with proxying() as proxy, behind(proxy, most_each=1) as here:
        asked = get(f"http://127.0.0.1:{here.port}/-/health")
        first, writer = await opened(here.port)
        writer.write(line(CLIENT) + asked)
        assert (await read_answer(first)).status == 200
        assert b" 503 " in await sent(here.port, line(CLIENT), asked)
        other, another = await opened(here.port)
        another.write(line("198.51.100.8") + asked)
        assert (await read_answer(other)).status == 200
        assert here.refused == ["connections_per_client"]
        await closed(another)
        await closed(writer)


async def test_streams_of_http2_and_their_websockets_are_the_claimed_clients(
    origin: Origin,
) -> None:
    Far(origin)
    async with proxying(bounds=ClientBounds(http2=True)) as proxy, behind(proxy) as here:
        loop = asyncio.get_running_loop()
        _, peer = await loop.create_connection(lambda: Late(line(CLIENT)), "127.0.0.1", here.port)
        fields = [
            *((":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http")),
            *((":authority", f"127.0.0.1:{origin.port}"), (":path", "/0")),
            ("sec-websocket-version", "13"),
        ]
        stream = peer.request(fields, end=False)
        await stream.until(lambda: bool(stream.fields))
        assert stream.get(":status") == "200"
        peer.close()
        await peer.lost
    assert here.clients == [CLIENT]


class Late(Peer):
    """Sends a PROXY header before HTTP/2."""

    def __init__(self, header: bytes) -> None:
        super().__init__(True)
        self.header = header

    def flush(self) -> None:
        if self.header and self.transport:
            self.transport.write(self.header)
            self.header = b""
        super().flush()


@pytest.mark.parametrize(("client", "seen"), [(CLIENT, CLIENT), ("127.0.0.1", "")])
async def test_inside_intercepted_tls_it_is_the_same_client(
    tmp_path: Path, client: str, seen: str
) -> None:
    gate = Authenticator({"ann": hash_password("secret")}, ())
    async with world(tmp_path) as here, behind(here.proxy, gate=gate) as front:
        here.origin.replies["/"] = reply(b"inside")
        host = f"site.test:{here.origin.port}"
        reader, writer = await opened(front.port)
        password = f"Proxy-Authorization: Basic {b64encode(b'ann:secret').decode()}"
        connect = f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n{password}\r\n\r\n"
        writer.write(line(client) + connect.encode())
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        await writer.start_tls(here.client(here.ours), server_hostname="site.test")
        writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert (await read_answer(reader)).body == b"inside"
        writer.close()
    assert set(front.clients) == {seen}
    assert len(front.clients) > 1  # the CONNECT and the request inside


async def test_the_header_comes_before_the_listeners_own_tls(
    tmp_path: Path, origin: Origin
) -> None:
    origin.replies["/a"] = reply(b"a")
    async with world(tmp_path) as keys, proxying() as proxy:
        tls = await keys.keys.context_for("winnow.test")
        async with behind(proxy, tls=tls) as here:
            reader, writer = await opened(here.port)
            writer.write(binary(CLIENT))
            await writer.start_tls(keys.client(keys.ours), server_hostname="winnow.test")
            writer.write(get(origin.url("/a")))
            assert (await read_answer(reader)).body == b"a"
            writer.close()
    assert here.clients == [CLIENT]


async def test_by_a_field_it_is_the_client_of_each_request_and_no_origin_sees_it(
    origin: Origin,
) -> None:
    origin.replies["/a"] = reply(b"a")
    by_field = Balancers(HERE)
    async with proxying() as proxy, behind(proxy, by_field, most_each=1) as here:
        reader, writer = await opened(here.port)
        other = await opened(here.port)  # a balancer has as many connections as it needs
        for claim in (CLIENT, "1.2.3.4, 198.51.100.8"):
            writer.write(get(origin.url("/a"), f"X-Forwarded-For: {claim}"))
            assert (await read_answer(reader)).body == b"a"
        for field_line in ("X-Forwarded-For: 127.0.0.1", "Accept: */*"):
            writer.write(get(origin.url("/a"), field_line))
            assert (await read_answer(reader)).status == 407
        await closed(other[1])
        await closed(writer)
    assert here.clients == [CLIENT, "198.51.100.8"]
    assert not any(b"forwarded" in head.lower() for head in origin.requests)
