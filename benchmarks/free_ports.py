"""Free ports for servers that need one in their settings before they start."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from socket import socket
from typing import Final

LOWEST: Final = 10_000
_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now.

    None of those that the system itself hands out: a connection that somebody makes before the
    server has started cannot take it.
    """
    highest = _first_handed_out()
    for _ in range(100):
        port = random.randrange(LOWEST, highest) if highest > LOWEST else 0  # noqa: S311 - no secret
        with closing(socket()) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("No port is free.")


def _first_handed_out() -> int:
    """The lowest port that connections get by themselves; 0 where the system does not tell."""
    try:
        return int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
