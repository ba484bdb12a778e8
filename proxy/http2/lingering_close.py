"""The close of a connection whose peer may still be sending (RFC 9112, section 9.6).

Bytes that nobody reads would make the close a reset, which takes from the peer what it has not read
yet. So our half is closed, and the peer's bytes are read and dropped until it closes too.
"""

from __future__ import annotations

import asyncio
from typing import Final

SILENT_SECONDS: Final = 2.0
"""Without a byte from the peer, until the connection is closed."""
ROUNDS: Final = 15
"""As often at most, whatever comes."""


class LingeringClose:
    """Of a transport, once all is written; TLS reads its peer's last bytes by itself."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._loop, self._transport = asyncio.get_running_loop(), transport
        self.has_received = False
        """Set by whoever drops a byte of the peer."""
        try:
            if transport.can_write_eof():
                transport.write_eof()
                self._wait(ROUNDS)
            else:
                transport.close()
        except OSError:  # the peer has gone: there is nothing left to read
            transport.close()

    def _wait(self, rounds: int) -> None:
        self._loop.call_later(SILENT_SECONDS, self._end, rounds)

    def _end(self, rounds: int) -> None:
        if self.has_received and rounds:
            self.has_received = False
            self._wait(rounds - 1)
        elif not self._transport.is_closing():
            self._transport.close()
