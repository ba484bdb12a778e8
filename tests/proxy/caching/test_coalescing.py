"""Of equal requests one fetches and the others wait."""

from __future__ import annotations

import asyncio

import pytest

from winnow.proxy.caching.coalescing import CoalescedFetches


@pytest.mark.parametrize("lost", [True, False])
async def test_a_waiter_gets_the_outcome_of_the_fetch(lost: bool) -> None:
    fetches = CoalescedFetches(60)
    finish = fetches.start("a")
    waiting = asyncio.create_task(fetches.wait("a"))
    await asyncio.sleep(0)
    finish(lost)
    assert await waiting is lost
    assert not fetches.is_running("a")


async def test_other_keys_do_not_wait() -> None:
    fetches = CoalescedFetches(60)
    fetches.start("a")
    assert not fetches.is_running("b")


async def test_waiting_ends_after_the_timeout() -> None:
    fetches = CoalescedFetches(0.01)
    fetches.start("a")
    assert not await fetches.wait("a")
    assert fetches.is_running("a")


async def test_finishing_twice_does_not_end_a_later_fetch() -> None:
    fetches = CoalescedFetches(60)
    first = fetches.start("a")
    first(False)
    fetches.start("a")
    first(True)
    assert fetches.is_running("a")


async def test_a_waiter_that_leaves_does_not_end_the_fetch() -> None:
    fetches = CoalescedFetches(60)
    finish = fetches.start("a")
    leaver, stayer = (asyncio.create_task(fetches.wait("a")) for _ in range(2))
    await asyncio.sleep(0)
    leaver.cancel()
    await asyncio.gather(leaver, return_exceptions=True)
    finish(True)
    assert await stayer is True
