"""Answers hold for their TTL, and serve stale where no name server answers (RFC 8767)."""

from __future__ import annotations

import asyncio
import socket

import pytest

from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.connections import resolver as module
from winnow.proxy.upstream.connections.lookups import Found, Lookups
from winnow.proxy.upstream.connections.resolver import Resolver

ABSENT = socket.gaierror(socket.EAI_NONAME, "no such name")
SERVFAIL = socket.gaierror(socket.EAI_AGAIN, "no answer")


class Names:
    """Answers in turn; an error is raised, None never comes."""

    def __init__(self) -> None:
        self.now, self.asked = 0.0, 0
        self.answer: str | OSError | None = "192.0.2.1"
        self.ttl: float | None = 60.0
        self.resolver = Resolver(300, lookups=Lookups(self), clock=lambda: self.now)

    async def __call__(self, host: str, port: int) -> Found:
        self.asked += 1
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, OSError):
            raise self.answer
        return Found([(2, 1, 6, "", (self.answer, port))], self.ttl)

    async def get(self, after: float = 0.0) -> object:
        self.now += after
        return (await self.resolver.addresses("site.example", 80))[0][4][0]


@pytest.mark.parametrize(("ttl", "holds"), [(60, 60), (0, 5), (86400, 300), (None, 300)])
async def test_an_answer_holds_for_its_ttl_within_bounds(ttl: float | None, holds: float) -> None:
    names = Names()
    names.ttl = ttl
    await names.get()
    names.answer = "192.0.2.2"
    assert await names.get(holds - 0.1) == "192.0.2.1"
    assert await names.get(0.2) == "192.0.2.2"
    assert names.asked == 2


async def test_without_a_cache_each_is_asked_for() -> None:
    names = Names()
    names.resolver = Resolver(0, lookups=Lookups(names))
    await names.get()
    names.answer = SERVFAIL
    with pytest.raises(OriginUnreachableError):
        await names.get()


async def test_an_expired_answer_serves_for_a_day_where_no_server_answers() -> None:
    names = Names()
    await names.get()
    names.answer = SERVFAIL
    assert await names.get(61) == "192.0.2.1"
    assert names.asked == 2
    assert await names.get(29) == "192.0.2.1"
    assert names.asked == 2  # a try failed within 30 s
    assert await names.get(2) == "192.0.2.1"
    assert names.asked == 3
    with pytest.raises(OriginUnreachableError):
        await names.get(86400)


async def test_an_expired_answer_serves_where_none_comes_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "STALE_AFTER", 0.05)
    names = Names()
    await names.get()
    names.answer = None
    async with asyncio.timeout(60):
        assert await names.get(61) == "192.0.2.1"
        assert await names.get() == "192.0.2.1"
    assert names.asked == 2


async def test_a_name_that_is_gone_is_gone() -> None:
    names = Names()
    await names.get()
    names.answer = ABSENT
    with pytest.raises(OriginUnreachableError):
        await names.get(61)
    names.answer = SERVFAIL
    with pytest.raises(OriginUnreachableError):
        await names.get(6)


@pytest.mark.parametrize(("error", "status"), [(ABSENT, "dns_error"), (SERVFAIL, "dns_timeout")])
async def test_proxy_status_tells_what_does_not_exist_from_what_is_not_known(
    error: OSError, status: str
) -> None:
    names = Names()
    names.answer = error
    with pytest.raises(OriginUnreachableError) as raised:
        await names.get()
    assert raised.value.proxy_status == status
