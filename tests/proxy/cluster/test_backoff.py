"""A process that ends at once is started again at once, then later and later."""

from __future__ import annotations

from itertools import accumulate

from winnow.proxy.cluster.backoff import SOUND, Backoff


def waits(lives: list[float]) -> list[float]:
    steps = accumulate(lives, lambda backoff, lived: backoff.after(lived), initial=Backoff())
    return [each.wait for each in steps][1:]


def test_the_first_end_costs_no_time() -> None:
    assert waits([0.0]) == [0.0]
    assert waits([SOUND]) == [0.0]


def test_each_further_quick_end_doubles_the_wait_up_to_a_bound() -> None:
    assert waits([0.0] * 5) == [0.0, 0.1, 0.2, 0.4, 0.8]
    assert waits([0.0] * 60)[-1] == Backoff().longest


def test_a_process_that_worked_for_a_while_is_forgiven() -> None:
    assert waits([0.0, 0.0, 0.0, SOUND, 0.0]) == [0.0, 0.1, 0.2, 0.0, 0.0]
