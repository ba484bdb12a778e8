"""Which stream of a connection is sent first, as its peer asks (RFC 9218). Pure."""

from __future__ import annotations

import re
from typing import Final

from hyperframe.frame import ExtensionFrame, Frame

URGENCIES: Final = 8
USUAL_URGENCY: Final = 3
"""Of a stream whose peer says nothing (section 4.1)."""
PRIORITY_UPDATE: Final = 0x10
"""A frame's type (section 7.1)."""
_URGENCY: Final = re.compile(rb"(?:^|,)[ \t]*u=([0-7])[ \t]*(?=[,;]|$)")


def urgency_of(value: bytes) -> int:
    """By a Priority field: 0 is sent before 7. What cannot be read counts as not said."""
    said = _URGENCY.findall(value)
    return int(said[-1]) if said else USUAL_URGENCY


def priority_update(frame: Frame) -> tuple[int, bytes]:
    """The stream that a PRIORITY_UPDATE is for, and its Priority; stream 0 for other frames."""
    if not isinstance(frame, ExtensionFrame) or frame.type != PRIORITY_UPDATE:
        return 0, b""
    return int.from_bytes(frame.body[:4], "big") & 0x7FFFFFFF, frame.body[4:]
