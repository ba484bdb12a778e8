"""An HTTP/2 connection over a transport: gives h2's events to the streams and sends its frames."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, cast

from h2 import events
from h2.errors import ErrorCodes
from h2.exceptions import H2Error
from hpack import HeaderTuple
from hyperframe.exceptions import HyperframeError

from winnow.proxy.http2.fields import RawFields
from winnow.proxy.http2.frame_budget import (
    FRAME_COST,
    PER_STREAM,
    RESET_COST,
    FrameBudget,
)
from winnow.proxy.http2.outbox import Outbox
from winnow.proxy.http2.protocol import new_state
from winnow.proxy.http2.stream import STALLED_SECONDS, Http2Stream, StreamResetError

_LOG = logging.getLogger("winnow.http2")

Opened = Callable[[Http2Stream, RawFields], None]
"""Called with a stream that the peer opened, and its field section."""
_IDLE_FRAMES: Final = (
    events.PingReceived,
    events.RemoteSettingsChanged,
    events.PriorityUpdated,
    events.UnknownFrameReceived,
)


class Http2Connection(asyncio.BufferedProtocol):
    """Either role: ``opened`` is None in that of a client. ``read_buffer`` may be shared.

    ``idle`` is called when the last stream or the connection has ended.
    """

    def __init__(
        self,
        read_buffer: memoryview,
        opened: Opened | None = None,
        *,
        idle: Callable[[], None] = lambda: None,
        stalled_seconds: float = STALLED_SECONDS,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._state = new_state(is_client=opened is None)
        self._opened, self._idle = opened, idle
        self._stalled_seconds = stalled_seconds
        self._budget = FrameBudget(self._loop.time)
        self._read_buffer = read_buffer
        self._transport: asyncio.Transport | None = None
        self.streams: dict[int, Http2Stream] = {}
        self.is_leaving = False
        """A GOAWAY was sent or received: no new streams."""
        self.settled: asyncio.Future[None] = self._loop.create_future()
        """Done once the peer's SETTINGS have come, or the connection has gone without them."""
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self._outbox = Outbox(self._state, self._budget, self.gone)

    # called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._outbox.connect(self._transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read_buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Bytes from the peer."""
        if self.gone.done() or self.transport.is_closing():
            return
        try:
            for event in self._state.receive_data(data):
                self._on_event(event)
                if self.transport.is_closing():
                    return
        except (H2Error, HyperframeError) as error:
            self._fail(str(type(error).__name__))
        self._outbox.flush()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if self.gone.done():
            return
        self.gone.set_result(None)
        self._settle()
        self.is_leaving = True
        self._end_streams(StreamResetError("The connection was lost."))
        self._idle()

    def pause_writing(self) -> None:
        self._outbox.is_paused = True

    def resume_writing(self) -> None:
        self._outbox.is_paused = False
        self._wake_senders()

    # events of h2

    def _on_event(self, event: events.Event) -> None:
        match event:
            case events.DataReceived():
                self._on_data(event)
            case events.RequestReceived():
                self._on_request(event)
            case events.ResponseReceived() | events.InformationalResponseReceived():
                self._with(event.stream_id, lambda stream: stream.on_section(event.headers))
            case events.TrailersReceived():
                self._with(event.stream_id, lambda stream: stream.on_trailers(event.headers))
            case events.StreamEnded():
                self._with(event.stream_id, Http2Stream.on_end)
            case events.StreamReset():
                self._on_reset(event)
            case events.WindowUpdated():
                self._spend(FRAME_COST)
                self._on_window(event.stream_id)
            case events.ConnectionTerminated():
                self._on_goaway(event)
            case _ if isinstance(event, _IDLE_FRAMES):
                self._on_idle_frame(event)

    def _with(self, number: int, act: Callable[[Http2Stream], None]) -> None:
        stream = self.streams.get(number)
        if stream:
            act(stream)

    def _on_data(self, event: events.DataReceived) -> None:
        stream = self.streams.get(event.stream_id)
        if not event.data and not event.stream_ended:
            self._spend(FRAME_COST)
        if stream:
            stream.on_data(event.data, event.flow_controlled_length)
        else:
            self._outbox.consumed(event.stream_id, event.flow_controlled_length)

    def _on_request(self, event: events.RequestReceived) -> None:
        if self._opened is None or self.is_leaving:
            return self._outbox.reset(event.stream_id, ErrorCodes.REFUSED_STREAM)
        stream = self._new_stream(event.stream_id)
        stream.ended = event.stream_ended is not None
        self._opened(stream, event.headers)
        return None

    def _on_reset(self, event: events.StreamReset) -> None:
        if self._opened is not None:  # its own resets, and those that it provoked
            self._spend(RESET_COST)
        refused = event.error_code == ErrorCodes.REFUSED_STREAM
        error = StreamResetError(f"The stream was reset ({event.error_code}).", unprocessed=refused)
        self._with(event.stream_id, lambda stream: stream.on_reset(error))

    def _on_window(self, number: int) -> None:
        if number:
            self._with(number, Http2Stream.wake_sender)
        else:
            self._wake_senders()

    def _on_idle_frame(self, event: events.Event) -> None:
        self._spend(FRAME_COST)
        if isinstance(event, events.RemoteSettingsChanged):
            self._settle()
            self._wake_senders()

    def _settle(self) -> None:
        if not self.settled.done():
            self.settled.set_result(None)

    def _on_goaway(self, event: events.ConnectionTerminated) -> None:
        """Streams above the last one were not processed: their requests may be repeated (8.7)."""
        self.is_leaving = True
        last = event.last_stream_id if event.last_stream_id is not None else 0
        error = StreamResetError("The peer closes the connection.", unprocessed=True)
        for stream in [each for number, each in self.streams.items() if number > last]:
            stream.on_reset(error)
        if not self.streams:
            self.transport.close()

    def _spend(self, units: float) -> None:
        if not self._budget.spend(units):
            self._state.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            self._fail("too many frames without use")

    def _wake_senders(self) -> None:
        for stream in list(self.streams.values()):
            stream.wake_sender()

    # called by streams and their owners

    def on_fault(self) -> None:
        """A request of the peer was refused as malformed."""
        self._spend(RESET_COST)

    def _closed(self, stream: Http2Stream) -> None:
        if self.streams.pop(stream.number, None) is None:
            return
        if stream.error is None:
            self._budget.earn(PER_STREAM)
        if not self.streams:
            self._idle()
            if self.is_leaving and not self.gone.done():
                self._outbox.flush()
                self.transport.close()

    # called by the proxy

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

    def request(self, section: list[HeaderTuple], *, last: bool) -> Http2Stream:
        """Open a stream by its field section; ``last``: the request has no body."""
        stream = self._new_stream(self._state.get_next_available_stream_id())
        stream.send_section_now(section, last=last)
        return stream

    def _new_stream(self, number: int) -> Http2Stream:
        stream = self.streams[number] = Http2Stream(
            number, self._outbox, self._closed, self._stalled_seconds
        )
        return stream

    def leave(self) -> None:
        """Have no more streams opened; the connection ends with the last one."""
        if self.is_leaving or self.gone.done():
            return
        self.is_leaving = True
        self._outbox.flush()
        self.transport.write(self._state.leave())
        if not self.streams:
            self.transport.close()

    def close(self) -> None:
        """End all streams and the connection."""
        if not self.gone.done() and not self.transport.is_closing():
            self.is_leaving = True
            self._outbox.flush()
            self.transport.write(self._state.leave())
            self.transport.close()
        self._end_streams(StreamResetError("The connection was closed."))

    def _end_streams(self, error: StreamResetError) -> None:
        for stream in list(self.streams.values()):
            stream.on_reset(error)

    def _fail(self, what: str) -> None:
        """Send the GOAWAY that the state holds, and close."""
        if self.gone.done() or self.transport.is_closing():
            return
        _LOG.debug("An HTTP/2 connection was cut off: %s", what)
        self.is_leaving = True
        self.transport.write(self._state.data_to_send())
        self.transport.close()
        self._end_streams(StreamResetError("The peer broke the protocol."))
