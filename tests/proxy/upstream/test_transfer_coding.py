"""Transfer codings that nobody asked for are removed within bounds."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest

from tests.proxy.origins import Origin, ask, get
from tests.proxy.proxies import Proxy
from winnow.proxy.http.proxy_errors import MalformedResponseError
from winnow.proxy.upstream.transfer_coding import TransferDecoder

TEXT = b"the text of a body " * 2000
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: %b\r\n\r\n"


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


def coded(codings: bytes, body: bytes) -> bytes:
    for coding in codings.split(b", "):
        if coding in (b"gzip", b"x-gzip"):
            body = gzip.compress(body)
        elif coding == b"deflate":
            body = zlib.compress(body)
        else:
            body = chunked(body)
    return body


ENDED_BY_CHUNKS = (b"gzip, chunked", b"deflate, chunked", b"x-gzip, deflate, chunked")
ENDED_BY_CLOSE = (b"gzip", b"chunked, gzip", b"deflate, gzip")


@pytest.mark.parametrize("codings", [*ENDED_BY_CHUNKS, *ENDED_BY_CLOSE])
async def test_they_are_removed(codings: bytes, origin: Origin, proxy: Proxy) -> None:
    origin.usual = HEAD % codings + coded(codings, TEXT)
    for _ in range(2):
        answer = await ask(proxy.port, get(origin.url("/")))
        assert (answer.status, answer.body) == (200, TEXT)
        assert answer.field("transfer-encoding") == "chunked"
    assert origin.connections == 2  # by HTTP/1.1 of the tests' origin each ends its connection


@pytest.mark.parametrize(
    "codings", [b"compress, chunked", b"br, chunked", b"gzip, chunked, chunked, gzip", b"x"]
)
async def test_others_are_a_502(codings: bytes, origin: Origin, proxy: Proxy) -> None:
    origin.usual = HEAD % codings + b"0\r\n\r\n"
    assert (await ask(proxy.port, get(origin.url("/")))).status == 502


async def test_a_body_that_is_cut_short_is_broken_off(origin: Origin, proxy: Proxy) -> None:
    origin.usual = HEAD % b"gzip, chunked" + chunked(gzip.compress(TEXT)[:-20])
    with pytest.raises((EOFError, ConnectionError, ValueError)):
        await ask(proxy.port, get(origin.url("/")))


def spent(pieces: Iterator[bytes], sizes: list[int]) -> None:
    sizes += (len(piece) for piece in pieces)


def test_a_bomb_ends_at_its_ratio_in_small_pieces() -> None:
    bomb, sizes = gzip.compress(bytes(300_000_000), 1), list[int]()
    with pytest.raises(MalformedResponseError, match="larger"):
        spent(TransferDecoder(("gzip",)).pieces(bomb), sizes)
    assert max(sizes) <= 256 * 1024
    assert sum(sizes) <= 200 * len(bomb)
