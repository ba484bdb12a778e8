"""Pages that were made are kept within bounds."""

from __future__ import annotations

from document.values import Page, Recipe
from proxy.headers import Headers
from proxy.made import Made, Makings
from proxy.recurring import Recurring
from proxy.verdicts import Extract
from tests.proxy.test_plans import HEAD, planned


def made(size: int) -> Made:
    told = (200, (1, 1), ())
    page = Page(b"x" * size, "http://a.test/", None)
    return Made(planned(), told, Extract(Recipe()), page, size, None, Headers(), b"")


def test_pages_made_are_bounded_in_bytes_and_the_oldest_go_first() -> None:
    makings = Makings(limit=8000)
    holders = [Recurring(HEAD, lasting=True) for _ in range(9)]
    for holder in holders:
        makings.keep(holder, made(1000))
    assert [holder.made is not None for holder in holders] == [False] + [True] * 8
    assert makings.size == 8000
    makings.use(holders[1])
    makings.keep(holders[0], made(1000))
    assert [holder.made is not None for holder in holders] == [True, True, False] + [True] * 6
    makings.keep(holders[2], made(1000))
    assert holders[3].made is None
    makings.keep(holders[1], made(500))
    assert makings.size == 7500
    makings.keep(holders[2], made(1001))  # an eighth of all is the most that one may take
    assert holders[2].made is None
    passing = Recurring(HEAD)
    makings.keep(passing, made(10))
    assert passing.made is None
    assert makings.size == 6500
