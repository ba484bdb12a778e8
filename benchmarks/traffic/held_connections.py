"""Idle connections of one client or of many, each of which has carried a request."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from winnow.evaluation.errors import SubjectError

FILES: Final = 65_536
UNLIMITED: Final = "connections = 60000\nconnections_per_client = 0\n"
"""Lines for Winnow's section ``[server]``."""
_SECONDS: Final = 30.0
_SPARE: Final = 100


@contextmanager
def held(port: int, origin: str, many: int, *, addresses: bool) -> Iterator[None]:
    """So many connections to a port of this machine; ``addresses``: each from one of its own.

    Raises SubjectError where one is refused or unanswered.
    """
    request = f"GET {origin}/small.html HTTP/1.1\r\nHost: {origin[7:]}\r\nAccept: */*\r\n\r\n"
    with ExitStack() as stack:
        for number in range(many):
            own = f"127.{1 + number // 65_536}.{number // 256 % 256}.{number % 256}"
            connection = stack.enter_context(socket.socket())
            connection.settimeout(_SECONDS)
            try:
                connection.bind((own if addresses else "127.0.0.1", 0))
                connection.connect(("127.0.0.1", port))
                connection.sendall(request.encode())
                _read_answer(connection)
            except OSError as error:
                raise SubjectError(f"Connection {number} of {many}: {error}.") from error
        yield


def most_held() -> int:
    """How many connections Winnow takes here: a third of the open files that it may have."""
    open_many_files()
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 3 - _SPARE


def open_many_files() -> None:
    """Raise the limit of open files of this process and of those that it starts, where it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limits in ((FILES, max(hard, FILES)), (hard, hard)):
        try:
            if soft < limits[0]:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        except (ValueError, OSError):  # not ours to raise: measured is what fits
            continue
        return


def _read_answer(connection: socket.socket) -> None:
    """Read a whole answer with a length. Raises SubjectError for any but 200."""
    found = b""
    while b"\r\n\r\n" not in found:
        piece = connection.recv(65_536)
        if not piece:
            raise SubjectError("A connection was closed before its answer.")
        found += piece
    head, _, body = found.partition(b"\r\n\r\n")
    if b" 200 " not in head[:13]:
        raise SubjectError(f"The answer is {head[:40]!r}.")
    left = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]) - len(body)
    while left > 0:
        left -= len(connection.recv(left) or b"?" * left)
