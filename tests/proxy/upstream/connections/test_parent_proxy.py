"""Requests to a parent proxy: absolute form, and CONNECT for HTTPS."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest

from tests.proxy.origins import Origin, ask, get, reply, serving
from tests.proxy.proxies import proxying
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    OriginFaultError,
    OriginUnreachableError,
)
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.parent_proxy import ParentError, ParentProxy, parse_parent

SPARED = ("localhost", "10.0.0.0/8", "*.local.example", ".corp.example", "::1/128")


@dataclass
class Relay:
    """A parent proxy: answers absolute requests itself, joins CONNECT to ``behind``."""

    behind: int
    answer: bytes = b"HTTP/1.1 200 OK\r\nVia: 1.1 parent\r\n\r\n"
    heads: list[bytes] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head)
        if head.startswith(b"CONNECT"):
            writer.write(self.answer)
            if b" 200 " in self.answer:
                await self._join(reader, writer)
        else:
            writer.write(reply(b"from the parent", "Content-Type: text/plain"))
        writer.close()
        await writer.wait_closed()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.behind)
        await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        far_writer.close()
        await far_writer.wait_closed()


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        sink.write(data)
        await sink.drain()
    sink.write_eof()


@asynccontextmanager
async def relaying(behind: int) -> AsyncIterator[Relay]:
    relay = Relay(behind)
    server = await asyncio.start_server(relay.serve, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    async with server:
        yield relay


def connector(relay: Relay, user: str = "") -> Connector:
    return Connector(timeout=60, parent=parse_parent(f"http://{user}127.0.0.1:{relay.port}", ()))


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("example.com", True),
        ("localhost", False),
        ("10.1.2.3", False),
        ("11.1.2.3", True),
        ("::1", False),
        ("a.local.example", False),
        ("a.corp.example", False),
        ("corp.example", True),
    ],
)
def test_what_is_spared_goes_directly(host: str, served: bool) -> None:
    parent = parse_parent("http://parent.example:3128", SPARED)
    assert parent is not None
    assert parent.serves(Address("http", host, 80)) is served


def test_no_address_is_no_parent() -> None:
    assert parse_parent("", SPARED) is None


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://parent.example:8080", "parent.example:8080"),
        ("parent.example:8080", "parent.example:8080"),
        ("http://parent.example", "parent.example:3128"),
        ("http://[::1]:8080/", "[::1]:8080"),
    ],
)
def test_an_address_is_read(url: str, address: str) -> None:
    parent = parse_parent(url, ())
    assert parent is not None
    assert parent.address.address == address


@pytest.mark.parametrize("url", ["https://parent.example", "socks5://x:1", "http://", "http://a:b"])
def test_what_is_no_address_says_how_one_is_written(url: str) -> None:
    with pytest.raises(ParentError):
        parse_parent(url, ())


async def test_plain_requests_name_the_whole_address() -> None:
    async with relaying(0) as relay, proxying(connector=connector(relay, "ann:p%3Aw@")) as proxy:
        answer = await ask(proxy.port, get("http://site.example/a?b"))
    assert answer.body == b"from the parent"
    assert relay.heads[0].startswith(b"GET http://site.example/a?b HTTP/1.1\r\n")
    assert b"Host: site.example\r\n" in relay.heads[0]
    field = b"Proxy-Authorization: Basic " + b64encode(b"ann:p:w")
    assert field in relay.heads[0]


async def test_a_tunnel_goes_through_the_parents_tunnel() -> None:
    async with serving(Origin()) as origin:
        origin.replies["/"] = reply(b"behind")
        async with relaying(origin.port) as relay, proxying(connector=connector(relay)) as proxy:
            connect = b"CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n\r\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(connect)
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            writer.write(b"GET / HTTP/1.1\r\nHost: site.example\r\n\r\n")
            assert (await reader.readuntil(b"behind")).startswith(b"HTTP/1.1 200 OK")
            writer.close()
            await writer.wait_closed()
    assert relay.heads[0].startswith(b"CONNECT site.example:443 HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (b"HTTP/1.1 407 Who\r\n\r\n", OriginFaultError, "another name and password"),
        (b"HTTP/1.1 403 No\r\n\r\n", OriginUnreachableError, "does not connect to"),
        (b"nonsense\r\n\r\n", OriginUnreachableError, "status none"),
        (b"", OriginUnreachableError, "no HTTP response"),
    ],
)
async def test_a_refusing_parent_is_reported(
    answer: bytes, error: type[OriginFaultError], message: str
) -> None:
    async with relaying(0) as relay:
        relay.answer = answer
        with pytest.raises(error, match=message):
            await connector(relay).open_tcp(Address("https", "site.example", 443))


async def test_a_stranger_is_not_led_inside_by_the_parent() -> None:
    async with relaying(0) as relay:
        for host in ("10.0.0.1", "router.lan", "printer", "127.0.0.1"):
            with pytest.raises(AddressRefusedError):
                await connector(relay).open_tcp(Address("https", host, 443), public_only)
        assert not relay.heads


async def test_what_the_parent_does_not_serve_is_reached_directly() -> None:
    async with serving(Origin()) as origin:
        parent = ParentProxy(
            Address("http", "127.0.0.1", 1), excluded_networks=(ip_network("127.0.0.0/8"),)
        )
        wire = await Connector(timeout=60, parent=parent).open(
            Address("http", "127.0.0.1", origin.port), anywhere
        )
        assert wire.parent is None
        wire.close()
