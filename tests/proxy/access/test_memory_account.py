"""What clients make Winnow hold is counted, by client and in all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.memory_account import HOLDING, MemoryAccount, MemoryFullError, hold
from winnow.proxy.access.requester import REQUESTER, Requester


def test_one_client_may_hold_so_much_and_all_together() -> None:
    account = MemoryAccount(10, 25)
    first, second, third = (account.holding(name) for name in "abc")
    first.grow(6)
    with pytest.raises(MemoryFullError) as caught:
        account.holding("a").grow(5)
    assert caught.value.status == 413
    second.grow(10)
    third.grow(9)
    with pytest.raises(MemoryFullError) as caught:
        third.grow(1)
    assert caught.value.status == 503
    second.release()
    third.grow(1)
    assert (account.held, account.of("a"), account.of("b"), account.of("c")) == (16, 6, 0, 10)


def test_nothing_bounds_where_the_bound_is_0() -> None:
    account = MemoryAccount(0, 0)
    account.holding("a").grow(2**40)
    assert account.held == 2**40


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), max_size=40))
def test_what_is_held_is_what_was_booked(steps: list[tuple[int, int]]) -> None:
    account = MemoryAccount(50, 90)
    held = [account.holding(f"{number // 2}") for number in range(4)]
    for number, size in steps:
        before = held[number].size
        try:
            held[number].set(size)
        except MemoryFullError:
            assert held[number].size == before
        assert account.held == sum(each.size for each in held) <= 90
        assert account.of("0") == held[0].size + held[1].size <= 50
    for each in held:
        each.release()
    assert not account._by_client
    assert not account.held


def test_a_request_books_for_who_sent_it() -> None:
    account = MemoryAccount()
    hold(5)  # nobody's
    before = HOLDING.set(account.holding()), REQUESTER.set(Requester("user ann"))
    try:
        hold(7)
        assert (account.of("user ann"), account.held) == (7, 7)
    finally:
        HOLDING.reset(before[0])
        REQUESTER.reset(before[1])
