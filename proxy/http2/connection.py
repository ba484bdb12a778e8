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

from winnow.proxy.access.memory_account import Holding
from winnow.proxy.http2.connection_life import ConnectionLife
from winnow.proxy.http2.fields import MalformedFieldsError, RawFields, parse_trailers, section_size
from winnow.proxy.http2.frame_budget import FRAME_COST, PER_STREAM
from winnow.proxy.http2.priorities import priority_update, urgency_of
from winnow.proxy.http2.protocol import MOST_SECTIONS, MOST_STREAMS
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


class Http2Connection(ConnectionLife):
    """Either role: ``opened`` is None in that of a client. ``read_buffer`` may be shared.

    ``idle`` is called when the last stream or the connection has ended. ``held``: where what the
    peer makes us hold is booked; None: nowhere.
    """

    def __init__(
        self,
        read_buffer: memoryview,
        opened: Opened | None = None,
        *,
        idle: Callable[[], None] = lambda: None,
        stalled_seconds: float = STALLED_SECONDS,
        held: Holding | None = None,
    ) -> None:
        super().__init__(held, is_client=opened is None)
        self._opened, self._idle = opened, idle
        self._stalled_seconds = stalled_seconds
        self._read_buffer = read_buffer
        self._unfinished = 0

    # called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._scheduler.connect(self._transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read_buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Bytes from the peer."""
        if self._lingering:
            self._lingering.has_received = True
        if self._lingering or self.gone.done() or self.transport.is_closing():
            return
        try:
            try:
                self._state.receive_data(data)
            finally:  # a response may have come before the error
                for event in self._state.received:
                    if not self.transport.is_closing():
                        self._on_event(event)
        except (H2Error, HyperframeError) as error:
            self._fail(type(error).__name__)
        if not self.transport.is_closing():
            self._book_unfinished()
            self._scheduler.flush()

    def _book_unfinished(self) -> None:
        """A field section takes room before it has ended."""
        change = self._state.unfinished - self._unfinished
        if change and self._scheduler.hold(change):
            self._unfinished += change
        elif change:
            self._state.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            self._fail("an unfinished field section cannot be held")

    def connection_lost(self, exc: Exception | None) -> None:
        if self.gone.done():
            return
        self.gone.set_result(None)
        self._settle()
        self.is_leaving = True
        self._end_streams(StreamResetError("The connection was lost."))
        self._scheduler.release()
        self._idle()

    def pause_writing(self) -> None:
        self._scheduler.is_paused = True

    def resume_writing(self) -> None:
        self._scheduler.is_paused = False
        self._wake_senders()
        self._scheduler.flush()

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
                self._on_trailers(event)
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
        if stream := self.streams.get(number):
            act(stream)

    def _on_data(self, event: events.DataReceived) -> None:
        stream = self.streams.get(event.stream_id)
        if not event.data and not event.stream_ended:
            self._spend(FRAME_COST)
        if stream:
            stream.on_data(event.data, event.flow_controlled_length)
        else:
            self._scheduler.consumed(event.stream_id, event.flow_controlled_length)

    def _on_request(self, event: events.RequestReceived) -> None:
        size = section_size(event.headers)
        has_room = len(self.streams) < MOST_STREAMS and self._has_room_for(size)
        if self._opened is None or self.is_leaving or not has_room:
            self._spend(FRAME_COST)
            return self._scheduler.reset(event.stream_id, ErrorCodes.REFUSED_STREAM)
        stream = self._new_stream(event.stream_id)
        stream.section_size = size
        stream.ended = event.stream_ended is not None
        stream.sending.urgency = urgency_of(dict(event.headers).get(b"priority", b""))
        self._opened(stream, event.headers)
        return None

    def _on_trailers(self, event: events.TrailersReceived) -> None:
        """Those of a client that has sent too much are dropped, as a recipient may."""
        stream, size = self.streams.get(event.stream_id), section_size(event.headers)
        if stream and self._has_room_for(size) and self._scheduler.hold(size):
            stream.section_size += size
            try:
                stream.trailers = parse_trailers(event.headers)
            except MalformedFieldsError as error:
                if not stream.finished:  # else both sides have ended, and nobody is told
                    self._scheduler.reset(stream.number, ErrorCodes.PROTOCOL_ERROR)
                stream.on_reset(StreamResetError(str(error)))

    def _has_room_for(self, size: int) -> bool:
        """Whether one more field section of a client is held."""
        held = sum([stream.section_size for stream in self.streams.values()])
        return self._opened is None or held + size <= MOST_SECTIONS

    def _on_reset(self, event: events.StreamReset) -> None:
        if self._opened is not None:  # its own resets, and those that it provoked
            self._spend(FRAME_COST)
        reset = StreamResetError.by(event.error_code)
        self._with(event.stream_id, lambda stream: stream.on_reset(reset))

    def _on_window(self, number: int) -> None:
        if number:
            self._with(number, Http2Stream.on_window)
        else:
            self._wake_senders()

    def _on_idle_frame(self, event: events.Event) -> None:
        self._spend(FRAME_COST)
        if isinstance(event, events.RemoteSettingsChanged):
            self._settle()
            self._wake_senders()
        elif isinstance(event, events.UnknownFrameReceived):
            number, value = priority_update(event.frame)
            if stream := self.streams.get(number):
                stream.sending.urgency = urgency_of(value)

    def _settle(self) -> None:
        if not self.settled.done():
            self.settled.set_result(None)

    def _on_goaway(self, event: events.ConnectionTerminated) -> None:
        """Our streams above the last one were not processed and may be repeated (8.7).

        A client's counts those that we pushed, which are none: all of its own are finished.
        """
        self.is_leaving = True
        error = StreamResetError.by(event.error_code, unprocessed=True)
        for stream in list(self.streams.values()):
            if self._opened is None and stream.number > (event.last_stream_id or 0):
                stream.on_reset(error)
        if not self.streams:
            self._part()

    def _spend(self, units: float) -> None:
        if not self._budget.spend(units):
            self._state.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            self._fail("too many frames without use")

    def _wake_senders(self) -> None:
        for stream in list(self.streams.values()):
            stream.on_window()

    # called by streams and their owners

    def on_fault(self) -> None:
        """A request of the peer was refused as malformed."""
        self._spend(FRAME_COST)

    def _closed(self, stream: Http2Stream) -> None:
        if self.streams.pop(stream.number, None) is None:
            return
        self._scheduler.let_go(stream.section_size)
        if stream.error is None:
            self._budget.earn(PER_STREAM)
        if not self.streams:
            self._idle()
            if self.is_leaving and not self.gone.done():
                self._part()

    # called by the proxy

    def request(self, section: list[HeaderTuple], *, last: bool) -> Http2Stream:
        """Open a stream by its field section; ``last``: the request has no body."""
        stream = self._new_stream(self._state.get_next_available_stream_id())
        stream.send_section_now(section, last=last)
        return stream

    def _new_stream(self, number: int) -> Http2Stream:
        stream = self.streams[number] = Http2Stream(
            number, self._scheduler, self._closed, self._stalled_seconds
        )
        return stream
