"""Who goes first and who waits."""

from __future__ import annotations

import asyncio

import pytest

from winnow.proxy.caching.coalescing import CoalescedFetches


@pytest.mark.parametrize("lost", [True, False])
async def test_who_waits_learns_how_it_ended(lost: bool) -> None:
    flights = CoalescedFetches(60)
    landed = flights.begin("a")
    waiting = asyncio.create_task(flights.landing("a"))
    await asyncio.sleep(0)
    landed(lost)
    assert await waiting is lost
    assert not flights.under_way("a")


async def test_other_keys_do_not_wait() -> None:
    flights = CoalescedFetches(60)
    flights.begin("a")
    assert not flights.under_way("b")


async def test_patience_ends() -> None:
    flights = CoalescedFetches(0.01)
    flights.begin("a")
    assert not await flights.landing("a")
    assert flights.under_way("a")


async def test_a_flight_lands_once_and_touches_no_later_one() -> None:
    flights = CoalescedFetches(60)
    first = flights.begin("a")
    first(False)
    flights.begin("a")
    first(True)
    assert flights.under_way("a")


async def test_who_stops_waiting_does_not_end_the_flight() -> None:
    flights = CoalescedFetches(60)
    landed = flights.begin("a")
    leaver, stayer = (asyncio.create_task(flights.landing("a")) for _ in range(2))
    await asyncio.sleep(0)
    leaver.cancel()
    await asyncio.gather(leaver, return_exceptions=True)
    landed(True)
    assert await stayer is True
