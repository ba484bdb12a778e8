"""Choices of several instances: each knows what the others were told, and Redis may come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from benchmarks.free_ports import free_port
from tests.features.redis.redises import MadeRedis, redis
from tests.proxy.stores.data_of_version_3 import FIELDS, MEANT
from tests.proxy.stores.memories import at
from tests.proxy.stores.test_site_choice import choices_of
from winnow.features.redis.redis_choices import (
    CHOICES,
    STAMP,
    RedisChoices,
    fields_of,
    remembered,
)
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import EVERYBODY, UNTIL_RESTART, Choices, PassThrough
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode
from winnow.proxy.stores.store_errors import StoreError

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
NEVER, ALWAYS = Choice(SiteMode.NEVER), Choice(SiteMode.ALWAYS, "bte", 3)
PATIENCE = 60.0


class Pair:
    """Two instances at one Redis, which is at a port that stays."""

    def __init__(self, port: int) -> None:
        self.clients = [
            Redis(port=port, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 1))
            for _ in range(2)
        ]
        self.copies = NotifyingChoices(), NotifyingChoices()
        self.one, self.two = (
            RedisChoices(copy, client, PATIENCE)
            for copy, client in zip(self.copies, self.clients, strict=True)
        )


@pytest.fixture
async def running() -> AsyncIterator[MadeRedis]:
    async with redis() as made:
        yield made


@pytest.fixture
async def pair(running: MadeRedis) -> AsyncIterator[Pair]:
    made = Pair(running.port)
    yield made
    for client in made.clients:
        await client.aclose()


async def test_what_one_is_reported_the_other_knows(pair: Pair) -> None:
    entry = PassThrough("bank.example", "refused", NOW, False, "::1", "abc")
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    await pair.one.learn(entry)
    await pair.one.pause(EVERYBODY, NOW)
    await pair.two.refresh()
    assert pair.two.now == pair.one.now
    assert pair.two.now.choice(EVERYBODY, at("a.example")) == NEVER
    assert pair.two.now.passed == {entry.key: entry}
    assert pair.two.now.of(EVERYBODY).paused_until == NOW


async def test_what_is_undone_in_one_is_undone_in_the_other(pair: Pair) -> None:
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    await pair.one.learn(PassThrough("bank.example", "refused", NOW))
    await pair.one.pause(EVERYBODY, UNTIL_RESTART)
    await pair.two.refresh()
    assert pair.two.now.of(EVERYBODY).paused_until == UNTIL_RESTART
    await pair.two.choose(EVERYBODY, "a.example", NO_CHOICE)
    await pair.two.unlearn(pair.two.now.refused_at("bank.example"))
    await pair.two.pause(EVERYBODY, None)
    await pair.one.refresh()
    assert pair.one.now == pair.two.now == Choices()


async def test_two_changes_at_once_are_both_stored(pair: Pair) -> None:
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    await pair.two.choose(EVERYBODY, "b.example", ALWAYS)  # who has not looked yet undoes nothing
    await pair.one.refresh()
    assert pair.one.now.of(EVERYBODY).choices == pair.two.now.of(EVERYBODY).choices
    assert pair.one.now.of(EVERYBODY).choices == {"a.example": NEVER, "b.example": ALWAYS}


async def test_others_are_reported_once_it_is_stored(pair: Pair) -> None:
    async def reported(_: object) -> None:
        await pair.two.refresh()

    pair.one.notify_instances = reported
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    assert pair.two.now.choice(EVERYBODY, at("a.example")) == NEVER


async def test_a_redis_that_forgot_is_filled_again(pair: Pair) -> None:
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    await pair.clients[0].flushall()
    await pair.one.refresh()
    await pair.two.refresh()
    assert pair.two.now.choice(EVERYBODY, at("a.example")) == NEVER


async def test_choices_from_before_there_was_a_redis_are_brought_along(pair: Pair) -> None:
    await pair.copies[0].choose(EVERYBODY, "a.example", NEVER)
    await pair.one.refresh()
    await pair.two.refresh()
    assert pair.two.now.choice(EVERYBODY, at("a.example")) == NEVER


async def test_what_is_chosen_while_redis_is_gone_holds_and_is_reported_later() -> None:
    async with AsyncExitStack() as stack:
        port = free_port()
        running = await stack.enter_async_context(redis(port))
        pair = Pair(port)
        for client in pair.clients:
            stack.push_async_callback(client.aclose)
        await pair.one.choose(EVERYBODY, "a.example", NEVER)
        await pair.two.refresh()
        await running.kill()
        await pair.one.choose(EVERYBODY, "b.example", ALWAYS)
        await pair.one.choose(EVERYBODY, "a.example", NO_CHOICE)
        assert pair.one.now.of(EVERYBODY).choices == {"b.example": ALWAYS}
        with pytest.raises(StoreError):
            await pair.two.refresh()
        assert pair.two.now.of(EVERYBODY).choices == {"a.example": NEVER}
        await stack.enter_async_context(redis(port))
        await pair.one.refresh()
        await pair.two.refresh()
        assert (
            pair.two.now.of(EVERYBODY).choices
            == pair.one.now.of(EVERYBODY).choices
            == {"b.example": ALWAYS}
        )


async def test_what_somebody_else_wrote_there_is_an_error_and_changes_nothing(pair: Pair) -> None:
    await pair.one.choose(EVERYBODY, "a.example", NEVER)
    await pair.clients[0].hset(CHOICES, "site b.example", '["sometimes", null, null]')
    await pair.clients[0].set(STAMP, "other")
    with pytest.raises(StoreError):
        await pair.one.refresh()
    assert pair.one.now.of(EVERYBODY).choices == {"a.example": NEVER}


async def test_what_version_3_wrote_is_written_anew_and_stays_forgotten(pair: Pair) -> None:
    for name, value in FIELDS.items():
        await pair.clients[0].hset(CHOICES, name, value)
    await pair.clients[0].set(STAMP, "of version 3")
    await pair.one.refresh()
    await pair.one.choose(EVERYBODY, "news.example", NO_CHOICE)
    await pair.two.refresh()
    assert pair.two.now == pair.one.now
    assert not pair.two.now.of(EVERYBODY).choices
    assert pair.two.now.of("user:anna").choices == MEANT["user:anna"]
    kinds = {str(name).partition(" ")[0] for name in await pair.clients[0].hkeys(CHOICES)}
    assert kinds == {"b'decided", "b'refusal", "b'pause"}


HOSTS = st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,5}){1,2}", fullmatch=True)
OWNERS = st.sampled_from([EVERYBODY, "::1", 'user:Anna of "X"', "user:a b"])
CHOICE = st.builds(
    Choice,
    st.sampled_from([None, *SiteMode]),
    st.sampled_from([None, "bte", "crunch:2"]),
    st.one_of(st.none(), st.integers(1, 12)),
)


@given(
    st.dictionaries(st.tuples(OWNERS, HOSTS), CHOICE, max_size=5),
    st.lists(st.tuples(HOSTS, st.text(max_size=9), st.booleans()), max_size=5),
    st.one_of(st.none(), st.just(UNTIL_RESTART), st.integers(0, 10**6)),
)
def test_everything_comes_back_as_it_was(
    choices: dict[tuple[str, str], Choice],
    passed: list[tuple[str, str, bool]],
    pause: datetime | int | None,
) -> None:
    until = NOW + timedelta(seconds=pause) if isinstance(pause, int) else pause
    now = Choices().with_pause(EVERYBODY, until)
    for (owner, site), choice in choices.items():
        now = now.with_choice(owner, site, choice).with_pause(owner, until)
    for host, reason, sure in passed:
        now = now.with_passed(PassThrough(host, reason, NOW, sure))
    assert remembered(fields_of(now)) == now


def test_fields_of_version_3_are_read() -> None:
    now = remembered(FIELDS)
    assert {owner: each for owner, each in choices_of(now).items() if each} == MEANT
    newer = remembered({**FIELDS, 'decided ["", "news.example", "mode"]': "never"})
    assert newer.of(EVERYBODY).choices["news.example"].mode is SiteMode.NEVER
