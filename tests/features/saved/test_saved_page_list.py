"""The list of saved pages leads to the entries before and behind those that it shows."""

from __future__ import annotations

import pytest

from winnow.features.saved.saved_page_list import list_page
from winnow.features.saved.stores.saved_page import PageQuery


@pytest.mark.parametrize(
    ("offset", "more", "leads"),
    [(0, False, []), (0, True, ["2"]), (50, False, ["1"]), (100, True, ["2", "4"])],
)
def test_links_to_the_pages_before_and_behind(offset: int, more: bool, leads: list[str]) -> None:
    query = PageQuery("lake", "alder", offset=offset, limit=50)
    body = list_page([], {}, query, more=more).body.decode()
    start = "/-/saved?q=lake&amp;tag=alder&amp;page="
    assert [part.partition('"')[0] for part in body.split(start)[1:]] == leads
