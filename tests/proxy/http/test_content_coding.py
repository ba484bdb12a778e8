"""Content codings: any cut of the bytes, cut short, bombs, and what a client likes."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from functools import partial

import brotli  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.http.content_coding import (
    MAX_CODINGS,
    SMALL,
    BodyDecoder,
    DecodingBounds,
    choose_coding,
    encode,
)
from winnow.proxy.http.proxy_errors import BodyTooLargeError, CodingError

TEXT = b"A page that somebody wrote. " * 2000


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


CODED = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": partial(encode, "zstd"),
    "identity": bytes,
}


def decoded(coding: str, data: bytes, step: int, bounds: DecodingBounds | None = None) -> bytes:
    decoder = BodyDecoder((coding,), bounds or DecodingBounds())
    for at in range(0, len(data), step):
        decoder.feed(data[at : at + step])
    return decoder.result()


@pytest.mark.parametrize("coding", CODED)
@pytest.mark.parametrize("step", [1, 7, 1 << 20])
def test_a_body_is_decoded_however_it_is_cut(coding: str, step: int) -> None:
    assert decoded(coding, CODED[coding](TEXT), step) == TEXT


def test_raw_deflate_is_taken_for_deflate_as_browsers_do() -> None:
    assert decoded("deflate", raw_deflate(TEXT), 1 << 20) == TEXT


def test_codings_are_undone_from_the_last_to_the_first() -> None:
    decoder = BodyDecoder(("gzip", "br"), DecodingBounds())
    decoder.feed(brotli.compress(gzip.compress(TEXT)))
    assert decoder.result() == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_body_cut_short_is_an_error(coding: str) -> None:
    with pytest.raises(CodingError):
        decoded(coding, CODED[coding](TEXT)[:-5], 1000)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_bytes_that_are_none_of_it_are_an_error(coding: str) -> None:
    with pytest.raises(CodingError):
        decoded(coding, b"<html>not coded at all</html>" * 10, 1000)


def test_an_unknown_coding_is_an_error_before_any_byte() -> None:
    with pytest.raises(CodingError, match="sdch"):
        BodyDecoder(("sdch",), DecodingBounds())


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_stopped_at_the_bound(coding: str) -> None:
    bomb = CODED[coding](bytes(64 * 1024 * 1024))
    with pytest.raises(BodyTooLargeError):
        decoded(coding, bomb, 1 << 20, DecodingBounds(bytes=8 * 1024 * 1024, ratio=1 << 40))
    with pytest.raises(BodyTooLargeError):
        decoded(coding, bomb, 1 << 20, DecodingBounds(bytes=1 << 40, ratio=100))


def test_more_codings_than_a_few_make_no_decoder() -> None:
    names = ("gzip", "br", "zstd", "deflate") * 10_000
    tracemalloc.start()
    try:
        with pytest.raises(CodingError, match="40000"):
            BodyDecoder(names, DecodingBounds())
        assert tracemalloc.get_traced_memory()[1] < 16 * 1024
    finally:
        tracemalloc.stop()


def test_brotli_is_undone_once() -> None:
    assert fed(("gzip", "br"), brotli.compress(gzip.compress(TEXT)), DecodingBounds()) == TEXT
    with pytest.raises(CodingError, match="twice"):
        fed(("br", "br"), brotli.compress(brotli.compress(TEXT)), DecodingBounds())


def test_as_many_codings_as_are_undone() -> None:
    body = TEXT
    for _ in range(MAX_CODINGS):
        body = gzip.compress(body)
    assert fed(("gzip",) * MAX_CODINGS, body, DecodingBounds()) == TEXT
    with pytest.raises(CodingError):
        fed(("gzip",) * (MAX_CODINGS + 1), gzip.compress(body), DecodingBounds())


EMPTY_BLOCKS = gzip.compress(b"")[:10] + b"\x00\x00\x00\xff\xff" * (8 * 1024 * 1024)
"""40 MB of stored deflate blocks (RFC 1951, section 3.2.4), none of which holds a byte."""


@pytest.mark.parametrize("bounds", [DecodingBounds(1 << 20, 1 << 40), DecodingBounds(1 << 40, 100)])
def test_a_bomb_inside_a_bomb_is_stopped_though_nothing_comes_out(bounds: DecodingBounds) -> None:
    with pytest.raises(BodyTooLargeError):
        fed(("gzip", "gzip"), gzip.compress(EMPTY_BLOCKS), bounds)


def fed(codings: tuple[str, ...], data: bytes, bounds: DecodingBounds) -> bytes:
    decoder = BodyDecoder(codings, bounds)
    decoder.feed(data)
    return decoder.result()


def test_bytes_after_the_end_are_ignored() -> None:
    assert decoded("gzip", gzip.compress(TEXT) + b"trailing", 100) == TEXT


@given(st.binary(max_size=3000), st.sampled_from(["gzip", "br", "zstd", "identity"]))
def test_what_we_encode_decodes(body: bytes, coding: str) -> None:
    coded = encode(coding, body)
    assert decoded(coding, coded, 100) == body
    assert encode(coding, body) == coded


@pytest.mark.parametrize(
    ("accept", "size", "expected"),
    [
        ("gzip, deflate, br, zstd", 5000, "br"),
        ("gzip, zstd", 5000, "zstd"),
        ("gzip", 5000, "gzip"),
        ("br;q=0, gzip;q=0.1", 5000, "gzip"),
        ("*", 5000, "br"),
        ("*;q=0", 5000, "identity"),
        ("identity", 5000, "identity"),
        ("", 5000, "identity"),
        (None, 5000, "identity"),
        ("gzip", SMALL - 1, "identity"),
    ],
)
def test_the_coding_is_the_best_that_the_client_takes(
    accept: str | None, size: int, expected: str
) -> None:
    assert choose_coding(accept, size) == expected
