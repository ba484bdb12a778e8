"""A process that ends early is started again at once, then after growing waits."""

from __future__ import annotations

from itertools import accumulate

from winnow.jobs.backoff import HEALTHY_SECONDS, Backoff


def waits(lives: list[float]) -> list[float]:
    steps = accumulate(lives, lambda backoff, lived: backoff.after(lived), initial=Backoff())
    return [each.wait for each in steps][1:]


def test_the_first_end_adds_no_wait() -> None:
    assert waits([0.0]) == [0.0]
    assert waits([HEALTHY_SECONDS]) == [0.0]


def test_each_further_failure_doubles_the_wait_up_to_a_bound() -> None:
    assert waits([0.0] * 5) == [0.0, 0.1, 0.2, 0.4, 0.8]
    assert waits([0.0] * 60)[-1] == Backoff().longest


def test_a_healthy_process_resets_the_wait() -> None:
    assert waits([0.0, 0.0, 0.0, HEALTHY_SECONDS, 0.0]) == [0.0, 0.1, 0.2, 0.0, 0.0]
