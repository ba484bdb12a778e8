"""CONNECT to where nobody listens: a 502, to the CONNECT itself or as a page inside TLS."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tests.proxy.origins import Answer, read_answer, reply
from tests.proxy.worlds import World, world

BROWSER = "User-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def connect(here: World, authority: str, fields: str = "") -> tuple[Answer, Streams]:
    reader, writer = await asyncio.open_connection("127.0.0.1", here.proxy.port)
    writer.write(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{fields}\r\n".encode())
    return await read_answer(reader, "HEAD"), (reader, writer)


async def test_a_program_is_told_by_the_answer_to_connect(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        answer, (reader, writer) = await connect(here, f"site.test:{closed_port()}")
        rest = await reader.read()
        writer.close()
    assert answer.status == 502
    assert b"cannot be reached" in rest


async def test_a_browser_sees_the_page_inside_tls(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        authority = f"site.test:{closed_port()}"
        answer, (reader, writer) = await connect(here, authority, BROWSER)
        assert answer.status == 200
        await writer.start_tls(here.client(here.ours), server_hostname="site.test")
        fields = f"Host: {authority}\r\nAccept: text/html\r\nSec-Fetch-Site: none\r\n{BROWSER}"
        writer.write(f"GET / HTTP/1.1\r\n{fields}\r\n".encode())
        page = await read_answer(reader)
        writer.close()
    assert page.status == 502
    assert b"<!doctype html>" in page.body.lower()


async def test_a_program_that_speaks_tls_uses_the_connection_that_was_made(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.origin.replies["/"] = reply(b"x", "Content-Type: image/png")
        answer, _ = await here.fetch("site.test", here.client(here.ours), "/")
        assert answer.body == b"x"
        assert here.origin.connections == 1


@pytest.mark.parametrize("fields", ["", BROWSER])
async def test_a_server_that_speaks_first_is_heard(tmp_path: Path, fields: str) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-test\r\n")
        writer.write(await reader.readexactly(5))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server, world(tmp_path) as here:
        port = server.sockets[0].getsockname()[1]
        answer, (reader, writer) = await connect(here, f"site.test:{port}", fields)
        assert answer.status == 200
        writer.write(b"hello")
        async with asyncio.timeout(60):
            assert await reader.read() == b"SSH-2.0-test\r\nhello"
        writer.close()
