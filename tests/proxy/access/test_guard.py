"""A stranger's connection is checked at the very address it goes to, so rebinding gains nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from proxy.access.errors import AddressRefusedError
from proxy.access.guard import any_socket, connect, guarded_socket


class Inside:
    """A server on loopback that a stranger must not reach; counts who came."""

    def __init__(self) -> None:
        self.visits = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.visits += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret")
        await writer.drain()
        writer.close()


class Rebinding(AbstractResolver):
    """Answers with a public address when looked at, with loopback when it counts."""

    def __init__(self, answers: list[list[str]]) -> None:
        self.answers = answers

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [
            ResolveResult(
                hostname=host, host=address, port=port, family=family_of(address), proto=0, flags=0
            )
            for address in addresses
        ]

    async def close(self) -> None:
        return None


def family_of(address: str) -> int:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


@pytest.fixture
async def inside() -> AsyncIterator[tuple[Inside, int]]:
    visited = Inside()
    server = await asyncio.start_server(visited.serve, "127.0.0.1", 0)
    async with server:
        yield visited, server.sockets[0].getsockname()[1]


def _info(address: str) -> tuple[int, int, int, str, tuple[str, int]]:
    return (family_of(address), socket.SOCK_STREAM, 0, "", (address, 80))


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "10.0.0.1", "169.254.169.254", "odd"])
def test_no_socket_is_made_for_what_is_not_public(address: str) -> None:
    with pytest.raises(AddressRefusedError):
        guarded_socket(_info(address))


def test_a_socket_is_made_for_what_is_public() -> None:
    with guarded_socket(_info("93.184.215.14")) as made:
        assert made.family == socket.AF_INET


def test_for_this_computer_any_will_do() -> None:
    with any_socket(_info("127.0.0.1")) as made:
        assert made.type == socket.SOCK_STREAM


@pytest.mark.parametrize(
    "answers",
    [
        [["127.0.0.1"]],
        [["::ffff:127.0.0.1"]],
        [["127.0.0.1", "10.0.0.1", "::1"]],
        [["127.0.0.1"], ["93.184.215.14"]],
    ],
)
async def test_a_name_that_leads_inside_is_refused(
    inside: tuple[Inside, int], answers: list[list[str]]
) -> None:
    visited, port = inside
    resolver = Rebinding(answers)
    connector = aiohttp.TCPConnector(resolver=resolver, socket_factory=guarded_socket)
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorError) as caught:
            await session.get(f"http://rebinding.example:{port}/")
    assert isinstance(caught.value.os_error, AddressRefusedError)
    assert visited.visits == 0


async def test_an_answer_that_changes_between_check_and_use_gains_nothing(
    inside: tuple[Inside, int],
) -> None:
    visited, port = inside
    resolver = Rebinding([["93.184.215.14"], ["127.0.0.1"]])
    checked = await resolver.resolve("rebinding.example", port)
    assert checked[0]["host"] == "93.184.215.14"  # what a check ahead of time would see
    connector = aiohttp.TCPConnector(resolver=resolver, socket_factory=guarded_socket)
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"http://rebinding.example:{port}/")
    assert visited.visits == 0


async def test_the_same_name_without_the_guard_is_reached(inside: tuple[Inside, int]) -> None:
    visited, port = inside
    connector = aiohttp.TCPConnector(resolver=Rebinding([["127.0.0.1"]]), socket_factory=any_socket)
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.get(f"http://rebinding.example:{port}/") as response,
    ):
        assert await response.text() == "secret"
    assert visited.visits == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001"])
async def test_a_tunnel_is_guarded_too(inside: tuple[Inside, int], host: str) -> None:
    visited, port = inside
    with pytest.raises(AddressRefusedError):
        await connect(host, port, guarded=True)
    assert visited.visits == 0


async def test_a_tunnel_for_this_computer_is_not(inside: tuple[Inside, int]) -> None:
    _, port = inside
    with await connect("127.0.0.1", port, guarded=False) as made:
        assert made.getpeername() == ("127.0.0.1", port)
