"""Whatever stands in an address given to our own faces, no line of it is a line of a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from urllib.parse import quote

import pytest

from tests.proxy.origins import Origin, html, serving
from tests.winnow.test_whole_path import ARTICLE, settings
from winnow.compose.running import Running, running

BREAKS = (
    "\r\nX-Injected: 1",
    "\n\nX-Injected: 1",
    "\0",
    "\x7f",
    "\r\n\r\nDELETE /key HTTP/1.1\r\n\r\n",
)
FACES = (
    "/-/read?mode=original&url={url}",
    "/-/read?url={url}",
    "/-/api/extract?url={url}",
    "/-/compare?url={url}",
    "/-/why?url={url}",
    "/-/feed?url={url}",
    "/-/book?url={url}",
    "/-/small/go?url={url}",
)


@pytest.fixture
async def whole() -> AsyncIterator[tuple[Running, Origin]]:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        yield proxy, origin


async def response_to(proxy: Running, path: str) -> bytes:
    """All bytes of the answer to one request, until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode())
    try:
        return await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()


async def test_a_line_end_in_an_address_is_a_400_and_no_request_is_sent(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    for face, break_ in product(FACES, BREAKS):
        answer = await response_to(
            proxy, face.format(url=quote(origin.url(f"/a{break_}"), safe=""))
        )
        assert answer.startswith(b"HTTP/1.1 400 "), (face, answer[:200])
        head, _, body = answer.partition(b"\r\n\r\n")
        assert b"x-injected" not in head.lower()
        assert b"HTTP/1.1" not in body
    assert origin.requests == []


async def test_letters_of_every_script_reach_the_origin_as_utf8(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    sent = quote("/ä€путь日本")
    origin.replies[sent] = html(ARTICLE)
    spellings = (quote(origin.url("/ä€путь日本"), safe=""), origin.url(sent))
    for face, spelt in product(FACES[:-1], spellings):
        before = len(origin.requests)
        answer = await response_to(proxy, face.format(url=spelt))
        if answer.startswith(b"HTTP/1.1 302 "):
            answer = await response_to(proxy, _field(answer, b"location"))
        assert not answer.startswith(b"HTTP/1.1 5"), (face, answer[:300])
        assert origin.requests[before].startswith(f"GET {sent} HTTP/1.1\r\n".encode())


async def test_the_gateway_quotes_what_stands_raw_in_its_path(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    for path in ("/a%0d%0aX-Injected:%201", "/a%00b"):
        await response_to(proxy, f"/{origin.url(path)}")
        assert origin.requests[-1].startswith(f"GET {path} HTTP/1.1\r\n".encode())
        assert b"\r\nX-Injected" not in origin.requests[-1]


def _field(answer: bytes, name: bytes) -> str:
    head = answer.partition(b"\r\n\r\n")[0]
    lines = (line.partition(b": ") for line in head.split(b"\r\n"))
    return next(value.decode() for key, _, value in lines if key.lower() == name)
