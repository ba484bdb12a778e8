"""What streams send: DATA by urgency and in turn (RFC 9218, section 10), all other frames at once.

DATA waits in its stream until there is room for it, so what a slow peer holds is bounded. Other
frames are few: field sections wait too, and answers to the peer's frames are in ``FrameBudget``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from h2.errors import ErrorCodes
from hpack import HeaderTuple

from winnow.proxy.access.memory_account import Holding, MemoryFullError
from winnow.proxy.http2.frame_budget import PER_DATA_FRAME, FrameBudget
from winnow.proxy.http2.priorities import URGENCIES, USUAL_URGENCY
from winnow.proxy.http2.protocol import H2State

WRITE_AHEAD: Final = 64 * 1024
"""Bytes that wait for a slow peer before streams wait too."""
TURN: Final = 16 * 1024
"""Bytes of a stream before the next one of its urgency has its turn."""


@dataclass(slots=True)
class Sending:
    """What one stream has to send; ``wake`` is called once that is sent.

    ``taken``: bytes sent so far. ``is_queued``: it has its turn as soon as the connection has room.
    """

    number: int
    wake: Callable[[], None]
    urgency: int = USUAL_URGENCY
    data: bytes = b""
    at: int = 0
    taken: int = 0
    is_queued: bool = False


class Scheduler:
    """Of one connection; ``gone`` is done once that is lost. ``held``: what its peer makes us hold.

    Booked are field sections and bodies until they are used, and what waits to be sent.
    """

    def __init__(
        self, state: H2State, budget: FrameBudget, gone: asyncio.Future[None], held: Holding
    ) -> None:
        self._state, self._budget, self._gone, self._held = state, budget, gone, held
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._queues = tuple(deque[Sending]() for _ in range(URGENCIES))
        self._is_flushing = False
        self._ahead = self._written = 0
        self.is_paused = False
        """The transport's buffer is full."""

    def connect(self, transport: asyncio.Transport) -> None:
        """Send over ``transport`` from now on."""
        self._transport = transport
        transport.set_write_buffer_limits(high=WRITE_AHEAD)
        self.flush()

    def disconnect(self) -> None:
        """Send nothing after what waits."""
        self.flush()
        self._transport = None

    def is_writable(self) -> bool:
        return not self.is_paused

    @property
    def taken(self) -> int:
        """Bytes that the connection has taken."""
        return self._written - (self._transport.get_write_buffer_size() if self._transport else 0)

    def send(self, sending: Sending, data: bytes) -> None:
        """Send ``data`` as soon as it is this stream's turn, at once if it can be."""
        sending.data, sending.at = data, 0
        self.resume(sending)
        self._send_in_turn()
        self.flush_soon()

    def resume(self, sending: Sending) -> None:
        """Its window may have opened."""
        if sending.data and not sending.is_queued:
            sending.is_queued = True
            self._queues[sending.urgency].append(sending)

    def _send_in_turn(self) -> None:
        """Until what was sent ahead, or the connection's window, is full."""
        state = self._state
        while self._ahead < WRITE_AHEAD and not self.is_paused:
            queue = next(filter(None, self._queues), None)
            if queue is None or state.outbound_flow_control_window <= 0:
                return
            sending = queue.popleft()
            sending.is_queued = False
            if sending.data and self._send_piece(sending):
                self.resume(sending)

    def _send_piece(self, sending: Sending) -> bool:
        """Whether it has more to send, and a window."""
        room = self._state.local_flow_control_window(sending.number)
        if room <= 0:
            return False
        at = sending.at
        piece = sending.data[at : at + min(room, TURN)]
        frames = self._state.send_body(sending.number, piece)
        self._budget.earn(PER_DATA_FRAME * frames)
        self._ahead += len(piece)
        sending.taken += len(piece)
        sending.at = at + len(piece)
        if sending.at < len(sending.data):
            return True
        sending.data = b""
        sending.wake()
        return False

    def send_section(self, number: int, section: list[HeaderTuple], *, last: bool) -> None:
        self._state.send_headers(number, section, end_stream=last)
        self.flush_soon()

    def send_end(self, number: int) -> None:
        """End our direction of a stream, all of whose data was sent."""
        self._state.send_data(number, b"", end_stream=True)
        self.flush_soon()

    def reset(self, number: int, code: ErrorCodes) -> None:
        if not self._gone.done():
            self._state.reset_stream(number, code)
            self.flush_soon()

    def hold(self, size: int) -> bool:
        """Whether so many bytes more may be held: then they are booked."""
        try:
            self._held.grow(size)
        except MemoryFullError:
            return False
        return True

    def let_go(self, size: int) -> None:
        if not self._gone.done():
            self._held.grow(-size)

    def release(self) -> None:
        """The connection is gone, and with it all that it held."""
        self._held.release()

    def consumed(self, number: int, size: int) -> None:
        """Bytes of a stream were read, or dropped: its peer may send as many more."""
        if size and not self._gone.done():
            self._state.acknowledge_received_data(size, number)
            self.flush_soon()

    def flush_soon(self) -> None:
        """Frames of one turn of the loop are sent at once."""
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Hand frames to the transport."""
        self._is_flushing = False
        if self._transport is None or self._transport.is_closing():
            return
        self._send_in_turn()
        if data := self._state.data_to_send():
            self._ahead = 0
            self._written += len(data)
            self._transport.write(data)
            if any(self._queues) and not self.is_paused:
                self.flush_soon()
