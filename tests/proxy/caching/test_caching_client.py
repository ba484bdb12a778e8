"""The client that remembers, before an origin made for the test and by a clock that it moves."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.proxy.caching.making import (
    PRIVATE,
    URL,
    Bench,
    MadeReply,
    bench,
    fields,
    http_date,
    order,
    reply,
    whole,
)
from winnow.proxy.caching.caching_client import VARIANTS, CachingRules
from winnow.proxy.caching.memory_storage import Entries, MemoryStorage
from winnow.proxy.http.messages import Permit, ResponseHead
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    MalformedResponseError,
    OriginCertificateError,
    OriginFaultError,
)

MINUTE = "Cache-Control: max-age=60"
TAGGED = 'ETag: "1"'
RELOAD = "Cache-Control: no-cache"


@pytest.fixture
def kept() -> Bench:
    """A cache before an origin whose reply is fresh for a minute."""
    made = bench()
    made.origin.says(MINUTE, TAGGED)
    return made


async def test_the_second_time_the_origin_is_not_asked(kept: Bench) -> None:
    first = await kept.get()
    kept.clock.now += 30
    second = await kept.get()
    assert (first.body, first.cache) == (b"body", "fwd=uri-miss; stored")
    assert (second.body, second.cache) == (b"body", "hit; ttl=30")
    assert second.head.headers.get("age") == "30"
    assert second.head.headers.get("content-length") == "4"
    assert kept.fetches == 1


async def test_a_kept_answer_is_as_long_after_it_was_read_as_before(kept: Bench) -> None:
    """A page that could not be extracted is announced after it was read."""
    await kept.get()
    answer = await kept.client.send(order())
    assert answer.length == 4
    assert await answer.read() == b"body"
    assert (answer.length, await answer.read()) == (4, b"")


async def test_another_address_is_another_reply(kept: Bench) -> None:
    await kept.get()
    await kept.get(url=URL + "?q=1")
    assert kept.fetches == 2


async def test_a_stale_reply_is_validated_and_young_again(kept: Bench) -> None:
    await kept.get()
    kept.clock.now += 100
    kept.origin.says("Cache-Control: max-age=90", TAGGED, "X: new", status=304, body=b"")
    validated = await kept.get('If-None-Match: "theirs"', "Range: bytes=0-1")
    assert kept.origin.orders[1].headers == fields('If-None-Match: "1"')
    assert (validated.status, validated.body) == (206, b"bo")
    assert validated.cache == "hit; fwd=stale; fwd-status=304; ttl=90"
    kept.clock.now += 80
    assert (await kept.get()).head.headers.get("x") == "new"
    assert kept.fetches == 2
    assert kept.origin.replies[1].closed


async def test_a_reply_that_changed_takes_the_place_of_the_old(kept: Bench) -> None:
    await kept.get()
    kept.clock.now += 100
    kept.origin.says(MINUTE, 'ETag: "2"', f"Date: {http_date(100)}", body=b"changed")
    assert (await kept.get()).body == b"changed"
    again = await kept.get()
    assert (again.body, again.is_hit, kept.fetches) == (b"changed", True, 2)


async def test_a_304_with_another_tag_confirms_the_one_that_was_sent(kept: Bench) -> None:
    await kept.get()
    kept.clock.now += 100
    kept.origin.says(MINUTE, 'ETag: "2"', status=304, body=b"")
    assert (await kept.get()).head.headers.get("etag") == '"1"'
    assert (await kept.get()).cache == "hit; ttl=60"


async def test_a_304_may_change_what_the_reply_varies_by(kept: Bench) -> None:
    await kept.get("Accept: a")
    kept.clock.now += 100
    kept.origin.says(MINUTE, TAGGED, "Vary: Accept", status=304, body=b"")
    await kept.get("Accept: a")
    kept.origin.says(MINUTE, "Vary: Accept", body=b"other")
    assert (await kept.get("Accept: a")).body == b"body"
    assert (await kept.get("Accept: b")).body == b"other"
    assert (await kept.get("Accept: a")).body == b"body"


@pytest.mark.parametrize("told", ["Cache-Control: no-store", "Cache-Control: private", "Vary: *"])
async def test_what_may_not_be_stored_is_passed_on(told: str) -> None:
    made = bench()
    made.origin.says(told, "Cache-Control: max-age=60")
    passed = await made.get()
    assert (passed.body, passed.cache) == (b"body", "fwd=uri-miss")
    assert not (await made.get()).is_hit
    assert all(passing.closed for passing in made.origin.replies)


async def test_a_private_cache_keeps_what_is_for_one_person() -> None:
    made = bench(CachingRules(PRIVATE))
    made.origin.says("Cache-Control: private, max-age=60")
    await made.get()
    assert (await made.get()).is_hit


async def test_variants_are_kept_side_by_side_and_not_without_end() -> None:
    made = bench()
    made.origin.answer = lambda request: MadeReply(
        reply("Vary: Accept", MINUTE), (request.headers.get("accept").encode(),)
    )
    for number in range(VARIANTS + 2):
        await made.get(f"Accept: {number}")
    assert [made.origin.orders[-1].headers.get("accept")] == [str(VARIANTS + 1)]
    latest = await made.get(f"Accept: {VARIANTS + 1}")
    assert (latest.body, latest.is_hit) == (str(VARIANTS + 1).encode(), True)
    assert (await made.get("Accept: 2")).is_hit
    oldest = await made.get("Accept: 0")
    assert (oldest.body, oldest.cache) == (b"0", "fwd=vary-miss; stored")


# -- what comes only in part


async def test_a_body_that_is_cut_short_is_not_stored(kept: Bench) -> None:
    kept.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"ha", b"lf"), cut=True)
    with pytest.raises(MalformedResponseError):
        await kept.get()
    kept.origin.says(MINUTE)
    assert not (await kept.get()).is_hit


async def test_a_reply_whose_client_leaves_is_not_stored(kept: Bench) -> None:
    answer = await kept.client.send(order())
    assert await answer.read() == b"body"
    await answer.aclose()
    assert not (await kept.get()).is_hit
    assert kept.origin.replies[0].closed


@pytest.mark.parametrize("told", [True, False])
async def test_what_is_too_large_is_passed_on_and_not_stored(told: bool) -> None:
    made = bench(CachingRules(largest=10))
    made.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"01234567", b"89abcdef"), told)
    assert (await made.get()).body == b"0123456789abcdef"
    assert not (await made.get()).is_hit


async def test_memory_is_bounded() -> None:
    storage = MemoryStorage(8000)
    made = bench(storage=storage)
    made.origin.says(MINUTE, body=b"x" * 1000)
    for number in range(50):
        await made.get(url=f"{URL}?{number}")
    assert (await made.get(url=f"{URL}?49")).is_hit
    assert not (await made.get(url=f"{URL}?0")).is_hit
    assert storage.size <= 8000


# -- equal requests at the same time


async def test_a_hundred_clients_are_one_fetch(kept: Bench) -> None:
    kept.origin.held = asyncio.Event()
    crowd = asyncio.create_task(kept.all([order()] * 100))
    await kept.origin.asked.wait()
    kept.origin.held.set()
    answers = await crowd
    assert {answer.body for answer in answers} == {b"body"}
    assert kept.fetches == 1
    assert sum("collapsed" in answer.cache for answer in answers) == 99


async def test_a_reply_that_is_not_stored_is_fetched_by_everyone_at_once(kept: Bench) -> None:
    """Nobody waits for a body that will not help: the last piece comes only when all have asked."""
    all_asked = asyncio.Event()

    def answer(_: object) -> MadeReply:
        if kept.fetches == 5:
            all_asked.set()
        return MadeReply(reply("Cache-Control: no-store"), (b"own",), gate=all_asked)

    kept.origin.answer = answer
    answers = await kept.all([order()] * 5)
    assert [answer.body for answer in answers] == [b"own"] * 5


async def test_nobody_waits_for_what_was_not_stored_the_last_time(kept: Bench) -> None:
    kept.origin.says("Cache-Control: no-store")
    await kept.get()
    kept.origin.held = asyncio.Event()
    crowd = asyncio.create_task(kept.all([order()] * 5))
    async with asyncio.timeout(60):
        await kept.origin.asked_by(6)  # the first one is held, and so is everyone else
    kept.origin.says(MINUTE)
    kept.origin.held.set()
    assert len(await crowd) == 5
    assert (await kept.get()).is_hit  # what may be stored again is waited for again
    assert kept.fetches == 6


async def test_a_leader_that_fails_does_not_take_the_others_with_it(kept: Bench) -> None:
    kept.origin.held = asyncio.Event()
    kept.origin.fails()
    crowd = [asyncio.create_task(kept.all([order()])) for _ in range(3)]
    await kept.origin.asked.wait()
    kept.origin.held.set()
    failed = await asyncio.wait_for(asyncio.gather(*crowd[:1], return_exceptions=True), 60)
    kept.origin.says(MINUTE)
    assert isinstance(failed[0], OriginFaultError)
    rest = await asyncio.gather(*crowd[1:], return_exceptions=True)
    assert len(rest) == 2
    assert (await kept.get()).body == b"body"


async def test_where_the_leader_leaves_one_other_goes_and_not_all(kept: Bench) -> None:
    kept.origin.held = asyncio.Event()
    leader = asyncio.create_task(kept.all([order()]))
    await kept.origin.asked.wait()
    crowd = asyncio.create_task(kept.all([order()] * 20))
    await asyncio.sleep(0)
    leader.cancel()
    await asyncio.gather(leader, return_exceptions=True)
    kept.origin.held.set()
    assert {answer.body for answer in await crowd} == {b"body"}
    assert kept.fetches == 2


async def test_where_the_leader_leaves_amid_the_body_one_other_goes(kept: Bench) -> None:
    answer = await kept.client.send(order())
    crowd = asyncio.create_task(kept.all([order()] * 20))
    await asyncio.sleep(0)
    await answer.aclose()
    assert {answer.body for answer in await crowd} == {b"body"}
    assert kept.fetches == 2


async def test_a_leader_whose_body_is_cut_short_lets_the_others_ask(kept: Bench) -> None:
    gate = asyncio.Event()
    kept.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"ha", b"lf"), gate=gate, cut=True)
    answer = await kept.client.send(order())
    await answer.read()
    crowd = asyncio.create_task(kept.all([order()] * 3))
    await asyncio.sleep(0)
    kept.origin.says(MINUTE)
    gate.set()
    with pytest.raises(MalformedResponseError):
        await answer.read()
    assert {answer.body for answer in await crowd} == {b"body"}
    await answer.aclose()


async def test_nobody_waits_for_a_slow_leader_for_ever() -> None:
    made = bench(CachingRules(patience=0.01))
    made.origin.says(MINUTE)
    slow = await made.client.send(order())
    assert (await made.get()).body == b"body"
    await slow.aclose()


async def test_who_asks_with_conditions_does_not_wait(kept: Bench) -> None:
    slow = await kept.client.send(order())
    assert (await kept.get('If-None-Match: "x"')).status == 200
    await slow.aclose()


async def test_a_client_that_leaves_while_it_waits_hurts_nobody(kept: Bench) -> None:
    kept.origin.held = asyncio.Event()
    crowd = [asyncio.create_task(kept.all([order()])) for _ in range(3)]
    await kept.origin.asked.wait()
    await asyncio.sleep(0)
    crowd[1].cancel()
    await asyncio.gather(crowd[1], return_exceptions=True)
    kept.origin.held.set()
    (first,), (last,) = await crowd[0], await crowd[2]
    assert (first.body, last.body, kept.fetches) == (b"body", b"body", 1)


# -- an origin that fails


async def test_what_is_stale_stands_in_for_an_origin_that_cannot_be_reached(kept: Bench) -> None:
    await kept.get()
    kept.clock.now += 1000
    kept.origin.fails()
    stood_in = await kept.get()
    assert (stood_in.body, stood_in.head.headers.get("age")) == (b"body", "1000")
    assert "origin-unreachable" in stood_in.cache


@pytest.mark.parametrize(
    "failure", [OriginCertificateError("made to fail"), AddressRefusedError("made to fail")]
)
async def test_what_must_be_seen_is_not_hidden_by_the_cache(
    kept: Bench, failure: Exception
) -> None:
    await kept.get()
    kept.clock.now += 1000
    kept.origin.fails(failure)
    with pytest.raises(type(failure)):
        await kept.get()


async def test_without_anything_stored_the_failure_is_told(kept: Bench) -> None:
    kept.origin.fails()
    with pytest.raises(OriginFaultError):
        await kept.get()


@pytest.mark.parametrize(
    ("status", "late", "body"),
    [(500, 10, b"body"), (503, 10, b"body"), (503, 200, b"down"), (404, 10, b"down")],
)
async def test_stale_if_error(status: int, late: float, body: bytes) -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-if-error=100")
    await made.get()
    made.clock.now += 60 + late
    made.origin.says(status=status, body=b"down")
    assert (await made.get()).body == body
    assert made.origin.replies[1].closed


async def test_only_if_cached(kept: Bench) -> None:
    asked = "Cache-Control: only-if-cached"
    assert (await kept.get(asked)).status == 504
    assert kept.fetches == 0
    await kept.get()
    assert (await kept.get(asked)).status == 200


# -- validated meanwhile


async def test_a_stale_reply_is_sent_at_once_and_validated_meanwhile() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60", TAGGED)
    await made.get()
    made.clock.now += 90
    made.origin.says(MINUTE, TAGGED, status=304, body=b"")
    made.origin.held = asyncio.Event()
    made.origin.asked.clear()
    answers = [await made.get(), await made.get()]
    assert [answer.head.headers.get("age") for answer in answers] == ["90", "90"]
    await made.origin.asked.wait()
    made.origin.held.set()
    await made.client.settled()
    assert (await made.get()).head.headers.get("age") == "0"
    assert made.fetches == 2


@pytest.mark.parametrize("failure", [OriginFaultError("x"), AddressRefusedError("x")])
async def test_validating_meanwhile_may_fail(failure: Exception) -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60")
    await made.get()
    made.clock.now += 90
    made.origin.fails(failure)
    assert (await made.get()).is_hit
    await made.client.settled()
    assert (await made.get()).is_hit
    await made.client.settled()
    assert made.fetches == 3


async def test_meanwhile_nothing_is_read_that_would_not_be_stored() -> None:
    made = bench(CachingRules(largest=10))
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60")
    await made.get()
    made.clock.now += 90
    endless = MadeReply(reply(MINUTE), (b"x" * 8,) * 1000, told=False)
    made.origin.answer = lambda _: endless
    await made.get()
    await made.client.settled()
    assert endless.closed
    assert endless.pieces_read == 2


async def test_closing_ends_what_is_asked_meanwhile() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60")
    await made.get()
    made.clock.now += 90
    made.origin.held = asyncio.Event()
    made.origin.asked.clear()
    await made.get()
    await made.origin.asked.wait()
    await made.client.aclose()
    assert made.origin.closed


# -- HEAD


async def test_head_is_answered_from_a_stored_get(kept: Bench) -> None:
    await kept.get()
    head = await kept.get("Range: bytes=0-1", method="HEAD")
    assert (head.status, head.body, head.head.headers.get("content-length")) == (200, b"", "4")
    assert kept.fetches == 1


async def test_a_heads_reply_is_not_stored_as_a_gets(kept: Bench) -> None:
    kept.origin.says(MINUTE, body=b"")
    await kept.get(method="HEAD")
    kept.origin.says(MINUTE)
    assert (await kept.get()).body == b"body"


@pytest.mark.parametrize(("tag", "fetched"), [('ETag: "1"', 2), ('ETag: "2"', 3)])
async def test_head_renews_a_stored_get_or_casts_doubt_on_it(
    kept: Bench, tag: str, fetched: int
) -> None:
    await kept.get()
    kept.clock.now += 100
    kept.origin.says(MINUTE, tag, body=b"")
    await kept.get(method="HEAD")
    await kept.get()
    assert kept.fetches == fetched


async def test_head_says_nothing_of_other_variants() -> None:
    made = bench()
    made.origin.says(MINUTE, TAGGED, "Vary: Accept")
    await made.get("Accept: a")
    made.origin.says(MINUTE, 'ETag: "2"', "Vary: Accept", body=b"")
    await made.get("Accept: b", method="HEAD")
    assert (await made.get("Accept: a")).is_hit


async def test_a_head_that_finds_nothing_casts_no_doubt(kept: Bench) -> None:
    await kept.get()
    kept.origin.says(status=404, body=b"")
    await kept.get(RELOAD, method="HEAD")
    assert (await kept.get()).is_hit


# -- requests that change something


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "MADE-UP"])
@pytest.mark.parametrize(
    ("status", "still"), [(200, False), (303, False), (404, True), (500, True)]
)
async def test_an_unsafe_request_that_went_well_makes_a_reply_unsure(
    kept: Bench, method: str, status: int, still: bool
) -> None:
    await kept.get()
    kept.origin.says(status=status)
    await kept.get(method=method)
    kept.origin.says(MINUTE)
    assert (await kept.get()).is_hit is still


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE"])
async def test_a_safe_request_changes_nothing(kept: Bench, method: str) -> None:
    await kept.get()
    await kept.get(method=method)
    assert (await kept.get()).is_hit


@pytest.mark.parametrize("name", ["Location", "Content-Location"])
@pytest.mark.parametrize(
    ("told", "still"),
    [
        (URL, False),
        ("/page", False),
        ("page", False),
        ("http://ORIGIN.test:80/page", False),
        ("https://origin.test/page", True),
        ("http://origin.test:81/page", True),
        ("http://other.test/page", True),
        ("http://[::1/page", True),
        ("mailto:x@example.com", True),
    ],
)
async def test_where_it_leads_counts_on_the_same_origin_only(
    kept: Bench, name: str, told: str, still: bool
) -> None:
    await kept.get()
    kept.origin.says(f"{name}: {told}", status=201)
    await kept.get(method="POST", url="http://origin.test/form")
    kept.origin.says(MINUTE)
    assert (await kept.get()).is_hit is still


async def test_another_origin_cannot_empty_our_cache(kept: Bench) -> None:
    await kept.get()
    kept.origin.says(f"Location: {URL}", status=201)
    await kept.get(method="POST", url="http://evil.test/")
    kept.origin.says(MINUTE)
    assert (await kept.get()).is_hit


# -- who may have it


def permit() -> Permit:
    return lambda _address, _port: True


async def test_what_local_clients_fetched_is_kept_from_others(kept: Bench) -> None:
    """The others' permit might refuse the address that it came from."""
    await kept.get()
    assert not (await whole(await kept.client.send(order(permit=permit())))).is_hit
    assert (await whole(await kept.client.send(order(permit=permit())))).is_hit
    assert kept.fetches == 2


async def test_no_address_can_be_written_so_that_it_reaches_the_local_ones(kept: Bench) -> None:
    await kept.get()
    for url in (URL + " (local)", URL + "?local"):
        assert not (await whole(await kept.client.send(order(url=url, permit=permit())))).is_hit


async def test_an_unsafe_request_of_others_makes_local_replies_unsure_too(kept: Bench) -> None:
    await kept.get()
    await whole(await kept.client.send(order(method="POST", permit=permit())))
    assert not (await kept.get()).is_hit


# -- a storage that takes its time


@pytest.mark.parametrize("method", ["HEAD", "POST"])
async def test_who_leaves_while_the_storage_works_leaves_no_connection_behind(method: str) -> None:
    class Slow(MemoryStorage):
        """Never ends once ``slow``."""

        slow = False
        begun = asyncio.Event()

        async def put(self, key: str, entries: Entries) -> None:
            await self._wait()
            await super().put(key, entries)

        async def delete(self, key: str) -> None:
            await self._wait()

        async def _wait(self) -> None:
            if self.slow:
                self.begun.set()
                await asyncio.Event().wait()

    storage = Slow(1 << 20)
    made = bench(storage=storage)
    made.origin.says(MINUTE)
    await made.get()
    storage.slow, storage.begun = True, asyncio.Event()
    leaving = asyncio.create_task(made.get(RELOAD, method=method))
    await storage.begun.wait()
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert made.origin.replies[-1].closed


# -- what is not for a cache


async def test_upgrades_and_bodies_go_past_the_cache(kept: Bench) -> None:
    class Body:
        started = False

        def chunks(self) -> None:
            raise AssertionError

    await kept.get()
    await kept.get("Upgrade: websocket")
    with_body = replace(order(), body=Body())  # type: ignore[arg-type]  # never read here
    assert (await whole(await kept.client.send(with_body))).cache == ""
    assert kept.fetches == 3


async def test_cache_status_stands_behind_that_of_caches_before_us(kept: Bench) -> None:
    kept.origin.says(MINUTE, "Cache-Status: Near; hit")
    first = (await kept.get()).head.headers.joined("cache-status")
    assert first == "Near; hit, Winnow; fwd=uri-miss; stored"
    assert (await kept.get()).head.headers.joined("cache-status") == "Winnow; hit; ttl=60"


async def test_the_status_line_is_kept(kept: Bench) -> None:
    kept.origin.answer = lambda _: MadeReply(ResponseHead(404, "Gone fishing", fields(MINUTE)))
    await kept.get()
    again = await kept.get()
    assert (again.status, again.head.reason, again.is_hit) == (404, "Gone fishing", True)


@pytest.mark.parametrize("jump", [-400 * 86_400, -3600, 3600, 400 * 86_400])
async def test_after_a_jump_of_the_clock_nothing_is_fresh_for_longer_than_it_may(
    kept: Bench, jump: float
) -> None:
    await kept.get()
    kept.clock.now += jump
    told = await kept.get()
    assert kept.fetches == 2
    assert int(told.head.headers.get("age") or 0) <= 1
    kept.clock.now += 30
    assert (await kept.get()).cache == "hit; ttl=30"
    kept.clock.now += 31
    await kept.get()
    assert kept.fetches == 3


async def test_clocks_of_instances_may_differ_a_little(kept: Bench) -> None:
    await kept.get()
    kept.clock.now -= 2
    assert (await kept.get()).cache == "hit; ttl=60"
