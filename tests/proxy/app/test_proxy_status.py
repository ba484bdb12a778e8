"""Proxy-Status says why an origin did not answer (RFC 9209, section 2.3)."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.proxy.origins import ask, get
from tests.proxy.proxies import proxying


async def status_of(url: str) -> str:
    async with proxying() as proxy:
        answer = await ask(proxy.port, get(url))
    assert answer.field("winnow-reason") == "origin-unreachable"
    return answer.field("proxy-status")


async def test_a_name_that_nobody_knows() -> None:
    assert await status_of("http://nobody.invalid/") == "winnow; error=dns_error"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_port_where_nobody_listens(host: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://{host}:{free.getsockname()[1]}/"
        assert await status_of(url) == "winnow; error=connection_refused"


async def test_a_server_without_tls() -> None:
    async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(plain, "127.0.0.1", 0)
    async with server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await status_of(url) == "winnow; error=tls_protocol_error"


async def test_a_server_that_leaves_in_the_handshake() -> None:
    async def leave(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    server = await asyncio.start_server(leave, "127.0.0.1", 0)
    async with server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await status_of(url) == "winnow; error=connection_terminated"
