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
def stored() -> Bench:
    """A cache before an origin whose reply is fresh for a minute."""
    made = bench()
    made.origin.says(MINUTE, TAGGED)
    return made


async def test_the_second_time_the_origin_is_not_requested(stored: Bench) -> None:
    first = await stored.get()
    stored.clock.now += 30
    second = await stored.get()
    assert (first.body, first.cache) == (b"body", "fwd=uri-miss; stored")
    assert (second.body, second.cache) == (b"body", "hit; ttl=30")
    assert second.head.headers.get("age") == "30"
    assert second.head.headers.get("content-length") == "4"
    assert stored.fetches == 1


async def test_a_stored_answer_has_the_version_that_it_came_by(stored: Bench) -> None:
    """So Via says the same of it each time (RFC 9110, section 7.6.3)."""
    stored.origin.answer = lambda _: MadeReply(replace(reply(MINUTE), version=(2, 0)))
    assert [(await stored.get()).head.version for _ in range(2)] == [(2, 0), (2, 0)]
    assert stored.fetches == 1


async def test_a_stored_answer_is_as_long_after_it_was_read_as_before(stored: Bench) -> None:
    """A page that could not be extracted is announced after it was read."""
    await stored.get()
    answer = await stored.client.send(order())
    assert answer.length == 4
    assert await answer.read() == b"body"
    assert (answer.length, await answer.read()) == (4, b"")


async def test_another_address_is_another_reply(stored: Bench) -> None:
    await stored.get()
    await stored.get(url=URL + "?q=1")
    assert stored.fetches == 2


async def test_a_stale_reply_is_validated_and_young_again(stored: Bench) -> None:
    await stored.get()
    stored.clock.now += 100
    stored.origin.says("Cache-Control: max-age=90", TAGGED, "X: new", status=304, body=b"")
    validated = await stored.get('If-None-Match: "theirs"', "Range: bytes=0-1")
    assert stored.origin.orders[1].headers == fields('If-None-Match: "1"')
    assert (validated.status, validated.body) == (206, b"bo")
    assert validated.cache == "hit; fwd=stale; fwd-status=304; ttl=90"
    stored.clock.now += 80
    assert (await stored.get()).head.headers.get("x") == "new"
    assert stored.fetches == 2
    assert stored.origin.replies[1].closed


async def test_a_reply_that_changed_takes_the_place_of_the_old(stored: Bench) -> None:
    await stored.get()
    stored.clock.now += 100
    stored.origin.says(MINUTE, 'ETag: "2"', f"Date: {http_date(100)}", body=b"changed")
    assert (await stored.get()).body == b"changed"
    again = await stored.get()
    assert (again.body, again.is_hit, stored.fetches) == (b"changed", True, 2)


async def test_a_304_with_another_tag_confirms_the_one_that_was_sent(stored: Bench) -> None:
    await stored.get()
    stored.clock.now += 100
    stored.origin.says(MINUTE, 'ETag: "2"', status=304, body=b"")
    assert (await stored.get()).head.headers.get("etag") == '"1"'
    assert (await stored.get()).cache == "hit; ttl=60"


async def test_a_304_may_change_what_the_reply_varies_by(stored: Bench) -> None:
    await stored.get("Accept: a")
    stored.clock.now += 100
    stored.origin.says(MINUTE, TAGGED, "Vary: Accept", status=304, body=b"")
    await stored.get("Accept: a")
    stored.origin.says(MINUTE, "Vary: Accept", body=b"other")
    assert (await stored.get("Accept: a")).body == b"body"
    assert (await stored.get("Accept: b")).body == b"other"
    assert (await stored.get("Accept: a")).body == b"body"


@pytest.mark.parametrize(
    "reported", ["Cache-Control: no-store", "Cache-Control: private", "Vary: *"]
)
async def test_what_may_not_be_stored_is_passed_on(reported: str) -> None:
    made = bench()
    made.origin.says(reported, "Cache-Control: max-age=60")
    passed = await made.get()
    assert (passed.body, passed.cache) == (b"body", "fwd=uri-miss")
    assert not (await made.get()).is_hit
    assert all(passing.closed for passing in made.origin.replies)


async def test_a_private_cache_keeps_what_is_for_one_person() -> None:
    made = bench(CachingRules(PRIVATE))
    made.origin.says("Cache-Control: private, max-age=60")
    await made.get()
    assert (await made.get()).is_hit


async def test_variants_are_stored_side_by_side_and_not_without_end() -> None:
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


async def test_a_body_that_is_cut_short_is_not_stored(stored: Bench) -> None:
    stored.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"ha", b"lf"), cut=True)
    with pytest.raises(MalformedResponseError):
        await stored.get()
    stored.origin.says(MINUTE)
    assert not (await stored.get()).is_hit


async def test_a_reply_whose_client_leaves_is_not_stored(stored: Bench) -> None:
    answer = await stored.client.send(order())
    assert await answer.read() == b"body"
    await answer.aclose()
    assert not (await stored.get()).is_hit
    assert stored.origin.replies[0].closed


@pytest.mark.parametrize("reported", [True, False])
async def test_what_is_too_large_is_passed_on_and_not_stored(reported: bool) -> None:
    made = bench(CachingRules(largest=10))
    made.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"01234567", b"89abcdef"), reported)
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


async def test_a_hundred_clients_are_one_fetch(stored: Bench) -> None:
    stored.origin.held = asyncio.Event()
    crowd = asyncio.create_task(stored.all([order()] * 100))
    await stored.origin.requested.wait()
    stored.origin.held.set()
    answers = await crowd
    assert {answer.body for answer in answers} == {b"body"}
    assert stored.fetches == 1
    assert sum("collapsed" in answer.cache for answer in answers) == 99


async def test_a_reply_that_is_not_stored_is_fetched_by_everyone_at_once(stored: Bench) -> None:
    """Nobody waits for a body that will not help: the last piece comes only when all have asked."""
    all_asked = asyncio.Event()

    def answer(_: object) -> MadeReply:
        if stored.fetches == 5:
            all_asked.set()
        return MadeReply(reply("Cache-Control: no-store"), (b"own",), gate=all_asked)

    stored.origin.answer = answer
    answers = await stored.all([order()] * 5)
    assert [answer.body for answer in answers] == [b"own"] * 5


async def test_nobody_waits_for_what_was_not_stored_the_last_time(stored: Bench) -> None:
    stored.origin.says("Cache-Control: no-store")
    await stored.get()
    stored.origin.held = asyncio.Event()
    crowd = asyncio.create_task(stored.all([order()] * 5))
    async with asyncio.timeout(60):
        await stored.origin.asked_by(6)  # the first one is held, and so is everyone else
    stored.origin.says(MINUTE)
    stored.origin.held.set()
    assert len(await crowd) == 5
    assert (await stored.get()).is_hit  # what may be stored again is waited for again
    assert stored.fetches == 6


async def test_a_leader_that_fails_does_not_take_the_others_with_it(stored: Bench) -> None:
    stored.origin.held = asyncio.Event()
    stored.origin.fails()
    crowd = [asyncio.create_task(stored.all([order()])) for _ in range(3)]
    await stored.origin.requested.wait()
    stored.origin.held.set()
    failed = await asyncio.wait_for(asyncio.gather(*crowd[:1], return_exceptions=True), 60)
    stored.origin.says(MINUTE)
    assert isinstance(failed[0], OriginFaultError)
    rest = await asyncio.gather(*crowd[1:], return_exceptions=True)
    assert len(rest) == 2
    assert (await stored.get()).body == b"body"


async def test_where_the_leader_leaves_one_other_goes_and_not_all(stored: Bench) -> None:
    stored.origin.held = asyncio.Event()
    leader = asyncio.create_task(stored.all([order()]))
    await stored.origin.requested.wait()
    crowd = asyncio.create_task(stored.all([order()] * 20))
    await asyncio.sleep(0)
    leader.cancel()
    await asyncio.gather(leader, return_exceptions=True)
    stored.origin.held.set()
    assert {answer.body for answer in await crowd} == {b"body"}
    assert stored.fetches == 2


async def test_where_the_leader_leaves_amid_the_body_one_other_goes(stored: Bench) -> None:
    answer = await stored.client.send(order())
    crowd = asyncio.create_task(stored.all([order()] * 20))
    await asyncio.sleep(0)
    await answer.aclose()
    assert {answer.body for answer in await crowd} == {b"body"}
    assert stored.fetches == 2


async def test_a_leader_whose_body_is_cut_short_lets_the_others_ask(stored: Bench) -> None:
    gate = asyncio.Event()
    stored.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"ha", b"lf"), gate=gate, cut=True)
    answer = await stored.client.send(order())
    await answer.read()
    crowd = asyncio.create_task(stored.all([order()] * 3))
    await asyncio.sleep(0)
    stored.origin.says(MINUTE)
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


async def test_who_asks_with_conditions_does_not_wait(stored: Bench) -> None:
    slow = await stored.client.send(order())
    assert (await stored.get('If-None-Match: "x"')).status == 200
    await slow.aclose()


async def test_a_client_that_leaves_while_it_waits_hurts_nobody(stored: Bench) -> None:
    stored.origin.held = asyncio.Event()
    crowd = [asyncio.create_task(stored.all([order()])) for _ in range(3)]
    await stored.origin.requested.wait()
    await asyncio.sleep(0)
    crowd[1].cancel()
    await asyncio.gather(crowd[1], return_exceptions=True)
    stored.origin.held.set()
    (first,), (last,) = await crowd[0], await crowd[2]
    assert (first.body, last.body, stored.fetches) == (b"body", b"body", 1)


# -- an origin that fails


async def test_what_is_stale_stands_in_for_an_origin_that_cannot_be_reached(stored: Bench) -> None:
    await stored.get()
    stored.clock.now += 1000
    stored.origin.fails()
    stood_in = await stored.get()
    assert (stood_in.body, stood_in.head.headers.get("age")) == (b"body", "1000")
    assert "origin-unreachable" in stood_in.cache


@pytest.mark.parametrize(
    "failure", [OriginCertificateError("made to fail"), AddressRefusedError("made to fail")]
)
async def test_what_must_be_seen_is_not_hidden_by_the_cache(
    stored: Bench, failure: Exception
) -> None:
    await stored.get()
    stored.clock.now += 1000
    stored.origin.fails(failure)
    with pytest.raises(type(failure)):
        await stored.get()


async def test_without_anything_stored_the_failure_is_reported(stored: Bench) -> None:
    stored.origin.fails()
    with pytest.raises(OriginFaultError):
        await stored.get()


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


async def test_only_if_cached(stored: Bench) -> None:
    requested = "Cache-Control: only-if-cached"
    assert (await stored.get(requested)).status == 504
    assert stored.fetches == 0
    await stored.get()
    assert (await stored.get(requested)).status == 200


# -- validated meanwhile


async def test_a_stale_reply_is_sent_at_once_and_validated_meanwhile() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60", TAGGED)
    await made.get()
    made.clock.now += 90
    made.origin.says(MINUTE, TAGGED, status=304, body=b"")
    made.origin.held = asyncio.Event()
    made.origin.requested.clear()
    answers = [await made.get(), await made.get()]
    assert [answer.head.headers.get("age") for answer in answers] == ["90", "90"]
    await made.origin.requested.wait()
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
    endless = MadeReply(reply(MINUTE), (b"x" * 8,) * 1000, reported=False)
    made.origin.answer = lambda _: endless
    await made.get()
    await made.client.settled()
    assert endless.closed
    assert endless.pieces_read == 2


async def test_closing_ends_what_is_requested_meanwhile() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60")
    await made.get()
    made.clock.now += 90
    made.origin.held = asyncio.Event()
    made.origin.requested.clear()
    await made.get()
    await made.origin.requested.wait()
    await made.client.aclose()
    assert made.origin.closed


# -- HEAD


async def test_head_is_answered_from_a_stored_get(stored: Bench) -> None:
    await stored.get()
    head = await stored.get("Range: bytes=0-1", method="HEAD")
    assert (head.status, head.body, head.head.headers.get("content-length")) == (200, b"", "4")
    assert stored.fetches == 1


async def test_a_heads_reply_is_not_stored_as_a_gets(stored: Bench) -> None:
    stored.origin.says(MINUTE, body=b"")
    await stored.get(method="HEAD")
    stored.origin.says(MINUTE)
    assert (await stored.get()).body == b"body"


@pytest.mark.parametrize(("tag", "fetched"), [('ETag: "1"', 2), ('ETag: "2"', 3)])
async def test_head_renews_a_stored_get_or_casts_doubt_on_it(
    stored: Bench, tag: str, fetched: int
) -> None:
    await stored.get()
    stored.clock.now += 100
    stored.origin.says(MINUTE, tag, body=b"")
    await stored.get(method="HEAD")
    await stored.get()
    assert stored.fetches == fetched


async def test_head_says_nothing_of_other_variants() -> None:
    made = bench()
    made.origin.says(MINUTE, TAGGED, "Vary: Accept")
    await made.get("Accept: a")
    made.origin.says(MINUTE, 'ETag: "2"', "Vary: Accept", body=b"")
    await made.get("Accept: b", method="HEAD")
    assert (await made.get("Accept: a")).is_hit


async def test_a_head_that_finds_nothing_casts_no_doubt(stored: Bench) -> None:
    await stored.get()
    stored.origin.says(status=404, body=b"")
    await stored.get(RELOAD, method="HEAD")
    assert (await stored.get()).is_hit


# -- requests that change something


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "MADE-UP"])
@pytest.mark.parametrize(
    ("status", "still"), [(200, False), (303, False), (404, True), (500, True)]
)
async def test_an_unsafe_request_that_went_well_makes_a_reply_unsure(
    stored: Bench, method: str, status: int, still: bool
) -> None:
    await stored.get()
    stored.origin.says(status=status)
    await stored.get(method=method)
    stored.origin.says(MINUTE)
    assert (await stored.get()).is_hit is still


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE"])
async def test_a_safe_request_changes_nothing(stored: Bench, method: str) -> None:
    await stored.get()
    await stored.get(method=method)
    assert (await stored.get()).is_hit


@pytest.mark.parametrize("name", ["Location", "Content-Location"])
@pytest.mark.parametrize(
    ("reported", "still"),
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
    stored: Bench, name: str, reported: str, still: bool
) -> None:
    await stored.get()
    stored.origin.says(f"{name}: {reported}", status=201)
    await stored.get(method="POST", url="http://origin.test/form")
    stored.origin.says(MINUTE)
    assert (await stored.get()).is_hit is still


async def test_another_origin_cannot_empty_our_cache(stored: Bench) -> None:
    await stored.get()
    stored.origin.says(f"Location: {URL}", status=201)
    await stored.get(method="POST", url="http://evil.test/")
    stored.origin.says(MINUTE)
    assert (await stored.get()).is_hit


# -- who may have it


def permit() -> Permit:
    return lambda _address, _port: True


async def test_what_local_clients_fetched_is_kept_from_others(stored: Bench) -> None:
    """The others' permit might refuse the address that it came from."""
    await stored.get()
    assert not (await whole(await stored.client.send(order(permit=permit())))).is_hit
    assert (await whole(await stored.client.send(order(permit=permit())))).is_hit
    assert stored.fetches == 2


async def test_no_address_can_be_written_so_that_it_reaches_the_local_ones(stored: Bench) -> None:
    await stored.get()
    for url in (URL + " (local)", URL + "?local"):
        assert not (await whole(await stored.client.send(order(url=url, permit=permit())))).is_hit


async def test_an_unsafe_request_of_others_makes_local_replies_unsure_too(stored: Bench) -> None:
    await stored.get()
    await whole(await stored.client.send(order(method="POST", permit=permit())))
    assert not (await stored.get()).is_hit


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


async def test_upgrades_and_bodies_go_past_the_cache(stored: Bench) -> None:
    class Body:
        started = False

        def chunks(self) -> None:
            raise AssertionError

    await stored.get()
    await stored.get("Upgrade: websocket")
    with_body = replace(order(), body=Body())  # type: ignore[arg-type]  # never read here
    assert (await whole(await stored.client.send(with_body))).cache == ""
    assert stored.fetches == 3


async def test_cache_status_stands_behind_that_of_caches_before_us(stored: Bench) -> None:
    stored.origin.says(MINUTE, "Cache-Status: Near; hit")
    first = (await stored.get()).head.headers.joined("cache-status")
    assert first == "Near; hit, Winnow; fwd=uri-miss; stored"
    assert (await stored.get()).head.headers.joined("cache-status") == "Winnow; hit; ttl=60"


async def test_the_status_line_is_stored(stored: Bench) -> None:
    stored.origin.answer = lambda _: MadeReply(ResponseHead(404, "Gone fishing", fields(MINUTE)))
    await stored.get()
    again = await stored.get()
    assert (again.status, again.head.reason, again.is_hit) == (404, "Gone fishing", True)


@pytest.mark.parametrize("jump", [-400 * 86_400, -3600, 3600, 400 * 86_400])
async def test_after_a_jump_of_the_clock_nothing_is_fresh_for_longer_than_it_may(
    stored: Bench, jump: float
) -> None:
    await stored.get()
    stored.clock.now += jump
    reported = await stored.get()
    assert stored.fetches == 2
    assert int(reported.head.headers.get("age") or 0) <= 1
    stored.clock.now += 30
    assert (await stored.get()).cache == "hit; ttl=30"
    stored.clock.now += 31
    await stored.get()
    assert stored.fetches == 3


async def test_clocks_of_instances_may_differ_a_little(stored: Bench) -> None:
    await stored.get()
    stored.clock.now -= 2
    assert (await stored.get()).cache == "hit; ttl=60"
