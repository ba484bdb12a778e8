"""Names are asked of real name servers: by DNS, or of the system where only that knows them."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator

import pytest

from tests.proxy.upstream.name_servers import NameServer, name_server
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.upstream.connections.dns_client import DnsClient, only_system_knows
from winnow.proxy.upstream.connections.lookups import Lookups

NAMES = {
    "both.example": ("192.0.2.1", "2001:db8::1"),
    "four.example": ("192.0.2.4",),
    "empty.example": (),
    **{f"new{number}.test": ("192.0.2.9",) for number in range(20)},
}


@pytest.fixture
async def server() -> AsyncIterator[NameServer]:
    async with name_server(NAMES) as server:
        yield server


@pytest.fixture
async def client(server: NameServer) -> AsyncIterator[DnsClient]:
    client = DnsClient([server.address])
    yield client
    await client.aclose()


async def test_both_families_are_found_with_the_shortest_ttl(
    client: DnsClient, server: NameServer
) -> None:
    server.ttl = 77
    found = await client("both.example", 443)
    hosts = {info[4][0] for info in found.addresses}
    assert hosts == {"192.0.2.1", "2001:db8::1"}
    assert {info[4][1] for info in found.addresses} == {443}
    assert {info[1] for info in found.addresses} == {socket.SOCK_STREAM}
    assert found.seconds == 77


@pytest.mark.parametrize("name", ["absent.example", "empty.example", "a" * 70 + ".example"])
async def test_a_name_without_address_does_not_exist(client: DnsClient, name: str) -> None:
    with pytest.raises(socket.gaierror) as raised:
        await client(name, 80)
    assert raised.value.errno == socket.EAI_NONAME


@pytest.mark.parametrize("code", [2, 5])
async def test_a_server_that_fails_or_refuses_says_nothing_of_the_name(
    client: DnsClient, server: NameServer, code: int
) -> None:
    server.code = code
    with pytest.raises(socket.gaierror) as raised:
        await client("four.example", 80)
    assert raised.value.errno == socket.EAI_AGAIN


async def test_numbers_and_localhost_need_no_server(client: DnsClient, server: NameServer) -> None:
    server.up = False
    for name, address in (("127.0.0.1", "127.0.0.1"), ("::1", "::1")):
        assert (await client(name, 80)).addresses[0][4][0] == address
    assert (await client("localhost", 80)).addresses
    assert not server.asked


@pytest.mark.parametrize("name", ["nobody.invalid", "Hidden.ONION."])
async def test_names_that_no_server_has_are_not_asked_for(
    client: DnsClient, server: NameServer, name: str
) -> None:
    with pytest.raises(socket.gaierror):
        await client(name, 80)
    assert not server.asked


async def test_a_closed_client_begins_anew(client: DnsClient) -> None:
    assert await client("four.example", 80)
    await client.aclose()
    assert await client("four.example", 80)


async def test_new_names_beside_160_dead_ones_of_two_others_need_no_thread(
    client: DnsClient, server: NameServer
) -> None:
    lookups, threads = Lookups(client), threading.active_count()

    async def by(who: str, name: str) -> bool:
        REQUESTER.set(Requester(who))
        return bool(await lookups(name, 80))

    server.up = False
    dead = [
        asyncio.create_task(by(who, f"{who}{number}.dead.example"))
        for who in "ab"
        for number in range(80)
    ]
    await asyncio.sleep(0.1)  # all that may start have
    server.up = True
    async with asyncio.timeout(60):
        for number in range(20):
            assert await asyncio.create_task(by("c", f"new{number}.test"))
    assert threading.active_count() <= threads + 1
    await asyncio.gather(*dead, return_exceptions=True)


@pytest.mark.parametrize(
    ("name", "zones", "of_system"),
    [
        ("example.com", (), False),
        ("router", (), True),
        ("printer.local", (), True),
        ("PRINTER.LOCAL.", (), True),
        ("nas.home.arpa", (), True),
        ("local.example", (), False),
        ("wiki.corp.example", ("corp.example",), True),
        ("notcorp.example", ("corp.example",), False),
        ("example.com", ("*",), True),
    ],
)
def test_what_only_the_system_knows(name: str, zones: tuple[str, ...], of_system: bool) -> None:
    assert only_system_knows(name, zones) is of_system


def test_on_macos_the_system_knows_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert only_system_knows("example.com", ())
