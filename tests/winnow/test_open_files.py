"""Connections are bounded by the files that may be open, so that origins can be reached still."""

from __future__ import annotations

import resource
from dataclasses import replace

import pytest

from config.settings import Settings
from proxy.crowd import Crowd
from winnow import making, serving
from winnow.making import client_of, open_files
from winnow.serving import bound_by


@pytest.mark.parametrize(("configured", "bound"), [(4096, 341), (100, 100), (0, 341)])
def test_clients_take_a_third_of_the_files(
    monkeypatch: pytest.MonkeyPatch, configured: int, bound: int
) -> None:
    monkeypatch.setattr(serving, "open_files", lambda: 1024)
    plain = Settings()
    crowd = Crowd()
    bound_by(crowd, replace(plain, server=replace(plain.server, connections=configured)))
    assert crowd.most == bound


def test_idle_connections_to_origins_take_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "open_files", lambda: 1024)
    assert client_of(Settings()).idle._total == 256


def test_the_bound_is_the_process_s_own() -> None:
    assert open_files() == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
