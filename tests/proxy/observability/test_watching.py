"""Events, those who observe them, and what they make of them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from tests.proxy.caching.making import Clock, MadeOrigin, MadeReply, fields, order, reply, whole
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    MalformedResponseError,
    OriginTimeoutError,
)
from winnow.proxy.observability.events import (
    CacheConsulted,
    Event,
    ObservedSender,
    Observers,
    OriginFailed,
    OriginFetched,
    RequestAnswered,
    cached,
)
from winnow.proxy.observability.metrics import (
    MINUTES,
    MOST_PAIRS,
    History,
    LiveGauge,
    Metrics,
    Minute,
    saved,
    stages,
)
from winnow.proxy.own.templates.status_page import status_page

PAGE = RequestAnswered(
    "GET", 200, "extracted", "page", CacheConsulted.MISS, 0.2, 0.05, 0.3, 1000, 5000
)
TUNNEL = RequestAnswered(
    "CONNECT", 200, "tunnel", "not-intercepted", CacheConsulted.NONE, None, None, 900, 0
)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


# -- who is told


async def test_observers_are_reported_after_the_reply_and_not_before() -> None:
    reported: list[Event] = []
    watch = Observers([reported.append])
    watch(PAGE)
    assert reported == []
    await asyncio.sleep(0)
    assert reported == [PAGE]


async def test_an_observer_that_raises_is_logged_and_costs_the_others_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reported: list[Event] = []

    def broken(_: Event) -> None:
        raise ZeroDivisionError

    watch = Observers([broken, reported.append])
    with caplog.at_level(logging.ERROR):
        watch(PAGE)
        watch(TUNNEL)
        await asyncio.sleep(0)
    assert reported == [PAGE, TUNNEL]
    assert len(caplog.records) == 2


# -- what is read off a reply


@pytest.mark.parametrize(
    ("reported", "kind"),
    [
        ((), CacheConsulted.NONE),
        (("Cache-Status: Other; hit",), CacheConsulted.NONE),
        (("Cache-Status: Winnow; hit; ttl=3",), CacheConsulted.HIT),
        (("Cache-Status: Winnow; hit; collapsed; ttl=3",), CacheConsulted.COLLAPSED),
        (
            ("Cache-Status: Winnow; hit; fwd=stale; fwd-status=304; ttl=3",),
            CacheConsulted.VALIDATED,
        ),
        (("Cache-Status: Winnow; hit; fwd-status=503; ttl=0",), CacheConsulted.HIT),
        (("Cache-Status: Winnow; fwd=uri-miss; stored",), CacheConsulted.MISS),
        (("Cache-Status: Winnow; hit, Winnow; fwd=uri-miss",), CacheConsulted.MISS),
        (("Cache-Status: Winnow; hit, Other; fwd=miss",), CacheConsulted.NONE),
    ],
)
def test_what_the_cache_did(reported: tuple[str, ...], kind: CacheConsulted) -> None:
    assert cached(fields(*reported)) is kind


# -- figures


def test_requests_are_counted_by_action_and_reason() -> None:
    metrics = Metrics()
    for event in (PAGE, PAGE, TUNNEL):
        metrics(event)
    assert value(metrics, "winnow_requests_total", action="extracted", reason="page") == 2
    assert value(metrics, "winnow_requests_total", action="tunnel", reason="not-intercepted") == 1
    assert value(metrics, "winnow_responses_total", status="2xx") == 3


def test_stages_are_histograms_and_a_tunnels_length_is_not_among_them() -> None:
    metrics = Metrics()
    metrics(PAGE)
    metrics(TUNNEL)
    for stage, seconds in (("fetch", 0.2), ("extract", 0.05), ("total", 0.3)):
        assert value(metrics, "winnow_stage_seconds_count", stage=stage) == 1
        assert value(metrics, "winnow_stage_seconds_sum", stage=stage) == seconds
    assert stages(TUNNEL) == {}


@pytest.mark.parametrize(
    ("event", "bytes_saved"),
    [
        (PAGE, {"extraction": 4000}),
        (replace(PAGE, cached=CacheConsulted.HIT), {"extraction": 4000, "cache": 5000}),
        (replace(PAGE, came=0, cached=CacheConsulted.VALIDATED), {"cache": 1000}),
        (replace(PAGE, came=500), {}),
        (replace(PAGE, status=304, sent=0), {}),
        (TUNNEL, {}),
    ],
)
def test_bytes_saved(event: RequestAnswered, bytes_saved: dict[str, int]) -> None:
    assert saved(event) == bytes_saved


def test_bytes_cache_and_errors_are_counted() -> None:
    metrics = Metrics()
    for event in (
        PAGE,
        OriginFetched(200, 70),
        OriginFetched(200, 30),
        OriginFailed("origin-timeout"),
    ):
        metrics(event)
    assert value(metrics, "winnow_body_bytes_total", direction="in") == 100
    assert value(metrics, "winnow_body_bytes_total", direction="out") == 1000
    assert value(metrics, "winnow_saved_bytes_total", by="extraction") == 4000
    assert value(metrics, "winnow_cache_lookups_total", result="miss") == 1
    assert value(metrics, "winnow_upstream_errors_total", kind="origin-timeout") == 1


def test_labels_cannot_grow_without_end() -> None:
    metrics = Metrics()
    for number in range(MOST_PAIRS + 50):
        metrics(replace(PAGE, reason=str(number)))
    assert value(metrics, "winnow_requests_total", action="other", reason="other") == 50


def test_numbers_of_others_are_read_when_they_are_requested_for() -> None:
    metrics, level = Metrics(), [1.0]
    metrics.show(LiveGauge("level", "A level.", lambda: level[0]))
    level[0] = 7
    assert value(metrics, "winnow_level") == 7


def test_two_runs_in_one_process_do_not_share_figures() -> None:
    one, other = Metrics(), Metrics()
    one(PAGE)
    assert value(other, "winnow_requests_total", action="extracted", reason="page") is None


# -- what comes from origins


async def test_bytes_are_reported_once_when_an_answer_is_closed() -> None:
    reported: list[Event] = []
    origin = MadeOrigin(lambda _: MadeReply(reply(), (b"12", b"345")))
    answer = await ObservedSender(origin, reported.append).send(order())
    assert (await whole(answer)).body == b"12345"
    await answer.aclose()
    assert reported == [OriginFetched(200, 5)]


async def test_failures_are_reported_by_kind_and_raised_all_the_same() -> None:
    reported: list[Event] = []
    origin = MadeOrigin()
    sender = ObservedSender(origin, reported.append)
    for failure in (OriginTimeoutError("x"), AddressRefusedError("x")):
        origin.fails(failure)
        with pytest.raises(type(failure)):
            await sender.send(order())
    origin.failure = None
    origin.answer = lambda _: MadeReply(reply(), (b"12", b"345"), cut=True)
    with pytest.raises(MalformedResponseError):
        await whole(await sender.send(order()))
    assert reported == [
        OriginFailed("origin-timeout"),
        OriginFailed("address-refused"),
        OriginFailed("origin-malformed"),
        OriginFetched(200, 2),
    ]


async def test_a_change_of_protocol_goes_through_untouched() -> None:
    made = MadeReply(ResponseHead(101, "Switching", fields()))
    sender = ObservedSender(MadeOrigin(lambda _: made), lambda _: None)
    assert await sender.send(order()) is made


# -- the last hour


def test_minutes_pass_and_old_ones_are_forgotten() -> None:
    clock = Clock()
    history = History(clock)
    history(PAGE)
    history(replace(PAGE, cached=CacheConsulted.HIT, total=2.0))
    history(OriginFailed("x"))
    clock.now += 120
    history(TUNNEL)
    minutes = history.minutes()
    assert minutes[-3] == Minute(2, 2, 1, 13_000, 1, 2.0)
    assert (minutes[-2], minutes[-1]) == (Minute(), Minute(answers=1))
    assert len(minutes) == MINUTES
    clock.now += 3600 * 24
    assert history.minutes() == (Minute(),) * MINUTES


def test_the_status_page_tells_in_words_what_it_draws() -> None:
    minutes = [Minute()] * 58 + [Minute(8, saved=9_000_000), Minute(4, errors=1, slowest=0.25)]
    page = status_page(minutes, [("Processes <that> extract", "2")])
    text = page.body.decode()
    assert "Responses: 4 in this minute, 8 at most" in text
    assert "Data saved: 0 kB in this minute, 9,000 kB at most" in text
    assert "Slowest response: 250 ms in this minute" in text
    assert "Processes &lt;that&gt; extract" in text
    assert text.count("<rect") == 5
    assert "<script" not in text


def test_the_status_page_can_be_drawn_of_nothing() -> None:
    body = status_page([], []).body
    assert b"Nothing was opened through Winnow in this hour." in body
    assert b"<svg" not in body
