"""What systemd hears, over a real socket."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from winnow.compose.process.service import serve_until_stopped
from winnow.compose.process.service_manager import notify, watchdog_seconds
from winnow.compose.running import Running
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import Loaded


@pytest.fixture(params=["path", "abstract"])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """The service manager's side."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        name = str(tmp_path / "notify") if request.param == "path" else f"\0winnow-{os.getpid()}"
        listener.bind(name)
        listener.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", name.replace("\0", "@"))
        yield listener


def test_a_state_is_sent(manager: socket.socket) -> None:
    notify("READY=1")
    assert manager.recv(99) == b"READY=1"


def test_a_manager_that_is_gone_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("READY=1")
    assert "systemd was not notified" in caplog.text


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, 0),
        ({"WATCHDOG_USEC": "30000000"}, 15),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 15),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, 0),  # another process's
    ],
)
def test_half_of_the_watchdogs_time(environment: dict[str, str], seconds: float) -> None:
    assert watchdog_seconds(environment, 7) == seconds


async def test_a_run_from_its_start_to_its_end(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "200000")
    plain, loop = Settings(), asyncio.get_running_loop()
    loaded = Loaded(
        replace(
            plain,
            server=replace(plain.server, port=0),
            extraction=replace(plain.extraction, processes=1, start_seconds=0.01),
            storage=replace(plain.storage, folder=tmp_path / "data"),
        ),
        {},
    )
    announced: list[Running] = []
    refused = [ConfigError("faulty\nsettings")]

    def load() -> Loaded:
        if announced and refused:
            raise refused.pop()
        return loaded

    task = asyncio.create_task(serve_until_stopped(load, announced.append))

    async def heard(state: bytes) -> None:
        async with asyncio.timeout(120):
            while (got := await loop.sock_recv(manager, 999)) != state:
                assert got.split(b"=")[0] in (b"WATCHDOG", b"RELOADING")

    await heard(b"WATCHDOG=1")
    await heard(b"READY=1")
    for status in (b"The settings were not applied: faulty settings", b""):
        os.kill(os.getpid(), signal.SIGHUP)
        await heard(b"READY=1\nSTATUS=" + status)
    os.kill(os.getpid(), signal.SIGTERM)
    await heard(b"STOPPING=1")
    await task
