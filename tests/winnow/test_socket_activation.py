"""Sockets that systemd passes: connections wait in them while Winnow starts and restarts."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmarks.load.programs import STARTED, ended
from tests.proxy.origins import get
from winnow.compose.process.service_manager import inherited_sockets

ACTIVATED = """
import os, sys
os.dup2({number}, 3)
os.environ |= dict(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@asynccontextmanager
async def activated(
    folder: Path, listener: socket.socket, processes: int
) -> AsyncIterator[asyncio.subprocess.Process]:
    """``winnow serve`` as systemd starts it: the socket is file 3, LISTEN_PID its own number."""
    serve = ["-m", "winnow", "serve", "--port", "1", "--processes", str(processes)]
    program = ACTIVATED.format(number=listener.fileno())
    more = {**STARTED, "WINNOW_STORAGE__FOLDER": str(folder), "WINNOW_EXTRACTION__PROCESSES": "1"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, *serve),
        pass_fds=[listener.fileno()],
        env={**os.environ, **more},
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            await ended(process)


async def alive(client: socket.socket, port: int) -> bool:
    """Whether a connection is answered, however long it has waited."""
    loop = asyncio.get_running_loop()
    client.setblocking(False)
    request = get(f"http://127.0.0.1:{port}/-/live", "Connection: close")
    await loop.sock_sendall(client, request)
    async with asyncio.timeout(120):
        return (await loop.sock_recv(client, 15)).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("processes", [1, 2])
async def test_connections_wait_while_it_starts_and_restarts(
    tmp_path: Path, processes: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", port)) as early:
                async with activated(tmp_path, listener, processes) as process:
                    assert await alive(early, port)
                    process.send_signal(signal.SIGTERM)
                    assert await process.wait() in (0, -signal.SIGTERM)


def test_sockets_for_another_process_are_left_alone() -> None:
    environment = {"LISTEN_PID": "7", "LISTEN_FDS": "1"}
    assert inherited_sockets(environment, 8) == []
    assert environment == {}
