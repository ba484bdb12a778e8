"""The field Priority and the frame PRIORITY_UPDATE are read as RFC 9218 says."""

from __future__ import annotations

import pytest
from hyperframe.frame import ExtensionFrame, PingFrame

from winnow.proxy.http2.priorities import PRIORITY_UPDATE, priority_update, urgency_of


@pytest.mark.parametrize(
    ("value", "urgency"),
    [
        (b"u=0", 0),
        (b"i, u=7", 7),
        (b"u=1, i", 1),
        (b"u=5;x=1", 5),
        (b"u=1, u=2", 2),
        (b"", 3),
        (b"i", 3),
        (b"u=8", 3),
        (b"u=12", 3),
        (b"menu=1", 3),
        (b"\xff", 3),
    ],
)
def test_the_urgency_of_a_field(value: bytes, urgency: int) -> None:
    assert urgency_of(value) == urgency


def test_an_update_names_its_stream() -> None:
    frame = ExtensionFrame(PRIORITY_UPDATE, 0, body=b"\x80\0\0\x05u=1")
    assert priority_update(frame) == (5, b"u=1")
    assert priority_update(ExtensionFrame(0xEE, 0, body=b"\0\0\0\x05u=1")) == (0, b"")
    assert priority_update(PingFrame(0, b"12345678")) == (0, b"")
