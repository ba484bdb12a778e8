"""What is kept for a client who may reach private addresses is not told to one who may not."""

from __future__ import annotations

from tests.proxy.caching.making import order
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.caching.cache_entry import key_of
from winnow.proxy.http.messages import anywhere


def test_a_stranger_is_not_served_what_was_fetched_for_this_computer() -> None:
    url = "http://router.example/secret"
    assert key_of(order(url=url, permit=anywhere)) != key_of(order(url=url, permit=public_only))
