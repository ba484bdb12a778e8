"""Splits received bytes into DATA of open streams, which needs no more than counting, and the rest.

h2 makes objects and asks two state machines for each frame; nginx sends one for each 8 KiB.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from h2.exceptions import DenialOfServiceError, FrameTooLargeError

FRAME_HEADER: Final = 9
"""Bytes of a frame before its payload (RFC 9113, section 4.1)."""
PREFACE: Final = 24
"""Bytes by which a client begins (section 3.4)."""
_DATA, _HEADERS, _PUSH_PROMISE, _CONTINUATION = 0, 1, 5, 9
_END_HEADERS: Final = 4


class _MayCount(Protocol):
    def __call__(self, number: int) -> bool:
        """Whether a frame of DATA on this stream needs no more than counting."""


class FrameSplitter:
    """Of one connection. ``is_server``: the preface comes first.

    ``section``: bytes so far of a field section that has not ended, frame heads included.
    """

    def __init__(self, largest_section: int, *, is_server: bool) -> None:
        self._partial = b""
        self._skip = PREFACE if is_server else 0
        self._largest_section = largest_section
        self.section = 0

    def split(self, data: bytes, largest: int, may_count: _MayCount) -> Iterator[tuple[int, bytes]]:
        """The stream and payload of DATA without flags; runs of other frames with stream 0.

        ``largest``: bytes of a payload. Raises FrameTooLargeError at a longer frame's head, and
        DenialOfServiceError where a section goes on beyond its largest.
        ``may_count`` is asked after all that came before was consumed.
        """
        data, self._partial = self._partial + data, b""
        at = rest = 0
        if self._skip:
            at = min(self._skip, len(data))
            self._skip -= at
        while len(data) - at >= FRAME_HEADER:
            end = at + FRAME_HEADER + int.from_bytes(data[at : at + 3], "big")
            if end - at - FRAME_HEADER > largest:  # h2 would wait for all of it first
                if rest < at:
                    yield 0, data[rest:at]
                raise FrameTooLargeError(f"A frame has more than {largest} bytes.")
            if end > len(data):
                break
            elif data[at + 3] or data[at + 4] or self.section or end == at + FRAME_HEADER:
                self._note(data[at + 3], data[at + 4], end - at)
                at = end
            else:
                if rest < at:
                    yield 0, data[rest:at]
                number = int.from_bytes(data[at + 5 : at + FRAME_HEADER], "big")
                counted = may_count(number)
                yield (number, data[at + FRAME_HEADER : end]) if counted else (0, data[at:end])
                at = rest = end
        if rest < at:
            yield 0, data[rest:at]
        self._partial = data[at:]

    def _note(self, kind: int, flags: int, size: int) -> None:
        """A section that has not ended admits CONTINUATION alone (section 6.10)."""
        if kind in (_HEADERS, _PUSH_PROMISE, _CONTINUATION):
            self.section = 0 if flags & _END_HEADERS else self.section + size
            if self.section > self._largest_section:
                raise DenialOfServiceError("A field section does not end.")
