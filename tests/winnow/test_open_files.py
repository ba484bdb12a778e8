"""Connections are bounded by the files that may be open, so that origins can be reached still."""

from __future__ import annotations

import asyncio
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import ask, get
from tests.unhurried import UNHURRIED
from winnow.compose import factories
from winnow.compose.factories import client_of, limit_connections, open_files
from winnow.compose.running import listening
from winnow.config.settings import Settings
from winnow.proxy.server.connection_limits import ConnectionLimits


@pytest.mark.parametrize(("configured", "bound"), [(4096, 341), (100, 100), (0, 341)])
def test_clients_take_a_third_of_the_files(
    monkeypatch: pytest.MonkeyPatch, configured: int, bound: int
) -> None:
    monkeypatch.setattr(factories, "open_files", lambda: 1024)
    plain = Settings()
    connection_limits = ConnectionLimits()
    limit_connections(
        connection_limits, replace(plain, server=replace(plain.server, connections=configured))
    )
    assert connection_limits.most == bound


async def test_a_limit_that_is_reached_is_logged_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Issue 20, fault 11: 700 readers met 503 and neither log nor metrics had it."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0, connections_per_client=2, shutdown_grace=1.0),
        extraction=UNHURRIED,
        storage=replace(plain.storage, folder=tmp_path),
    )
    async with listening(settings) as proxy:
        idle = [await asyncio.open_connection("127.0.0.1", proxy.port) for _ in range(2)]
        async with asyncio.timeout(60):
            while len(proxy.state.connection_limits) < 2:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        for _ in range(3):
            request = get(f"http://127.0.0.1:{proxy.port}/-/live")
            assert (await ask(proxy.port, request)).status == 503
        for _, writer in idle:
            writer.close()
        async with asyncio.timeout(60):
            while len(proxy.state.connection_limits):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        page = await ask(proxy.port, get(f"http://127.0.0.1:{proxy.port}/-/metrics"))
    counted = b'winnow_connections_refused_total{limit="connections_per_client"} 3.0'
    assert counted in page.body
    assert caplog.text.count("server.connections_per_client is reached by one address") == 1


def test_idle_connections_to_origins_take_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "open_files", lambda: 1024)
    assert client_of(Settings()).idle._total == 256


def test_the_bound_is_the_process_s_own() -> None:
    assert open_files() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
