"""Messages of two processes over Unix sockets: JSON values and open files."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]
OnMessage = Callable[[Message, list[int]], None]
"""Takes a message and its files, which it must close."""

_LOG = logging.getLogger("winnow.cluster")
_LARGEST = 1 << 20
_MOST_FILES = 64


def pair() -> tuple[socket.socket, socket.socket]:
    """Two connected sockets that keep messages apart (SOCK_SEQPACKET)."""
    both = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for each in both:
        each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST)
    return both


class Channel:
    """One side; ``on_close`` is called once, when the peer has closed or ended."""

    def __init__(
        self, side: socket.socket, on_message: OnMessage, on_close: Callable[[], None]
    ) -> None:
        side.setblocking(False)
        self._side, self._on_message, self._on_close = side, on_message, on_close
        self._unsent: deque[tuple[bytes, list[int]]] = deque()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(side, self._receive)

    def send(self, message: Message, files: Sequence[int] = ()) -> None:
        """Send in order, never waiting; the files must stay open until the loop's next turn."""
        data = json.dumps(message, separators=(",", ":")).encode()
        self._unsent.append((data, list(files)))
        if len(self._unsent) == 1:
            self._flush()

    def fileno(self) -> int:
        """The number of this side, -1 once it is closed."""
        return self._side.fileno()

    def close(self) -> None:
        """Close this side; the peer's ``on_close`` is called."""
        if self._side.fileno() >= 0:
            self._loop.remove_reader(self._side)
            self._loop.remove_writer(self._side)
            self._side.close()

    def _flush(self) -> None:
        while self._unsent and self._side.fileno() >= 0:
            data, files = self._unsent[0]
            try:
                socket.send_fds(self._side, [data], files)
            except BlockingIOError:
                self._loop.add_writer(self._side, self._flush)
                return
            except OSError as error:  # closed, which _receive reports too, or too large
                _LOG.debug("A message of %d bytes was not sent: %s", len(data), error)
            self._unsent.popleft()
        if self._side.fileno() >= 0:
            self._loop.remove_writer(self._side)

    def _receive(self) -> None:
        try:
            data, files, _, _ = socket.recv_fds(self._side, _LARGEST, _MOST_FILES)
        except BlockingIOError:
            return
        except OSError:
            data, files = b"", []
        for each in files:  # child processes must not keep them open
            os.set_inheritable(each, False)
        if data:
            self._on_message(json.loads(data), files)
        else:
            self.close()
            self._on_close()
