"""A user or an address sends so many requests a minute; others, and the next minute, are free."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.origins import Origin, ask, get, reply
from tests.proxy.proxies import proxying
from tests.proxy.server.test_balancers import behind, sent
from tests.proxy.server.test_proxy_protocol import line
from winnow.proxy.access.request_rate import MOST_CLIENTS, RequestRate
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def of(client: str, user: str = "") -> RequestHead:
    return RequestHead("GET", "/", Headers(), client, user=user)


def test_a_burst_is_admitted_and_then_one_each_interval() -> None:
    clock = Clock()
    rate = RequestRate(6, clock)
    assert [rate.wait(of("10.0.0.1")) for _ in range(7)] == [0] * 6 + [10]
    clock.now += 9
    assert rate.wait(of("10.0.0.1")) == 1
    clock.now += 1
    assert [rate.wait(of("10.0.0.1")) for _ in range(2)] == [0, 10]
    clock.now += 60
    assert [rate.wait(of("10.0.0.1")) for _ in range(7)] == [0] * 6 + [10]


def test_each_user_and_each_network_is_one_client() -> None:
    rate = RequestRate(1, Clock())
    assert rate.wait(of("2001:db8::1")) == 0
    assert rate.wait(of("2001:db8::2")) > 0
    assert rate.wait(of("2001:db8:0:1::2")) == 0
    assert rate.wait(of("2001:db8::1", "ann")) == 0
    assert rate.wait(of("10.0.0.9", "ann")) > 0


def test_without_a_bound_or_an_address_nothing_is_counted() -> None:
    assert not any(RequestRate().wait(of("10.0.0.1")) for _ in range(99))
    rate = RequestRate(1, Clock())
    assert not any(rate.wait(of("")) for _ in range(99))


def test_no_more_clients_than_a_bound_are_remembered() -> None:
    rate = RequestRate(1, Clock())
    for number in range(MOST_CLIENTS + 9):
        rate.wait(of(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"))
    assert len(rate._full_at) == MOST_CLIENTS


@given(st.lists(st.floats(0, 100), max_size=60), st.integers(1, 20))
def test_no_minute_has_more_than_twice_the_bound(pauses: list[float], per_minute: int) -> None:
    clock, admitted = Clock(), []
    rate = RequestRate(per_minute, clock)
    for pause in pauses:
        clock.now += pause
        if not rate.wait(of("10.0.0.1")):
            admitted.append(clock.now)
    for begin in admitted:
        assert sum(begin <= each < begin + 60 for each in admitted) <= 2 * per_minute


async def test_a_request_above_it_is_a_429_that_says_when(origin: Origin) -> None:
    origin.replies["/a"] = reply(b"a")
    async with proxying() as proxy:
        door = proxy.front
        proxy.door = replace(door, rate=RequestRate(2))
        async with behind(proxy) as here:
            asked = get(origin.url("/a"), "Connection: close")
            got = [await sent(here.port, line("198.51.100.7"), asked) for _ in range(3)]
            assert [b" 200 " in each for each in got] == [True, True, False]
            assert b" 429 " in got[2]
            assert b"\r\nRetry-After: " in got[2]
            assert b"too-many-requests" in got[2]
            assert b" 200 " in await sent(here.port, line("198.51.100.8"), asked)
        assert (await ask(proxy.port, get(origin.url("/a")))).status == 200  # as it was
