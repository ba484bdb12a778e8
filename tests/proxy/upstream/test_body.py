"""A page's body is gathered within bounds, and what came is never lost."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterable

import pytest

from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.content_coding import DecodingBounds
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.http.reasons import Reason
from winnow.proxy.upstream.body import buffer_body, page_failure

POLICY = Policy(bounds=DecodingBounds(bytes=1000), largest_body=500, gather_seconds=5)


def reading(pieces: Iterable[bytes | Exception]) -> Callable[[], Awaitable[bytes]]:
    left = iter(pieces)

    async def read() -> bytes:
        piece = next(left, b"")
        if isinstance(piece, Exception):
            raise piece
        return piece

    return read


async def test_a_page_is_gathered_and_decoded() -> None:
    packed = gzip.compress(b"<p>page</p>")
    gathered = await buffer_body(reading([packed[:5], packed[5:]]), ("gzip",), POLICY)
    assert (gathered.body, gathered.failure) == (b"<p>page</p>", None)
    assert b"".join(gathered.chunks) == packed


@pytest.mark.parametrize(
    ("pieces", "codings", "reason"),
    [
        ([b"x" * 300, b"y" * 300], (), Reason.TOO_LARGE),
        ([gzip.compress(b"x" * 5000)], ("gzip",), Reason.TOO_LARGE),
        ([b"no gzip"], ("gzip",), Reason.CODING),
        ([gzip.compress(b"x")[:-4]], ("gzip",), Reason.CODING),
        ([b"half", OriginFaultError("cut")], (), Reason.CUT_SHORT),
    ],
)
async def test_a_failure_has_a_reason_and_loses_no_bytes(
    pieces: list[bytes | Exception], codings: tuple[str, ...], reason: Reason
) -> None:
    gathered = await buffer_body(reading(pieces), codings, POLICY)
    assert gathered.failure is reason
    assert b"".join(gathered.chunks) == b"".join(
        piece for piece in pieces if isinstance(piece, bytes)
    )
    assert gathered.cut_short is (reason is Reason.CUT_SHORT)


async def test_a_page_that_dribbles_is_let_go() -> None:
    never = asyncio.Event()
    pieces = iter([b"begun"])

    async def read() -> bytes:
        piece = next(pieces, b"")
        if not piece:
            await never.wait()
        return piece

    policy = Policy(gather_seconds=0.05)
    gathered = await buffer_body(read, (), policy)
    assert (gathered.failure, gathered.chunks) == (Reason.TOO_SLOW, [b"begun"])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<p>x", None),
        (b"\xef\xbb\xbf<p>", None),
        ("<p>x".encode("utf-16"), None),
        (b"", Reason.EMPTY),
        (b"\x00\x00", Reason.EMPTY),
        (b"words", Reason.NOT_MARKUP),
        (b"%PDF-1.7 <", Reason.NOT_MARKUP),
        (b' {"a": "<"}', Reason.NOT_MARKUP),
    ],
)
def test_a_body_may_be_no_page_after_all(body: bytes, expected: Reason | None) -> None:
    assert page_failure(body) is expected
