"""A reply is never longer or shorter than its head says, whatever goes wrong within the proxy."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

import pytest

from tests.proxy.origins import Origin, get, reply
from tests.proxy.proxies import proxying
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead, Sender


@dataclass
class Injecting:
    """A sender whose answers hold a line end in a field, as no origin can send one."""

    sender: Sender

    async def send(self, order: OriginRequest) -> OriginResponse:
        answer = await self.sender.send(order)
        fields = answer.head.headers.plus(("X-Page", "a\r\nSet-Cookie: stolen=1"))
        return InjectedAnswer(answer, replace(answer.head, headers=fields))

    async def aclose(self) -> None:
        await self.sender.aclose()


class InjectedAnswer:
    def __init__(self, answer: OriginResponse, head: ResponseHead) -> None:
        self._answer, self.head = answer, head
        self.length = answer.length

    @property
    def trailers(self) -> Headers:
        return self._answer.trailers

    async def read(self) -> bytes:
        return await self._answer.read()

    async def aclose(self) -> None:
        await self._answer.aclose()


async def test_a_head_with_a_line_end_in_a_field_is_a_500_and_ends_the_connection(
    origin: Origin,
) -> None:
    origin.replies["/"] = reply(b"0123456789", "Content-Type: image/png")
    async with proxying(remember=Injecting) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(get(origin.url("/")) * 2)
        async with asyncio.timeout(60):
            everything = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert everything.startswith(b"HTTP/1.1 500 ")
    assert everything.count(b"HTTP/1.1 ") == 1
    assert b"malformed-head" in everything
    assert b"stolen" not in everything


@dataclass
class Liar:
    """A sender whose answers say that they are ``length`` bytes long."""

    sender: Sender
    length: int

    async def send(self, order: OriginRequest) -> OriginResponse:
        return LyingAnswer(await self.sender.send(order), self.length)

    async def aclose(self) -> None:
        await self.sender.aclose()


class LyingAnswer:
    def __init__(self, answer: OriginResponse, length: int) -> None:
        self._answer = answer
        self.length: int | None = length

    @property
    def head(self) -> ResponseHead:
        return self._answer.head

    @property
    def trailers(self) -> Headers:
        return self._answer.trailers

    async def read(self) -> bytes:
        return await self._answer.read()

    async def aclose(self) -> None:
        await self._answer.aclose()


@pytest.mark.parametrize("length", [0, 5, 99])
async def test_a_wrong_length_ends_the_connection(origin: Origin, length: int) -> None:
    origin.replies["/"] = reply(b"0123456789", "Content-Type: image/png")
    async with proxying(remember=lambda sender: Liar(sender, length)) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(get(origin.url("/")) * 2)
        async with asyncio.timeout(60):
            everything = await reader.read()
        writer.close()
        await writer.wait_closed()
    assert everything.count(b"HTTP/1.1 ") == 1
    _, _, body = everything.partition(b"\r\n\r\n")
    assert len(body) <= length
