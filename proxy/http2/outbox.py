"""The frames that streams send: written by h2, sent together, bounded where the peer reads none."""

from __future__ import annotations

import asyncio
from typing import Final

from h2.errors import ErrorCodes
from hpack import HeaderTuple

from winnow.proxy.http2.frame_budget import PER_DATA_FRAME, FrameBudget
from winnow.proxy.http2.protocol import H2State

WRITE_AHEAD: Final = 64 * 1024
"""Bytes that wait for a slow peer before streams wait too."""
MOST_UNSENT: Final = 1024 * 1024
"""Bytes of answers that wait for a peer that sends but reads nothing: then it is cut off."""


class Outbox:
    """What streams need of their connection to send; ``gone`` is done once that is lost."""

    def __init__(self, state: H2State, budget: FrameBudget, gone: asyncio.Future[None]) -> None:
        self._state, self._budget, self._gone = state, budget, gone
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._is_flushing = False
        self.is_paused = False
        """The transport's buffer is full."""

    def connect(self, transport: asyncio.Transport) -> None:
        """Send over ``transport`` from now on."""
        self._transport = transport
        transport.set_write_buffer_limits(high=WRITE_AHEAD)
        self.flush()

    def is_writable(self) -> bool:
        return not self.is_paused

    def window(self, number: int) -> int:
        """Bytes that may be sent now."""
        return self._state.local_flow_control_window(number)

    def send_section(self, number: int, section: list[HeaderTuple], *, last: bool) -> None:
        self._state.send_headers(number, section, end_stream=last)
        self.flush_soon()

    def send_data(self, number: int, data: bytes, *, last: bool) -> None:
        """At most as many bytes as ``window`` says, in frames of the largest size."""
        self._budget.earn(PER_DATA_FRAME * self._state.send_body(number, data, last=last))
        if len(data) < WRITE_AHEAD:
            self.flush_soon()
        else:
            self.flush()

    def reset(self, number: int, code: ErrorCodes) -> None:
        if not self._gone.done():
            self._state.reset_stream(number, code)
            self.flush_soon()

    def consumed(self, number: int, size: int) -> None:
        """Bytes of a stream were read: its peer may send as many more."""
        if size and not self._gone.done():
            self._state.acknowledge_received_data(size, number)
            self.flush_soon()

    def flush_soon(self) -> None:
        """Frames of one turn of the loop are sent at once."""
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send h2's frames; a peer that has us answer without reading is cut off."""
        self._is_flushing = False
        if self._transport is None or self._transport.is_closing():
            return
        data = self._state.data_to_send()
        if data:
            self._transport.write(data)
            if self._transport.get_write_buffer_size() > MOST_UNSENT:
                self._transport.abort()
