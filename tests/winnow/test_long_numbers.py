"""A number of 5,000 digits, wherever one may stand, is never a fault of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.proxy.origins import Origin, Script, ask, reply, serving
from tests.winnow.test_whole_path import ARTICLE, BROWSER, settings
from winnow.compose.running import Running, running

LONG = ("9" * 5000, "0" * 5000, "0" * 4999 + "1", "-" + "9" * 5000, "²", "+5")
PATHS = (
    "/-/read?url={page}&level={n}",
    "/-/read?url={page}&extractor=crunch:{n}",
    "/-/read?url={page}&extractor=crunch:level={n}",
    "/-/read?url={page}&extractor=lqf:{n}",
    "/-/read?url={page}&extractor=dsc:size={n}",
    "/-/read?url={page}&extractor=memory:{n}",
    "/-/api/extract?url={page}&level={n}",
    "/-/api/extract?url={page}&part={n}",
    "/-/why?url={page}&level={n}&extractor=crunch:{n}",
    "/-/compare?url={page}&level={n}",
    "/-/small/p{n}/{page}",
    "/-/small/w{n}.k{n}/{page}",
    "/-/small/options?width={n}&part={n}&kilobytes={n}",
    "/-/feed?url={page}&level={n}",
    "/-/book?url={page}&level={n}",
    "/-/annotate?url={page}&part={n}",
    "/{page}",
    "http://127.0.0.1:{n}/",
    "http://[::{n}]/",
    "/http://127.0.0.1:{n}/",
)
REQUEST_FIELDS = (
    "Max-Forwards",
    "Winnow-Level",
    "Winnow-Extractor: crunch:",
    "Range: bytes=",
    "Range: bytes=-",
    "Range: bytes=0-",
    "Cache-Control: max-age=",
    "Cache-Control: max-stale=",
    "Cache-Control: min-fresh=",
    "Viewport-Width",
    "Width",
    "Accept: text/html;q=",
    "Accept-Encoding: gzip;q=",
    "Accept-Language: de;q=",
    "If-Modified-Since: Sun, 06 Nov ",
    "Keep-Alive: timeout=",
    "Upgrade-Insecure-Requests",
)
REPLY_FIELDS = (
    "Content-Length",
    "Age",
    "Cache-Control: max-age=",
    "Cache-Control: s-maxage=",
    "Cache-Control: stale-while-revalidate=",
    "Retry-After",
    "Expires",
    "Last-Modified: Sun, 06 Nov ",
    "Date: Sun, 06 Nov 2026 08:49:37 +",
    "Keep-Alive: timeout=",
    "Content-Range: bytes 0-",
    "Refresh",
    "Strict-Transport-Security: max-age=",
    "Status",
)


@pytest.fixture
async def whole() -> AsyncIterator[tuple[Running, Origin]]:
    async with serving(Origin()) as origin, running(settings()) as proxy:
        yield proxy, origin


def field(name: str, number: str) -> str:
    return f"{name}{number}" if ":" in name else f"{name}: {number}"


async def status(port: int, method: str, target: str, *fields: str) -> int:
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", *fields, "", ""]
    return (await ask(port, "\r\n".join(lines).encode())).status


def ending(answer: bytes) -> Script:
    """Says it, then ends the connection: a length that is none is ended by that alone."""

    async def script(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    return script


async def test_in_an_address(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    origin.replies["/page"] = reply(ARTICLE, "Content-Type: text/html")
    page = origin.url("/page")
    for path in PATHS:
        for number in LONG:
            found = await status(proxy.port, "GET", path.format(page=page, n=number), BROWSER)
            assert found not in (500, 0), (path, number[:9])


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "TRACE"])
async def test_in_a_field_of_a_request(method: str, whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    kept = reply(ARTICLE, "Content-Type: text/html", "Cache-Control: max-age=60", 'ETag: "a"')
    origin.replies["/page"] = kept
    for name in REQUEST_FIELDS:
        for number in LONG:
            told = field(name, number)
            found = await status(proxy.port, method, origin.url("/page"), BROWSER, told)
            assert found not in (500, 0), told[:40]


async def test_in_a_field_of_a_reply(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    for count, name in enumerate(REPLY_FIELDS):
        for index, number in enumerate(LONG):
            path = f"/{count}-{index}"
            told = field(name, number)
            plain = name == "Content-Length"
            kept = () if "Cache-Control" in name else ("Cache-Control: max-age=60",)
            answer = reply(ARTICLE, "Content-Type: text/html", told, *kept, length=not plain)
            origin.replies[path] = ending(answer) if plain else answer
            for _ in range(1 if plain else 2):
                found = await status(proxy.port, "GET", origin.url(path), BROWSER)
                assert found not in (500, 0), told[:40]
