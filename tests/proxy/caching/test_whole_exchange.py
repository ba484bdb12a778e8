"""The cache behind the door: what a client gets of a kept reply is framed as it must be."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.proxy.origins import Origin, get, html, read_answer, reply
from tests.proxy.proxies import FakeTransform, Proxy, proxying
from winnow.proxy.caching.caching_client import CachingClient
from winnow.proxy.caching.memory_storage import MemoryStorage

BROWSER = "Accept: text/html,*/*;q=0.8"
BODY = b"<title>x</title><p>no body tag, so that no banner fits</p>" * 50
FRESH = "Cache-Control: max-age=600"


@pytest.fixture
async def cached() -> AsyncIterator[Proxy]:
    async with proxying(
        FakeTransform(), remember=lambda sender: CachingClient(sender, MemoryStorage(1 << 20))
    ) as running:
        yield running


async def twice_on_one_connection(proxy: Proxy, *requests: bytes) -> list[tuple[int, bytes]]:
    """Statuses and bodies of requests on one connection: a wrong length would show in the next."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port, limit=1 << 20)
    found = []
    for request in requests:
        writer.write(request)
        answer = await read_answer(reader, request.split(b" ", 1)[0].decode())
        found.append((answer.status, answer.body))
    writer.close()
    await writer.wait_closed()
    return found


@pytest.mark.parametrize(
    "trouble", [{"failure": "deadline"}, {"poor": "too-short"}], ids=["fails", "poor"]
)
async def test_a_stored_page_that_is_not_extracted_passes_whole(
    cached: Proxy, origin: Origin, trouble: dict[str, str]
) -> None:
    for name, value in trouble.items():
        setattr(cached.transform, name, value)
    origin.replies["/"] = html(BODY, FRESH)
    request = get(origin.url("/"), BROWSER)
    assert await twice_on_one_connection(cached, *[request] * 3) == [(200, BODY)] * 3
    assert len(origin.requests) == 1


async def test_a_stored_page_too_large_to_gather_passes_whole(origin: Origin) -> None:
    async with proxying(
        change=lambda policy: replace(policy, largest_body=100),
        remember=lambda sender: CachingClient(sender, MemoryStorage(1 << 20)),
    ) as proxy:
        origin.replies["/"] = html(BODY, FRESH)
        request = get(origin.url("/"), BROWSER)
        assert await twice_on_one_connection(proxy, *[request] * 3) == [(200, BODY)] * 3


async def test_heads_ranges_conditions_and_wholes_of_one_stored_reply(
    cached: Proxy, origin: Origin
) -> None:
    origin.replies["/"] = reply(BODY, "Content-Type: image/png", 'ETag: "1"', FRESH)
    url = origin.url("/")
    found = await twice_on_one_connection(
        cached,
        get(url),
        get(url, method="HEAD"),
        get(url, "Range: bytes=5-9"),
        get(url, 'If-None-Match: "1"'),
        get(url, "Range: bytes=99999-"),
        get(url, "Cache-Control: only-if-cached"),
        get(url),
    )
    assert found == [
        (200, BODY),
        (200, b""),
        (206, BODY[5:10]),
        (304, b""),
        (416, b""),
        (200, BODY),
        (200, BODY),
    ]
    assert len(origin.requests) == 1


async def test_an_interim_reply_is_not_stored(cached: Proxy, origin: Origin) -> None:
    """Nor do its fields say whether the final one may be, or are they sent with that again."""
    hints = b'HTTP/1.1 103 Early Hints\r\nCache-Control: max-age=600\r\nETag: "1"\r\n\r\n'
    origin.replies["/dynamic"] = hints + reply(b"dynamic", "Cache-Control: no-store")
    origin.replies["/kept"] = hints + reply(b"kept", FRESH)
    reader, writer = await asyncio.open_connection("127.0.0.1", cached.port)
    found: list[int | bytes] = []
    for path in ("/dynamic", "/dynamic", "/kept", "/kept"):
        writer.write(get(origin.url(path)))
        answer = await read_answer(reader)
        while answer.status < 200:
            found.append(answer.status)
            answer = await read_answer(reader)
        found.append(answer.body)
    writer.close()
    assert found == [103, b"dynamic", 103, b"dynamic", 103, b"kept", b"kept"]
    assert len(origin.requests) == 3


async def test_a_chunked_reply_is_stored_and_sent_with_its_length(
    cached: Proxy, origin: Origin
) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nCache-Control: max-age=9\r\n\r\n"
    origin.replies["/"] = chunked + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    request = get(origin.url("/"))
    assert await twice_on_one_connection(cached, *[request] * 2) == [(200, b"abcde")] * 2
    assert len(origin.requests) == 1


async def test_stored_replies_without_a_body(cached: Proxy, origin: Origin) -> None:
    origin.replies["/none"] = reply(b"", FRESH, status="204 No Content", length=False)
    origin.replies["/empty"] = reply(b"", FRESH)
    requests = [get(origin.url(path)) for path in ("/none", "/none", "/empty", "/empty")]
    found = await twice_on_one_connection(cached, *requests)
    assert [status for status, _ in found] == [204, 204, 200, 200]
