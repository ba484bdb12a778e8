"""Any method that is a token is forwarded, in its own case, whatever follows it (RFC 9110, 9.1)."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp.base_protocol import BaseProtocol

from tests.proxy.origins import Origin, ask, closed, opened, read_answer, reply
from tests.proxy.proxies import Proxy
from winnow.proxy.server.requests.request_parser import (
    RefusedRequestError,
    RequestMessage,
    RequestParser,
)

METHODS = ("BREW", "get", "VERSION-CONTROL", "A!#$%&'*+-.^_`|~0", "M" * 200)


def asked(origin: Origin, method: str, body: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    line = f"{method} {origin.url('/')} HTTP/1.1\r\nHost: x\r\n".encode()
    return line + length + b"\r\n" + body


@pytest.mark.parametrize("method", METHODS)
async def test_any_token_is_a_method(method: str, proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = reply(b"ok")
    assert (await ask(proxy.port, asked(origin, method, b"hello"))).status == 200
    assert origin.requests[-1].startswith(f"{method} / HTTP/1.1\r\n".encode())
    assert origin.bodies[-1] == b"hello"


async def test_what_is_no_token_is_no_method(proxy: Proxy, origin: Origin) -> None:
    assert (await ask(proxy.port, asked(origin, "B(EW"))).status == 400
    assert not origin.requests


async def test_methods_follow_each_other_on_one_connection(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = reply(b"ok")
    reader, writer = await opened(proxy.port)
    writer.write(asked(origin, "BREW", b"a") + asked(origin, "GET") + asked(origin, "brew", b"b"))
    answers = [await read_answer(reader) for _ in range(3)]
    await closed(writer)
    assert [each.status for each in answers] == [200, 200, 200]
    lines = [each.split(b" ", 1)[0] for each in origin.requests]
    assert lines == [b"BREW", b"GET", b"brew"]


REQUESTS = {
    "a body of a length": b"X /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
    "chunks and trailers": (
        b"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nX-Sum: 1 \r\n\r\n"
    ),
    "blank lines before it": b"\r\n\r\nGET /a HTTP/1.0\r\n\r\n",
}


def parsed(data: bytes, step: int) -> list[tuple[RequestMessage, bytes]]:
    """The requests in bytes that come ``step`` at a time."""
    loop = asyncio.get_running_loop()
    parser = RequestParser(BaseProtocol(loop), loop, 2**16, 100)
    found = [
        each
        for at in range(0, len(data), step)
        for each in parser.feed_data(data[at : at + step])[0]
    ]
    return [(message, payload.read_nowait()) for message, payload in found]


@pytest.mark.parametrize("name", REQUESTS)
async def test_requests_read_byte_by_byte_are_the_same(name: str) -> None:
    data = REQUESTS[name] + b"GET /b HTTP/1.1\r\nHost: h\r\n\r\n"
    if b"/1.0" not in data:
        assert [each.target for each, _ in parsed(data, 1)] == ["/a", "/b"]
    assert parsed(data, 1) == parsed(data, len(data)) == parsed(data, 7)


async def test_trailers_of_a_request_are_read() -> None:
    ((message, body),) = parsed(REQUESTS["chunks and trailers"], 9)
    assert body == b"hello"
    assert message.trailers.fields == (("X-Sum", "1"),)


async def test_nothing_is_processed_behind_a_close() -> None:
    last = b"GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
    assert len(parsed(last + last, 10)) == 1


@pytest.mark.parametrize(
    "fields",
    [
        b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: chunked, gzip",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5",
        b"Content-Length: 5\r\nContent-Length: 5",
        b"Content-Length: 5, 5",
        b"Content-Length: +5",
        b"Content-Length: " + b"9" * 19,
        b"Host: other",
        b"X: a\r\n folded",
        b"X : a",
        b"X: a\nY: b",
    ],
)
async def test_what_could_be_read_in_two_ways_is_refused(fields: bytes) -> None:
    data = b"POST /a HTTP/1.1\r\nHost: h\r\n" + fields + b"\r\n\r\n"
    for step in (1, 5, len(data)):
        with pytest.raises(RefusedRequestError):
            parsed(data, step)
