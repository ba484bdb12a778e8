"""Slow names of one client delay no other, and equal ones are looked up once."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest

from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.http.proxy_errors import OriginTimeoutError, OriginUnreachableError
from winnow.proxy.upstream.connections.lookups import (
    QUERIES,
    THREADS,
    Found,
    Lookup,
    LookupLimits,
    Lookups,
    system_lookups,
)
from winnow.proxy.upstream.connections.resolver import Resolver

pytestmark = pytest.mark.usefixtures("virtual_time")


class Slow:
    """Answers once it may, but for names that are quick or unknown."""

    def __init__(self) -> None:
        self.may, self.many, self.names = asyncio.Event(), asyncio.Event(), list[str]()

    async def __call__(self, host: str, port: int) -> Found:
        self.names.append(host)
        if len(self.names) == 150:
            self.many.set()
        if host == "unknown.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if not host.startswith("quick"):
            async with asyncio.timeout(60):
                await self.may.wait()
        return Found([(2, 1, 6, "", (host, port))])


async def by(client: str, lookups: Lookups, host: str) -> Found:
    REQUESTER.set(Requester(client))
    return await lookups(host, 80)


@pytest.mark.parametrize("limits", [QUERIES, THREADS])
@pytest.mark.parametrize("zone", ["vpn.example", "{}.example"])
async def test_dead_names_of_two_clients_delay_neither_a_third_nor_their_own_live_names(
    limits: LookupLimits, zone: str
) -> None:
    """As many each as a page can have, and none of them ends before all that live were answered."""
    slow = Slow()
    lookups = Lookups(slow, replace(limits, slow_after=0.05))
    dead = min(80, limits.names - 5)
    asking = [
        asyncio.create_task(by(client, lookups, f"{client}{number}.{zone.format(number)}"))
        for client in "ab"
        for number in range(dead)
    ]
    async with asyncio.timeout(60):
        for number in range(5):
            for client in "abc":
                name = f"quick{number}.{client}.test"
                assert await asyncio.create_task(by(client, lookups, name))
    assert not any(task.done() for task in asking)
    slow.may.set()
    assert len(await asyncio.gather(*asking)) == 2 * dead
    assert not lookups._shares
    assert not lookups._tasks


@pytest.mark.parametrize("end", [".test", ".live.example", ".a.co.uk"])
async def test_a_dead_zone_of_a_client_leaves_its_other_names_their_places(end: str) -> None:
    """A zone is a registrable domain: what is dead under co.uk are one owner's names alone."""
    dead = ".co.uk" if end.endswith(".co.uk") else ".example"
    slow = Slow()
    lookups = Lookups(slow, replace(QUERIES, slow_after=0.01))
    asking = [
        asyncio.create_task(by("a", lookups, f"{number}.dead{dead}")) for number in range(200)
    ]
    await slow.many.wait()
    asking += [asyncio.create_task(by("a", lookups, f"{number}{end}")) for number in range(40)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert sum(name.endswith(end) for name in slow.names) == 40
    slow.may.set()
    await asyncio.gather(*asking)


async def test_a_client_without_slow_names_has_a_reserve() -> None:
    slow = Slow()
    lookups = Lookups(slow, replace(QUERIES, slow_after=0.01))
    many = [
        asyncio.create_task(by(f"client {client}", lookups, f"{number}.z{number}.c{client}"))
        for client in range(24)
        for number in range(100)
    ]
    await asyncio.sleep(1)
    assert len(slow.names) <= QUERIES.running - QUERIES.reserved + 24 * QUERIES.first
    async with asyncio.timeout(60):
        names = [f"quick{number}.example" for number in range(40)]
        assert await asyncio.gather(*(by("new", lookups, name) for name in names))
    slow.may.set()
    await asyncio.gather(*many)


async def test_no_more_names_of_a_client_wait_than_may() -> None:
    slow = Slow()
    lookups = Lookups(slow)
    names = [f"{number}.example" for number in range(QUERIES.names)]
    asking = [asyncio.create_task(by("a", lookups, name)) for name in names]
    await asyncio.sleep(0.1)
    with pytest.raises(OriginTimeoutError):
        await asyncio.create_task(by("a", lookups, "one-more.example"))
    slow.may.set()
    assert len(await asyncio.gather(*asking)) == QUERIES.names


async def test_a_name_that_waited_too_long_is_an_error() -> None:
    slow = Slow()
    lookups = Lookups(slow, replace(QUERIES, wait_seconds=0.05))
    names = [f"{number}.example" for number in range(QUERIES.quick + 1)]
    asking = [asyncio.create_task(by("a", lookups, name)) for name in names]
    await asyncio.wait(asking, timeout=20, return_when=asyncio.FIRST_COMPLETED)
    slow.may.set()
    found = await asyncio.gather(*asking, return_exceptions=True)
    late = [isinstance(each, OriginTimeoutError) for each in found]
    assert late == [*[False] * QUERIES.quick, True]
    assert not lookups._shares


async def test_equal_names_are_looked_up_once_and_all_get_the_failure() -> None:
    slow = Slow()
    lookups = Lookups(slow)
    asking = [asyncio.create_task(by(client, lookups, "same.example")) for client in "abc"]
    await asyncio.sleep(0.05)
    asking[0].cancel()  # the first caller may leave
    slow.may.set()
    assert len(await asyncio.gather(*asking[1:])) == 2
    assert slow.names == ["same.example"]
    both = (lookups("unknown.example", 80) for _ in "ab")
    failed = await asyncio.gather(*both, return_exceptions=True)
    assert [type(each) for each in failed] == [socket.gaierror] * 2


async def test_a_name_that_failed_is_not_looked_up_again_at_once() -> None:
    slow, now = Slow(), [0.0]
    resolver = Resolver(lookups=Lookups(slow), clock=lambda: now[0])
    for port in (80, 443):
        with pytest.raises(OriginUnreachableError):
            await resolver.addresses("unknown.example", port)
    assert slow.names == ["unknown.example"]
    now[0] = 6
    with pytest.raises(OriginUnreachableError):
        await resolver.addresses("unknown.example", 80)
    assert slow.names == ["unknown.example"] * 2


async def test_the_system_knows_localhost_and_no_label_of_seventy_letters() -> None:
    lookup: Lookup = system_lookups(2)
    assert (await lookup("localhost", 80)).addresses
    with pytest.raises(socket.gaierror):
        await lookup("a" * 70, 80)
