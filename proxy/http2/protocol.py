"""The protocol's state by the library h2, and how its settings and behaviour differ from its own.

docs/adr/011-http2.md says which private names of h2 are used and why.
"""

from __future__ import annotations

from typing import Final

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, Event
from h2.settings import SettingCodes, Settings
from hyperframe.frame import Frame, GoAwayFrame

MOST_STREAMS: Final = 100
"""Streams that a peer may have open at the same time (RFC 9113, section 6.5.2: not below)."""
MAX_SECTION: Final = 256 * 1024
"""Bytes of a field section as RFC 9113, section 6.5.2, counts them: 32 more for each field."""
STREAM_WINDOW: Final = 64 * 1024
"""Bytes of a stream that are buffered before its sender must wait."""
CONNECTION_WINDOW: Final = 2 * MOST_STREAMS * STREAM_WINDOW
"""More than all streams together: one that is read slowly never delays the others."""
_FIRST_WINDOW: Final = 65_535


class H2State(H2Connection):
    """h2's state of a connection that finishes its streams after a GOAWAY (section 6.8).

    h2 itself takes the first GOAWAY for the end of all streams; nginx sends one after 1,000
    requests.
    """

    def _receive_goaway_frame(self, frame: GoAwayFrame) -> tuple[list[Frame], list[Event]]:
        event = ConnectionTerminated()
        event.error_code, event.last_stream_id = frame.error_code, frame.last_stream_id
        return [], [event]

    def send_body(self, number: int, data: bytes, *, last: bool) -> int:
        """Send data that the windows have room for; the number of frames."""
        largest = self.max_outbound_frame_size
        if len(data) <= largest:
            self.send_data(number, data, end_stream=last)
            return 1
        frames = range(0, len(data), largest)
        for at in frames:
            is_end = last and at + largest >= len(data)
            self.send_data(number, data[at : at + largest], end_stream=is_end)
        return len(frames)

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
        SettingCodes.MAX_HEADER_LIST_SIZE: MAX_SECTION,
        SettingCodes.ENABLE_CONNECT_PROTOCOL: 0 if is_client else 1,
    }
    if is_client:
        values[SettingCodes.ENABLE_PUSH] = 0
    state.local_settings = Settings(client=is_client, initial_values=values)
    state.decoder.max_header_list_size = MAX_SECTION
    state.initiate_connection()
    state.increment_flow_control_window(CONNECTION_WINDOW - _FIRST_WINDOW)
    return state
