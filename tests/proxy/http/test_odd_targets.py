"""The origin gets the target that the client sent; ``make fuzz`` tries 100,000 targets."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.fuzz.odd_targets import all_arrive, odd_targets
from tests.proxy.origins import Origin, ask
from tests.proxy.proxies import Proxy


async def test_path_and_query_reach_the_origin_byte_for_byte(proxy: Proxy) -> None:
    await all_arrive(proxy.port, list(islice(odd_targets(0), 1000)))


@pytest.mark.parametrize("code", [*range(0x21), 0x7F, 0x80, 0xE4, 0xFF])
async def test_a_target_with_what_none_may_hold_is_a_400(
    proxy: Proxy, origin: Origin, code: int
) -> None:
    target = origin.url("/a").encode() + bytes([code]) + b"b"
    answer = await ask(proxy.port, b"GET %b HTTP/1.1\r\nHost: a\r\n\r\n" % target)
    assert answer.status == 400
    assert not origin.requests
