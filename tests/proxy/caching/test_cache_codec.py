"""Entries as bytes: the same come back, and no bytes whatever break the reading."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.proxy.caching.making import entry
from winnow.proxy.caching.cache_entry import (
    VERSION,
    CacheEntry,
    StorageError,
    packed,
    readable,
    unpacked,
)
from winnow.proxy.http.headers import Headers

latin = st.text(st.characters(max_codepoint=0xFF), max_size=20)
pairs = st.lists(st.tuples(latin, latin), max_size=4).map(tuple)
moments = st.floats(0, 4e9)
entries = st.builds(
    CacheEntry,
    st.integers(100, 999),
    latin,
    pairs.map(Headers),
    st.binary(max_size=99),
    moments,
    moments,
    pairs,
    st.booleans(),
)


@given(st.lists(entries, max_size=4).map(tuple))
def test_what_is_packed_comes_back(given_entries: tuple[CacheEntry, ...]) -> None:
    assert unpacked(packed(given_entries)) == given_entries


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    assert readable(VERSION + data) == () or unpacked(VERSION + data)
    assert readable(data) == ()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_what_is_cut_short_is_not_believed(cut: int) -> None:
    with pytest.raises(StorageError):
        unpacked(packed((entry(),))[:-cut])


def test_what_is_no_text_any_more_is_not_believed() -> None:
    with pytest.raises(StorageError):
        unpacked(packed((entry(),)).replace(b"Made", b"\xff\xffde"))


def test_another_version_is_not_read() -> None:
    with pytest.raises(StorageError):
        unpacked(b"WC0\n" + packed((entry(),))[4:])
    assert readable(None) == ()


def test_the_version_of_http_is_kept_and_old_entries_have_one() -> None:
    by_http2 = replace(entry(), version=(2, 0))
    assert unpacked(packed((by_http2,)))[0].head().version == (2, 0)
    old = msgspec.msgpack.decode(packed((entry(),))[len(VERSION) :])
    for each in old:
        del each["version"]
    assert unpacked(VERSION + msgspec.msgpack.encode(old))[0].head().version == (1, 1)
