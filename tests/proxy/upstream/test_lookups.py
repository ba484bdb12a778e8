"""Slow names of one client delay no other, and equal ones are looked up once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.http.proxy_errors import OriginTimeoutError, OriginUnreachableError
from winnow.proxy.upstream.lookups import LOOKUPS_PER_CLIENT, AddressInfo, Lookups
from winnow.proxy.upstream.resolver import Resolver


class Slow:
    """Answers once it may, but for names that are quick or unknown."""

    def __init__(self) -> None:
        self.may, self.names = threading.Event(), list[str]()

    def __call__(self, host: str, port: int) -> list[AddressInfo]:
        self.names.append(host)
        if host == "unknown":
            raise OSError("Name or service not known")
        if host != "quick":
            assert self.may.wait(30)
        return [(2, 1, 6, "", (host, port))]


async def by(client: str, lookups: Lookups, host: str) -> list[AddressInfo]:
    REQUESTER.set(Requester(client))
    return await lookups(host, 80)


async def test_slow_names_of_one_client_delay_no_other() -> None:
    slow = Slow()
    lookups = Lookups(slow)
    names = [str(number) for number in range(LOOKUPS_PER_CLIENT)]
    asking = [asyncio.create_task(by("a", lookups, name)) for name in names]
    await asyncio.sleep(0.1)
    with pytest.raises(OriginTimeoutError):
        await asyncio.create_task(by("a", lookups, "one more"))
    async with asyncio.timeout(20):
        assert await asyncio.create_task(by("b", lookups, "quick"))
    slow.may.set()
    assert len(await asyncio.gather(*asking)) == LOOKUPS_PER_CLIENT
    assert not lookups._per_client
    assert not lookups._tasks


async def test_equal_names_are_looked_up_once_and_all_get_the_failure() -> None:
    slow = Slow()
    lookups = Lookups(slow)
    asking = [asyncio.create_task(by(client, lookups, "same")) for client in "abc"]
    await asyncio.sleep(0.05)
    asking[0].cancel()  # the first caller may leave
    slow.may.set()
    assert len(await asyncio.gather(*asking[1:])) == 2
    assert slow.names == ["same"]
    failed = await asyncio.gather(*(lookups("unknown", 80) for _ in "ab"), return_exceptions=True)
    assert [type(each) for each in failed] == [OriginUnreachableError] * 2


async def test_a_name_that_failed_is_not_looked_up_again_at_once() -> None:
    slow = Slow()
    resolver = Resolver(lookups=Lookups(slow))
    for port in (80, 443):
        with pytest.raises(OriginUnreachableError):
            await resolver.addresses("unknown", port)
    assert slow.names == ["unknown"]
    resolver._failed.clear()  # its time is over
    with pytest.raises(OriginUnreachableError):
        await resolver.addresses("unknown", 80)
    assert slow.names == ["unknown", "unknown"]
