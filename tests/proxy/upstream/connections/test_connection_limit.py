"""Connections to one origin: so many and no more; who waits is served in order, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.proxy.origins import Origin, reply, serving
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest
from winnow.proxy.http.proxy_errors import OriginFaultError, OriginTimeoutError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.upstream.connections.connection_limit import ConnectionLimit
from winnow.proxy.upstream.connections.connection_pool import IdleConnections
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.origin_client import OriginClient

pytestmark = pytest.mark.usefixtures("virtual_time")


class Gate:
    """Answers each path once it may; counts how many connections are open at a time."""

    def __init__(self, *, closes: bool) -> None:
        self.waiting: list[asyncio.Event] = []
        self.paths: list[str] = []
        self.open = self.most = 0
        self.closes = closes
        self.came = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.paths.append(head.split(b" ")[1].decode())
                go = asyncio.Event()
                self.waiting.append(go)
                self.came.set()
                await go.wait()
                writer.write(reply(b"x", *(["Connection: close"] if self.closes else [])))
                if self.closes:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()

    async def let_go(self, number: int) -> None:
        while len(self.waiting) <= number:
            self.came.clear()
            await self.came.wait()
        self.waiting[number].set()


@asynccontextmanager
async def clients(
    most: int, seconds: float = 60, *, closes: bool = False
) -> AsyncIterator[tuple[OriginClient, Gate, int]]:
    gate = Gate(closes=closes)
    server = await asyncio.start_server(gate.serve, "127.0.0.1", 0)
    limit = ConnectionLimit(most, seconds)
    client = OriginClient(Connector(timeout=60), IdleConnections(), limit=limit)
    async with server:
        yield client, gate, server.sockets[0].getsockname()[1]
        await client.aclose()
        for each in gate.waiting:
            each.set()


def request(port: int, path: str) -> OriginRequest:
    return OriginRequest(
        "GET", parse_url(f"http://127.0.0.1:{port}{path}"), Headers((("Host", "x"),))
    )


async def fetch(client: OriginClient, order: OriginRequest) -> bytes:
    response = await client.send(order)
    body = await response.read()
    await response.aclose()
    return body


@pytest.mark.parametrize("closes", [False, True], ids=["kept", "closed"])
async def test_who_waits_is_served_in_order(closes: bool) -> None:
    async with clients(2, closes=closes) as (client, gate, port):
        tasks = []
        for number in range(8):
            tasks.append(asyncio.create_task(fetch(client, request(port, f"/{number}"))))
            await asyncio.sleep(0)
        for number in range(8):
            await gate.let_go(number)
        assert await asyncio.gather(*tasks) == [b"x"] * 8
        assert sorted(gate.paths[:2]) == ["/0", "/1"]
        assert gate.paths[2:] == [f"/{number}" for number in range(2, 8)]
        assert gate.most == 2


async def test_a_wait_has_an_end_and_leaves_no_gap() -> None:
    async with clients(1, 0.2) as (client, gate, port):
        first = asyncio.create_task(fetch(client, request(port, "/first")))
        await asyncio.sleep(0)
        with pytest.raises(OriginTimeoutError, match="in use"):
            await fetch(client, request(port, "/late"))
        await gate.let_go(0)
        assert await first == b"x"
        third = asyncio.create_task(fetch(client, request(port, "/third")))
        await gate.let_go(1)
        assert await third == b"x"
        assert gate.paths == ["/first", "/third"]


async def test_who_leaves_the_queue_holds_nobody_up() -> None:
    async with clients(1) as (client, gate, port):
        tasks = [asyncio.create_task(fetch(client, request(port, f"/{n}"))) for n in range(3)]
        await asyncio.sleep(0.01)
        tasks[1].cancel()
        await gate.let_go(0)
        await gate.let_go(1)
        assert await tasks[2] == b"x"
        assert gate.paths == ["/0", "/2"]


async def test_a_connection_that_fails_gives_its_place_back() -> None:
    async with serving(Origin()) as origin:
        gone = replace(request(origin.port, "/").target.origin, port=1)
    async with clients(1) as (client, gate, port):
        lost = replace(request(port, "/"), target=replace(request(port, "/").target, origin=gone))
        for _ in range(3):
            with pytest.raises(OriginFaultError):
                await fetch(client, lost)
        await asyncio.gather(fetch(client, request(port, "/")), gate.let_go(0))


async def test_other_origins_do_not_wait() -> None:
    async with (
        clients(1) as (client, gate, port),
        serving(Origin({"/": reply(b"other")})) as origin,
    ):
        busy = asyncio.create_task(fetch(client, request(port, "/busy")))
        await asyncio.sleep(0)
        assert await fetch(client, request(origin.port, "/")) == b"other"
        await gate.let_go(0)
        await busy
