"""No request is forwarded that two servers could read differently (RFC 9112, section 11.2).

The judge here is a parser of its own that takes nothing but the strictest form of a request.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.proxy.origins import reply
from tests.proxy.payloads import all_payloads
from tests.proxy.proxies import Proxy

PAYLOADS = all_payloads()
LINE = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+ (/[!-~]*|\*) HTTP/1\.1\Z")
"""Any token is a method (RFC 9110, section 9.1)."""
FIELD = re.compile(
    rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ?((?:[\t\x20-\x7e\x80-\xff]*[!-~\x80-\xff])?)\Z"
)
NO_TRAILERS = {b"content-length", b"transfer-encoding", b"host", b"connection", b"trailer", b"te"}
CHUNK = re.compile(rb"([0-9a-f]{1,8})\r\n")
SILENCE = 1.0
"""Seconds without an answer after which none is awaited; a payload may lack its end."""
AT_ONCE = 64


class AmbiguousError(Exception):
    """Bytes that are not the strictest form of a request."""


@dataclass
class Recorder:
    """An origin that keeps every byte and answers each strictly read request with 200."""

    port: int = 0
    received: list[bytes] = field(default_factory=list)
    requests: list[tuple[bytes, bytes]] = field(default_factory=list)
    faults: list[AmbiguousError] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        buffer = b""
        try:
            while data := await reader.read(65536):
                self.received.append(data)
                buffer += data
                while found := strictly_read(buffer):
                    line, body, size = found
                    self.requests.append((line, body))
                    buffer = buffer[size:]
                    writer.write(reply(b"ok"))
        except AmbiguousError as error:
            self.faults.append(error)
        finally:
            writer.close()


def strictly_read(data: bytes) -> tuple[bytes, bytes, int] | None:
    """Request line, body and size of the first request; None while it is not whole."""
    head, end, rest = data.partition(b"\r\n\r\n")
    if not end:
        return None
    line, *fields = head.split(b"\r\n")
    if not LINE.match(line):
        raise AmbiguousError(f"request line {line!r}")
    named: dict[bytes, list[bytes]] = {}
    for raw in fields:
        match = FIELD.match(raw)
        if not match:
            raise AmbiguousError(f"field {raw!r}")
        named.setdefault(match[1].lower(), []).append(match[2])
    body, size = strict_body(named, rest)
    return None if size < 0 else (line, body, len(head) + 4 + size)


def strict_body(fields: dict[bytes, list[bytes]], rest: bytes) -> tuple[bytes, int]:
    """The body and how many bytes it took; -1 while it is not whole."""
    if len(fields.get(b"host", [])) != 1:
        raise AmbiguousError("not exactly one Host")
    lengths, codings = fields.get(b"content-length", []), fields.get(b"transfer-encoding", [])
    if len(lengths) + len(codings) > 1:
        raise AmbiguousError(f"framed twice: {lengths} {codings}")
    if lengths:
        if not re.fullmatch(rb"[0-9]{1,18}", lengths[0]):
            raise AmbiguousError(f"length {lengths}")
        size = int(lengths[0])
        return rest[:size], size if len(rest) >= size else -1
    if not codings:
        return b"", 0
    if codings != [b"chunked"]:
        raise AmbiguousError(f"coding {codings}")
    return strict_chunks(rest)


def strict_chunks(rest: bytes) -> tuple[bytes, int]:
    body, at = b"", 0
    while True:
        match = CHUNK.match(rest, at)
        if not match:
            if b"\r\n" in rest[at : at + 12]:
                raise AmbiguousError(f"chunk {rest[at : at + 12]!r}")
            return b"", -1
        size = int(match[1], 16)
        if size == 0:
            return body, strict_trailers(rest, match.end())
        end = match.end() + size
        if len(rest) < end + 2:
            return b"", -1
        if rest[end : end + 2] != b"\r\n":
            raise AmbiguousError(f"end of chunk {rest[end : end + 2]!r}")
        body += rest[match.end() : end]
        at = end + 2


def strict_trailers(rest: bytes, at: int) -> int:
    """Where the trailer section ends; -1 while it is not whole. It frames and routes nothing."""
    while True:
        line, ended, _ = rest[at:].partition(b"\r\n")
        if not ended:
            return -1
        at += len(line) + 2
        if not line:
            return at
        match = FIELD.match(line)
        if not match or match[1].lower() in NO_TRAILERS:
            raise AmbiguousError(f"trailer {line!r}")


@asynccontextmanager
async def recording() -> AsyncIterator[Recorder]:
    found = Recorder()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    yield found
    server.close()
    await server.wait_closed()


@pytest.fixture
async def recorder() -> AsyncIterator[Recorder]:
    async with recording() as found:
        yield found


async def thrown(proxy: Proxy, payload: bytes) -> bytes:
    """All that the proxy answers to bytes, until it hangs up or has been silent for a while."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(payload)
    received = b""
    try:
        while data := await asyncio.wait_for(reader.read(65536), SILENCE):
            received += data
        return received
    except (TimeoutError, ConnectionError):
        return received
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)


async def answered(proxy: Proxy, payload: bytes) -> bytes:
    """The head of the answer to bytes that get one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(payload)
    head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head


def at(recorder: Recorder, payload: bytes) -> bytes:
    """A payload for an origin's address."""
    return payload.replace(b"{at}", b"127.0.0.1:%d" % recorder.port)


Check = Callable[[str, Proxy, Recorder], Awaitable[None]]


async def failed(check: Check, proxy: Proxy) -> dict[str, BaseException]:
    """The payloads whose check fails. Each has an origin of its own; they wait side by side."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def checked(name: str) -> None:
        async with turns, recording() as recorder:
            await check(name, proxy, recorder)

    found = await asyncio.gather(*map(checked, PAYLOADS), return_exceptions=True)
    return {name: fault for name, fault in zip(PAYLOADS, found, strict=True) if fault}


def test_there_are_enough_payloads_of_every_class() -> None:
    assert len(PAYLOADS) >= 74
    assert len(set(PAYLOADS.values())) == len(PAYLOADS)


async def forwards_nothing_ambiguous(name: str, proxy: Proxy, recorder: Recorder) -> None:
    await thrown(proxy, at(recorder, PAYLOADS[name]))
    assert recorder.faults == []
    first = [line for line, _ in recorder.requests if b"SMUGGLED" not in line]
    assert len(first) <= 1
    if name.startswith(("CL.TE", "TE.CL", "line")):
        assert len(recorder.requests) <= 1, b"".join(recorder.received)


async def test_nothing_ambiguous_is_forwarded(proxy: Proxy) -> None:
    assert await failed(forwards_nothing_ambiguous, proxy) == {}


async def forwards_the_next_as_it_is(name: str, proxy: Proxy, recorder: Recorder) -> None:
    await thrown(proxy, at(recorder, PAYLOADS[name]))
    before = len(recorder.requests)
    following = at(recorder, b"GET http://{at}/next HTTP/1.1\r\nHost: {at}\r\n\r\n")
    assert (await answered(proxy, following)).startswith(b"HTTP/1.1 200 ")
    assert [line for line, _ in recorder.requests[before:]][-1] == b"GET /next HTTP/1.1"
    assert recorder.faults == []


async def test_the_next_client_s_request_is_its_own(proxy: Proxy) -> None:
    """Whatever was thrown, the next request gets its own response."""
    assert await failed(forwards_the_next_as_it_is, proxy) == {}


UNUSUAL = {
    "length, zeros": b"hello",
    "length, named hop-by-hop": b"hello",
    "chunk, extension": b"hello",
    "line, version 1.0 with chunks": b"hello",
    "line, body of GET": b"hello",
    "line, body of HEAD in chunks": b"hello",
    "line, another host": b"",
}


@pytest.mark.parametrize("name", UNUSUAL)
async def test_what_is_merely_unusual_is_forwarded_in_its_plain_form(
    name: str, proxy: Proxy, recorder: Recorder
) -> None:
    answer = await answered(proxy, at(recorder, PAYLOADS[name]))
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert [body for _, body in recorder.requests] == [UNUSUAL[name]]
    assert at(recorder, b"Host: {at}") in b"".join(recorder.received)


async def test_a_length_is_forwarded_without_its_zeros(proxy: Proxy, recorder: Recorder) -> None:
    length = b"Content-Length: " + b"0" * 5000 + b"5\r\n"
    payload = b"POST http://{at}/ HTTP/1.1\r\nHost: {at}\r\n" + length + b"\r\nhello"
    await answered(proxy, at(recorder, payload))
    assert [body for _, body in recorder.requests] == [b"hello"]
    assert b"\r\nContent-Length: 5\r\n" in b"".join(recorder.received)


def test_the_strict_reader_takes_trailers_that_frame_nothing() -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    whole = head + b"A: b\r\n\r\n"
    assert strictly_read(whole + b"GET ") == (b"POST / HTTP/1.1", b"x", len(whole))
    assert all(strictly_read(whole[:end]) is None for end in range(len(whole)))
    for trailer in (b"Content-Length: 3", b"no field", b" folded"):
        with pytest.raises(AmbiguousError):
            strictly_read(head + trailer + b"\r\n\r\n")
