"""Title and chapters in an MP3 file (ID3v2.4.0; ID3v2 Chapter Frame Addendum 1.0)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from winnow.speech.ogg_comments import MOST_CHAPTERS, Chapter, cut


def with_chapters(file: bytes, title: str, chapters: Sequence[Chapter], seconds: float) -> bytes:
    """The file behind a tag; ``seconds`` is its length. Raises ValueError without a chapter."""
    chosen = chapters[:MOST_CHAPTERS]
    ends = [*(start for start, _ in chosen[1:]), seconds]
    names = [f"c{number}".encode() + b"\0" for number in range(len(chosen))]
    listed = bytes([3, len(chosen)]) + b"".join(names)  # of the top level, in order
    frames = [_text(title), _frame(b"CTOC", b"toc\0" + listed)]
    for name, (start, text), end in zip(names, chosen, ends, strict=True):
        times = struct.pack(">IIII", int(start * 1000), int(end * 1000), 0xFFFFFFFF, 0xFFFFFFFF)
        frames.append(_frame(b"CHAP", name + times + _text(text)))
    tag = b"".join(frames)
    return b"ID3\x04\x00\x00" + _synchsafe(len(tag)) + tag + file


def _text(text: str) -> bytes:
    return _frame(b"TIT2", b"\x03" + cut(text).encode())


def _frame(name: bytes, body: bytes) -> bytes:
    return name + _synchsafe(len(body)) + b"\0\0" + body


def _synchsafe(number: int) -> bytes:
    """Four bytes of seven bits each (ID3v2.4.0, section 6.2)."""
    return bytes((number >> shift) & 0x7F for shift in (21, 14, 7, 0))
