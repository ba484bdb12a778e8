"""Ports that are free, and that nobody is given by chance meanwhile."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from socket import create_server, socket

import pytest

from benchmarks import free_ports
from benchmarks.free_ports import free_port


def test_a_free_port_can_be_listened_on_and_is_none_that_connections_get() -> None:
    port = free_port()
    with create_server(("127.0.0.1", port)):
        pass
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert port < first or first <= free_ports.LOWEST


def test_what_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        busy = int(taken.getsockname()[1])
        free = free_port()
        drawn = iter([busy, busy, free])
        monkeypatch.setattr(random, "randrange", lambda *_: next(drawn))
        assert free_port() == free


def test_without_the_port_range_the_system_chooses_a_port(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(free_ports, "_RANGE", tmp_path / "nowhere")
    assert free_port() > 0
