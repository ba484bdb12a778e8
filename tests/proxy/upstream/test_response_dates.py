"""A response without Date gets the time at which it came; others keep theirs."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from time import time

from tests.proxy.forwarding.test_interim_and_trailers import both_http2
from tests.proxy.http2_peers import get_fields
from tests.proxy.origins import Origin, ask, get, reply
from tests.proxy.proxies import Proxy

OLD = "Sun, 06 Nov 1994 08:49:37 GMT"


async def test_one_is_added(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/"] = reply(b"x", "Content-Type: image/png")
    date = (await ask(proxy.port, get(origin.url()))).field("date")
    assert abs(parsedate_to_datetime(date).timestamp() - time()) < 60


async def test_the_origin_s_own_stays(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/"] = reply(b"x", "Content-Type: image/png", f"Date: {OLD}")
    answer = await ask(proxy.port, get(origin.url()))
    assert answer.head.lower().count(b"\r\ndate:") == 1
    assert answer.field("date") == OLD


async def test_over_http2_too() -> None:
    async with both_http2() as (origin, peer):
        origin.replies["/"] = b"x"
        stream = await peer.request(get_fields("https://site.test/")).complete()
        assert abs(parsedate_to_datetime(stream.get("date")).timestamp() - time()) < 60


async def test_options_of_a_whole_server_is_asked_for_by_an_asterisk(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["*"] = reply(b"")
    line = f"OPTIONS http://127.0.0.1:{origin.port} HTTP/1.1\r\nHost: x\r\n\r\n"
    assert (await ask(proxy.port, line.encode())).status == 200
    assert origin.requests[0].startswith(b"OPTIONS * HTTP/1.1\r\n")
