"""Both sides of systemd: what it is told by ``Type=notify`` (sd_notify(3)), and its sockets.

Without systemd, nothing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Final

from winnow.proxy.server.sockets import opened

_LOG = logging.getLogger("winnow.service")


def notify(state: str) -> None:
    """Send ``READY=1`` or the like; does nothing where nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    name = "\0" + address[1:] if address.startswith("@") else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)
            sender.sendto(state.encode(), name)
    except OSError as error:
        _LOG.warning("systemd was not notified: %s", error)


def notify_reloading() -> None:
    """``notify_reloaded`` has to follow."""
    notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")


def notify_reloaded(failure: str) -> None:
    """``systemctl status`` says then why the settings were not applied, if they were not."""
    said = f"The settings were not applied: {' '.join(failure.split())}" if failure else ""
    notify(f"READY=1\nSTATUS={said}")


def watchdog_seconds(environment: Mapping[str, str], pid: int) -> float:
    """How often this process has to say that it is alive; 0: nobody waits for it."""
    if environment.get("WATCHDOG_PID", str(pid)) != str(pid):
        return 0.0
    text = environment.get("WATCHDOG_USEC", "")
    return int(text) / 2e6 if text.isdigit() else 0.0


FIRST_FILE: Final = 3
"""The number of the first passed file (sd_listen_fds(3))."""


def inherited_sockets(environment: MutableMapping[str, str], pid: int) -> list[socket.socket]:
    """The listening sockets of socket activation, if any; child processes do not see them."""
    meant = environment.pop("LISTEN_PID", "") == str(pid)
    number = environment.pop("LISTEN_FDS", "")
    if not meant or not number.isdigit():
        return []
    return opened(FIRST_FILE + each for each in range(int(number)))


@asynccontextmanager
async def watchdog() -> AsyncIterator[None]:
    """Say that the loop runs, as often as systemd wants, until the context ends."""
    seconds = watchdog_seconds(os.environ, os.getpid())
    task = asyncio.create_task(_beat(seconds)) if seconds else None
    try:
        yield
    finally:
        if task:
            task.cancel()


async def _beat(seconds: float) -> None:
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(seconds)
