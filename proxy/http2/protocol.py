"""The protocol's state by the library h2, and how its settings and behaviour differ from its own.

docs/adr/011-http2.md says which private names of h2 are used and why.
"""

from __future__ import annotations

import logging
from functools import partial
from struct import Struct
from typing import TYPE_CHECKING, Final

from h2.config import H2Configuration
from h2.connection import ConnectionState, H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, DataReceived, Event, StreamReset
from h2.exceptions import (
    DenialOfServiceError,
    FrameTooLargeError,
    InvalidBodyLengthError,
    ProtocolError,
)
from h2.settings import SettingCodes, Settings
from h2.stream import StreamState
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, HeadersFrame

from winnow.proxy.http2.data_frame_splitting import FrameSplitter

if TYPE_CHECKING:
    from typing_extensions import Buffer

MOST_STREAMS: Final = 100
"""Streams that a peer may have open at the same time (RFC 9113, section 6.5.2: not below)."""
MAX_SECTION: Final = 256 * 1024
"""Bytes of a field section as RFC 9113, section 6.5.2, counts them. Beyond, the decoder's table is
lost, and the connection with it."""
MAX_REQUEST_SECTION: Final = 64 * 1024
"""The same of a request, beyond which that one is refused."""
MOST_SECTIONS: Final = 1024 * 1024
"""The same of all requests of a connection that are open: a byte may stand for a field of 4 kB."""
STREAM_WINDOW: Final = 128 * 1024
"""Bytes of a stream that are buffered before its sender must wait."""
CONNECTION_WINDOW: Final = 2 * MOST_STREAMS * STREAM_WINDOW
"""More than all streams together: one that is read slowly never delays the others."""
_FIRST_WINDOW: Final = 65_535
_UNBOUNDED: Final = 2**32 - 1
_RECEIVING: Final = (StreamState.OPEN, StreamState.HALF_CLOSED_LOCAL)
_HEADER: Final = Struct(">HBBBL")
"""Of a frame: length (24 bits), type, flags, stream (RFC 9113, section 4.1)."""


def _ignore(*_: object) -> None:
    """hpack logs each field of each section, at a tenth of the CPU time of a small request."""


for _name in ("hpack.hpack", "hpack.table"):
    setattr(logging.getLogger(_name), "debug", _ignore)  # noqa: B010  # mypy refuses the method
# h2 writes each frame into its log, at a tenth of the CPU time of receiving one
setattr(Frame, "__repr__", object.__repr__)  # noqa: B010  # mypy refuses the method


class H2State(H2Connection):
    """h2's state of a connection that finishes its streams after a GOAWAY (section 6.8).

    h2 itself takes the first GOAWAY for the end of all streams; nginx sends one after 1,000
    requests.
    """

    def _receive_goaway_frame(self, frame: GoAwayFrame) -> tuple[list[Frame], list[Event]]:
        event = ConnectionTerminated()
        event.error_code, event.last_stream_id = frame.error_code, frame.last_stream_id
        return [], [event]

    def _receive_frame(self, frame: Frame) -> list[Event]:
        self.received += (events := self._received(frame))
        return events

    def _received(self, frame: Frame) -> list[Event]:
        """A malformed message is an error of its stream alone (section 8.1.1)."""
        try:
            return super()._receive_frame(frame)
        except InvalidBodyLengthError as error:
            data = frame.data if isinstance(frame, DataFrame) else b""
            return self._cut(frame.stream_id, data, error)
        except ProtocolError as error:
            # h2 has no type for these; what concerns the connection has a type or a cause
            is_of_message = type(error) is ProtocolError and error.__cause__ is None
            opens = isinstance(frame, HeadersFrame) and frame.stream_id in self.streams
            if not is_of_message or not opens:
                raise
            return [self._reset_malformed(frame.stream_id)]

    def _cut(self, number: int, data: bytes, error: InvalidBodyLengthError) -> list[Event]:
        """The bytes that the declared length has room for, then the stream's end by a reset."""
        kept = data[: len(data) - max(0, error.actual_length - error.expected_length)]
        came = DataReceived(stream_id=number, data=kept, flow_controlled_length=len(data))
        return [came, self._reset_malformed(number)]

    def _reset_malformed(self, number: int) -> StreamReset:
        self.reset_stream(number, ErrorCodes.PROTOCOL_ERROR)
        return StreamReset(
            stream_id=number, error_code=ErrorCodes.PROTOCOL_ERROR, remote_reset=False
        )

    def __init__(self, config: H2Configuration) -> None:
        super().__init__(config)
        self.received: list[Event] = []
        """Events of the bytes that came last, and of those before an error in them."""
        self._splitter = FrameSplitter(MAX_SECTION, is_server=not config.client_side)

    def send_body(self, number: int, data: bytes) -> int:
        """Send data that the windows have room for, on a stream that is open; how many frames.

        Written here, since h2 takes longer to check a frame than TLS to encrypt it.
        """
        largest, stream = self.max_outbound_frame_size, self.streams[number]
        frames = range(0, len(data), largest)
        for at in frames:
            piece = data[at : at + largest]
            self._data_to_send += _HEADER.pack(len(piece) >> 8, len(piece) & 255, 0, 0, number)
            self._data_to_send += piece
        self.outbound_flow_control_window -= len(data)
        stream.outbound_flow_control_window -= len(data)
        return len(frames)

    def receive_data(self, data: Buffer) -> list[Event]:
        """As h2's; data of open streams is counted here."""
        self.received = []
        largest = self.max_inbound_frame_size
        try:
            for number, piece in self._splitter.split(bytes(data), largest, self._may_count):
                if number:
                    self.received += self._counted(number, piece)
                else:
                    super().receive_data(piece)
        except (FrameTooLargeError, DenialOfServiceError) as error:
            self._terminate_connection(error.error_code)
            raise
        return self.received

    def _may_count(self, number: int) -> bool:
        stream = self.streams.get(number)
        if stream is None or not stream.state_machine.headers_received:
            return False
        return stream.state_machine.state in _RECEIVING and not self.is_ended

    @property
    def unfinished(self) -> int:
        """Bytes of a field section that has not ended."""
        return self._splitter.section

    @property
    def is_ended(self) -> bool:
        """Whether a GOAWAY ended the connection."""
        return self.state_machine.state is ConnectionState.CLOSED

    def _counted(self, number: int, data: bytes) -> list[Event]:
        """Count the windows and the length that was declared. Raises ProtocolError, as h2 does."""
        stream, size = self.streams[number], len(data)
        try:
            self._inbound_flow_control_window_manager.window_consumed(size)
            stream._inbound_window_manager.window_consumed(size)
            stream._track_content_length(size, end_stream=False)
        except InvalidBodyLengthError as error:
            return self._cut(number, data, error)
        except ProtocolError as error:
            self._terminate_connection(error.error_code)
            raise
        return [DataReceived(stream_id=number, data=data, flow_controlled_length=size)]

    def leave(self) -> bytes:
        """The bytes of a GOAWAY that lets the open streams finish."""
        frame = GoAwayFrame(0, last_stream_id=self.highest_inbound_stream_id)
        return frame.serialize()


def new_state(*, is_client: bool) -> H2State:
    """A connection's state, its preface among the bytes to send."""
    # Field sections are validated by http2.fields: h2 would end the connection for one of them.
    config = H2Configuration(
        client_side=is_client,
        header_encoding=None,
        validate_inbound_headers=False,
        normalize_inbound_headers=False,
        validate_outbound_headers=False,
        normalize_outbound_headers=False,
    )
    state = H2State(config)
    values = {
        SettingCodes.MAX_CONCURRENT_STREAMS: MOST_STREAMS,
        SettingCodes.INITIAL_WINDOW_SIZE: STREAM_WINDOW,
        SettingCodes.MAX_HEADER_LIST_SIZE: MAX_SECTION if is_client else MAX_REQUEST_SECTION,
        SettingCodes.ENABLE_CONNECT_PROTOCOL: 0 if is_client else 1,
    }
    if is_client:
        values[SettingCodes.ENABLE_PUSH] = 0
    state.local_settings = Settings(client=is_client, initial_values=values)
    state.decoder.max_header_list_size = MAX_SECTION
    # Huffman's code saves 15 bytes of a response's 77, for a fifth of the CPU time of sending them
    setattr(state.encoder, "encode", partial(state.encoder.encode, huffman=False))  # noqa: B010
    state.initiate_connection()
    # said, but not enforced by h2, to which one stream too many is an error of the connection
    state.local_settings = Settings(
        client=is_client, initial_values={**values, SettingCodes.MAX_CONCURRENT_STREAMS: _UNBOUNDED}
    )
    state.increment_flow_control_window(CONNECTION_WINDOW - _FIRST_WINDOW)
    return state
