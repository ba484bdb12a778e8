"""Comments of an Opus file: a page of their own, after the first (RFC 7845, section 3)."""

from __future__ import annotations

import struct

import pytest

from winnow.speech.ogg_comments import crc, with_comments


def page(packet: bytes) -> bytes:
    """An Ogg page with one packet (RFC 3533, section 6)."""
    return b"OggS" + bytes(22) + bytes([1, len(packet)]) + packet


def test_the_second_page_is_replaced_and_all_else_stays() -> None:
    first, old, last = page(b"OpusHead"), page(b"OpusTags old"), page(b"sound")
    made = with_comments(first + old + last, "The mill", [(61.5, "Flour"), (3600, "The end")])
    assert made.startswith(first)
    assert made.endswith(last)
    second = made[len(first) : -len(last)]
    packet = second[27 + second[26] :]
    assert sum(second[27 : 27 + second[26]]) == len(packet)
    assert packet.startswith(b"OpusTags")
    for comment in (
        b"TITLE=The mill",
        b"CHAPTER000=00:01:01.500",
        b"CHAPTER000NAME=Flour",
        b"CHAPTER001=01:00:00.000",
        b"CHAPTER001NAME=The end",
    ):
        assert struct.pack("<I", len(comment)) + comment in packet
    assert struct.unpack_from("<I", second, 22)[0] == crc(second[:22] + bytes(4) + second[26:])


def test_what_is_no_ogg_is_an_error() -> None:
    with pytest.raises(ValueError, match="no Ogg page"):
        with_comments(b"RIFF" + bytes(40), "", [])
