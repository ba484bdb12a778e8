"""The figures of several processes are those of one."""

from __future__ import annotations

import json

from prometheus_client.parser import text_string_to_metric_families

from winnow.proxy.observability.aggregation import (
    Figures,
    exposed,
    figures_of,
    gauges_in,
    lasting,
    minutes_in,
    summed,
)
from winnow.proxy.observability.events import CacheConsulted, Event, OriginFailed, RequestAnswered
from winnow.proxy.observability.metrics import History, LiveGauge, Metrics

ANSWERED = RequestAnswered(
    "GET", 200, "extracted", "page", CacheConsulted.HIT, 0.01, None, 0.2, 100, 400
)
SLOW = RequestAnswered(
    "GET", 200, "original", "not-html", CacheConsulted.NONE, 0.01, None, 3.0, 100
)


def counted(events: list[Event], minute: int = 0, gauge: float = 1.0) -> Figures:
    """The figures of one process, as they come over a channel."""
    metrics, history = Metrics(), History(lambda: 60.0 * minute)
    metrics.show(LiveGauge("things", "Things.", lambda: gauge))
    for event in events:
        metrics(event)
        history(event)
    reported: Figures = json.loads(json.dumps(figures_of(metrics.registry, history)))
    return reported


def samples(figures: Figures) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(exposed(figures)[0].decode())
    return {
        (each.name, *each.labels.values()): each.value for one in families for each in one.samples
    }


def test_counts_are_added_and_reported_as_prometheus_reads_them() -> None:
    both = samples(summed([counted([ANSWERED, SLOW]), counted([ANSWERED, OriginFailed("reset")])]))
    assert both["winnow_requests_total", "extracted", "page"] == 2
    assert both["winnow_requests_total", "original", "not-html"] == 1
    assert both["winnow_upstream_errors_total", "reset"] == 1
    assert both["winnow_stage_seconds_count", "total"] == 3
    assert both["winnow_stage_seconds_bucket", "0.25", "total"] == 2
    assert both["winnow_things",] == 2


def test_the_sum_of_one_is_itself() -> None:
    one = counted([ANSWERED, SLOW])
    assert samples(summed([one])) == samples(one)


def test_a_process_started_when_the_first_did() -> None:
    first, second = counted([]), counted([])
    start = samples(first)["process_start_time_seconds",]
    assert samples(summed([first, second]))["process_start_time_seconds",] == start


def test_the_state_of_a_process_ends_with_it_and_its_counts_do_not() -> None:
    rest = lasting(counted([ANSWERED], gauge=7))
    assert gauges_in(rest) == {}
    assert samples(rest)["winnow_requests_total", "extracted", "page"] == 1
    assert gauges_in(summed([rest, counted([], gauge=2)]))["winnow_things"] == 2


def test_minutes_are_added_where_they_are_the_same() -> None:
    minutes = minutes_in(summed([counted([ANSWERED, SLOW], 100), counted([ANSWERED], 103)]))
    assert len(minutes) == 60
    assert (minutes[-1].answers, minutes[-4].answers) == (1, 2)
    assert minutes[-4].slowest == 3.0
    assert sum(each.answers for each in minutes) == 3


def test_an_hour_later_nothing_is_left_of_a_minute() -> None:
    assert not any(
        each.answers for each in minutes_in(summed([counted([ANSWERED], 1), counted([], 61)]))
    )
