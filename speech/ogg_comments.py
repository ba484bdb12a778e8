"""Title and chapters in an Ogg Opus file (RFC 3533, RFC 7845; chapters as Xiph's wiki has them)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

LONGEST: Final = 200
"""Bytes of a title."""
MOST_CHAPTERS: Final = 100
_HEAD: Final = 27
Chapter = tuple[float, str]
"""Seconds and title."""


def with_comments(file: bytes, title: str, chapters: Sequence[Chapter]) -> bytes:
    """The file with these comments; its second page holds nothing else (RFC 7845, section 3)."""
    start = _page_end(file, 0)
    end = _page_end(file, start)
    packet = _packet(title, chapters[:MOST_CHAPTERS])
    lacing = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
    head = file[start : start + 22] + bytes(4) + bytes([len(lacing)]) + lacing
    page = bytearray(head + packet)
    struct.pack_into("<I", page, 22, crc(bytes(page)))
    return file[:start] + page + file[end:]


def _page_end(file: bytes, start: int) -> int:
    """Raises ValueError where no page begins at ``start``."""
    if file[start : start + 4] != b"OggS":
        raise ValueError("no Ogg page")
    segments = file[start + 26]
    return start + _HEAD + segments + sum(file[start + _HEAD : start + _HEAD + segments])


def _packet(title: str, chapters: Sequence[Chapter]) -> bytes:
    comments = [f"TITLE={cut(title)}"] if title else []
    for number, (seconds, name) in enumerate(chapters):
        minutes, left = divmod(seconds, 60)
        time = f"{int(minutes // 60):02}:{int(minutes % 60):02}:{left:06.3f}"
        comments += [f"CHAPTER{number:03}={time}", f"CHAPTER{number:03}NAME={cut(name)}"]
    written = [comment.encode() for comment in comments]
    parts = [struct.pack("<I", len(each)) + each for each in written]
    vendor = b"Winnow"
    counted = struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", len(parts))
    return b"OpusTags" + counted + b"".join(parts)


def cut(text: str) -> str:
    """At most LONGEST bytes of UTF-8."""
    return text.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")


def _crc_row(value: int) -> int:
    for _ in range(8):
        value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
    return value & 0xFFFFFFFF


_CRC: Final = [_crc_row(value << 24) for value in range(256)]


def crc(page: bytes) -> int:
    """The checksum of a page whose checksum is 0 (RFC 3533, section 6)."""
    value = 0
    for byte in page:
        value = (value << 8) & 0xFFFFFFFF ^ _CRC[(value >> 24) ^ byte]
    return value
