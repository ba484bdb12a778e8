"""Reads the records of a part of a WARC file (ISO 28500), once; a damaged one costs itself alone.

A compressed archive is one gzip member a record (ISO 28500, annex D), so that a part of it can be
read from any byte on: the next member that holds a record is looked for.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord

GZIP: Final = b"\x1f\x8b\x08"
WARC: Final = b"WARC/"
BROKEN: Final = (ArchiveLoadFailed, EOFError, zlib.error, ValueError)
"""What warcio raises for bytes that are no record."""
_PIECE: Final = 1 << 18
_HEAD: Final = 1 << 16
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
_PLAIN: Final = re.compile(rb"\r\n\r\n(?=WARC/[01]\.\d\r\n)")
_MEMBER: Final = re.compile(rb"(?=\x1f\x8b\x08)")
_LOOK: Final = 16
"""More bytes than either of these looks at."""
_PROBE: Final = 1 << 12
"""Compressed bytes by which the begin of a record is told from bytes that look like one."""
_HTML: Final = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class RecordBytes:
    """A record as it stands in its file: ``body`` uncompressed, or why it cannot be read.

    ``is_cut``: there was more of it than may be held in memory.
    """

    offset: int
    body: bytes = b""
    fault: str = ""
    is_cut: bool = False


class Window:
    """A part of a file in memory that moves forward; ``offset`` is where it begins."""

    def __init__(self, stream: BinaryIO, offset: int) -> None:
        stream.seek(offset)
        self._stream = stream
        self.offset = offset
        self.bytes = b""

    def more(self) -> bool:
        """Read on; False at the file's end."""
        piece = self._stream.read(_PIECE)
        self.bytes += piece
        return bool(piece)

    def drop(self, size: int) -> None:
        """Forget the first bytes."""
        self.bytes = self.bytes[size:]
        self.offset += size

    def skip(self, size: int) -> bool:
        """Move forward, over bytes that were not read too; False where the file ends before."""
        inside = min(size, len(self.bytes))
        self.drop(inside)
        while inside < size:
            piece = self._stream.read(min(_PIECE, size - inside))
            if not piece:
                return False
            inside += len(piece)
            self.offset += len(piece)
        return True


def records(stream: BinaryIO, start: int, end: int, largest: int) -> Iterator[RecordBytes]:
    """The records that begin at ``start`` or behind it, and before ``end``; -1 is the file's end.

    Of a record no more than ``largest`` bytes are held.
    """
    window = Window(stream, start)
    window.more()
    if is_packed(stream, window):
        yield from _members(window, end, largest)
    else:
        yield from _plain(window, end, largest)


def is_packed(stream: BinaryIO, window: Window) -> bool:
    """Whether the file is compressed; said by its first bytes."""
    if window.offset == 0:
        return window.bytes.startswith(GZIP)
    here = stream.tell()
    stream.seek(0)
    packed = stream.read(len(GZIP)) == GZIP
    stream.seek(here)
    return packed


def _members(window: Window, end: int, largest: int) -> Iterator[RecordBytes]:
    if window.offset:
        _to_next(window, 0, _MEMBER)
    while window.bytes or window.more():
        if 0 <= end <= window.offset:
            return
        record = _inflated(window, largest)
        yield record
        if record.fault:
            _to_next(window, 1 if window.offset == record.offset else 0, _MEMBER)


def _inflated(window: Window, largest: int) -> RecordBytes:
    """The member at the window's begin; the window then stands behind it, unless it is damaged."""
    begin, at, inflate = window.offset, 0, zlib.decompressobj(16 + zlib.MAX_WBITS)
    body = bytearray()
    try:
        while not inflate.eof:
            if at == len(window.bytes):
                if (
                    len(body) > largest
                ):  # too large to be kept: what follows is looked for from here
                    window.drop(at)
                    at = 0
                if not window.more():
                    return RecordBytes(begin, fault="its bytes end before the record does")
            piece = inflate.decompress(memoryview(window.bytes)[at:], _PIECE)
            if not body and not piece.startswith(WARC):
                return RecordBytes(begin, fault="it is no WARC record")
            if len(body) <= largest:
                body += piece
            at = len(window.bytes) - len(inflate.unconsumed_tail or inflate.unused_data)
    except zlib.error as error:
        return RecordBytes(begin, fault=f"its gzip member is damaged ({error})")
    window.drop(at)
    return RecordBytes(begin, bytes(body), is_cut=len(body) > largest)


def _plain(window: Window, end: int, largest: int) -> Iterator[RecordBytes]:
    while window.bytes or window.more():
        if 0 <= end <= window.offset:
            return
        record = _measured(window, largest)
        yield record
        if record.fault:
            _to_next(window, 1 if window.offset == record.offset else 0, _PLAIN)


def _measured(window: Window, largest: int) -> RecordBytes:
    """The record at the window's begin, by its Content-Length (ISO 28500, section 5.3)."""
    begin = window.offset
    while (head := window.bytes.find(b"\r\n\r\n")) < 0 and len(window.bytes) < _HEAD:
        if not window.more():
            break
    length = _LENGTH.search(window.bytes, 0, head + 4) if head >= 0 else None
    if not window.bytes.startswith(WARC) or length is None:
        return RecordBytes(begin, fault="it is no WARC record")
    size = head + 8 + int(length[1])  # two line ends behind the head, and behind the block
    while len(window.bytes) < min(size, largest + 1):
        if not window.more():
            return RecordBytes(begin, fault="its bytes end before the record does")
    body = window.bytes[: min(size, largest + 1)]
    if not window.skip(size):
        return RecordBytes(begin, fault="its bytes end before the record does")
    return RecordBytes(begin, body, is_cut=size > largest)


def _to_next(window: Window, behind: int, begin: re.Pattern[bytes]) -> None:
    """Move to the next record that begins at ``behind`` or later, else to the end."""
    while True:
        for found in begin.finditer(window.bytes, behind):
            if _holds_record(window, found.end()):
                window.drop(found.end())
                return
        searched = max(0, len(window.bytes) - _LOOK)
        window.drop(searched)
        behind = max(0, behind - searched)
        if not window.more():
            window.drop(len(window.bytes))
            return


def _holds_record(window: Window, at: int) -> bool:
    """Whether bytes that look like the begin of a record are one."""
    if not window.bytes.startswith(GZIP, at):
        return window.bytes.startswith(WARC, at)
    while len(window.bytes) < at + _PROBE and window.more():
        pass
    try:
        first = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(
            window.bytes[at : at + _PROBE], len(WARC)
        )
    except zlib.error:
        return False
    return first == WARC


def plain_ranges(stream: BinaryIO, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of some ``size`` bytes that begin with a record, by their lengths; -1: the end."""
    window, first = Window(stream, 0), 0
    while window.bytes or window.more():
        if window.offset - first >= size:
            yield first, window.offset
            first = window.offset
        if _measured(window, 0).fault:
            break  # who reads the last range says what is wrong, and goes on behind it
    yield first, -1


def parsed(record: RecordBytes) -> ArcWarcRecord:
    """Raises one of BROKEN, or StopIteration."""
    return next(iter(ArchiveIterator(BytesIO(record.body))))


def is_page(record: ArcWarcRecord) -> bool:
    """Whether it is a response of status 200 with HTML."""
    head = record.http_headers
    if record.rec_type != "response" or head is None or head.get_statuscode() != "200":
        return False
    kind = (head.get_header("Content-Type") or "").partition(";")[0]
    return kind.strip().lower() in _HTML
