"""Connections are bounded by the files that may be open, so that origins can be reached still."""

from __future__ import annotations

import resource
from dataclasses import replace

import pytest

from winnow.compose import factories, running
from winnow.compose.factories import client_of, open_files
from winnow.compose.running import limit_connections
from winnow.config.settings import Settings
from winnow.proxy.server.listener import ConnectionLimits


@pytest.mark.parametrize(("configured", "bound"), [(4096, 341), (100, 100), (0, 341)])
def test_clients_take_a_third_of_the_files(
    monkeypatch: pytest.MonkeyPatch, configured: int, bound: int
) -> None:
    monkeypatch.setattr(running, "open_files", lambda: 1024)
    plain = Settings()
    connection_limits = ConnectionLimits()
    limit_connections(
        connection_limits, replace(plain, server=replace(plain.server, connections=configured))
    )
    assert connection_limits.most == bound


def test_idle_connections_to_origins_take_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factories, "open_files", lambda: 1024)
    assert client_of(Settings()).idle._total == 256


def test_the_bound_is_the_process_s_own() -> None:
    assert open_files() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
