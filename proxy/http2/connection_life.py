"""What both halves of an HTTP/2 connection share: its streams, its state, and how it ends."""

from __future__ import annotations

import asyncio
import logging

from winnow.proxy.access.memory_account import Holding, MemoryAccount
from winnow.proxy.http2.frame_budget import FrameBudget
from winnow.proxy.http2.lingering_close import LingeringClose
from winnow.proxy.http2.protocol import new_state
from winnow.proxy.http2.scheduler import Scheduler
from winnow.proxy.http2.stream import Http2Stream, StreamResetError

_LOG = logging.getLogger("winnow.http2")


class ConnectionLife(asyncio.BufferedProtocol):
    """``held``: where what the peer makes us hold is booked; None: nowhere."""

    def __init__(self, held: Holding | None, *, is_client: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_client = is_client
        self._state = new_state(is_client=is_client)
        self._budget = FrameBudget(self._loop.time)
        self._transport: asyncio.Transport | None = None
        self.streams: dict[int, Http2Stream] = {}
        self.is_leaving = False
        """A GOAWAY was sent or received: no new streams."""
        self.settled: asyncio.Future[None] = self._loop.create_future()
        """Done once the peer's SETTINGS have come, or the connection has gone without them."""
        self.gone: asyncio.Future[None] = self._loop.create_future()
        held = held or MemoryAccount(0, 0).holding("peer")
        self._scheduler = Scheduler(self._state, self._budget, self.gone, held)
        self._lingering: LingeringClose | None = None

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise ConnectionResetError("The connection was never made.")
        return self._transport

    @property
    def has_room(self) -> bool:
        """Whether a further stream may be opened by us."""
        if self.is_leaving or self.gone.done() or self.transport.is_closing():
            return False
        return len(self.streams) < self._state.remote_settings.max_concurrent_streams

    @property
    def has_extended_connect(self) -> bool:
        """Whether the peer takes other protocols on streams (RFC 8441, section 3)."""
        return self._state.remote_settings.enable_connect_protocol == 1

    def leave(self) -> None:
        """Have no more streams opened; the connection ends with the last one."""
        if self.is_leaving or self.gone.done() or self.transport.is_closing():
            return
        self.is_leaving = True
        self._scheduler.flush()
        self.transport.write(self._state.leave())
        if not self.streams:
            self._part()

    def close(self) -> None:
        """End all streams and the connection."""
        self.leave()
        if not self.gone.done():
            self.transport.close()
        self._end_streams(StreamResetError("The connection was closed."))

    def _end_streams(self, error: StreamResetError) -> None:
        for stream in list(self.streams.values()):
            stream.on_reset(error)

    def _part(self) -> None:
        """Close once all is sent."""
        self._scheduler.disconnect()
        if self._is_client:
            self.transport.close()
        else:
            self._lingering = self._lingering or LingeringClose(self.transport)

    def _fail(self, what: str) -> None:
        """Send the GOAWAY that the state holds, and close."""
        if self.gone.done() or self.transport.is_closing():
            return
        _LOG.debug("An HTTP/2 connection was cut off: %s", what)
        self.is_leaving = True
        self.transport.write(self._state.data_to_send())
        self.transport.close()
        self._end_streams(StreamResetError("The peer broke the protocol."))
