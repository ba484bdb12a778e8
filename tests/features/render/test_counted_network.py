"""No packet of a page that is drawn goes beside the browser's proxy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.features.render.counted_network import protocol_of
from tests.programs import require_program


@pytest.mark.skipif(os.geteuid() != 0, reason="a network namespace with packets needs root")
@pytest.mark.parametrize(
    ("pages", "hostile"), [("2", "0"), pytest.param("4", "2", marks=pytest.mark.release)]
)
def test_no_packet_goes_beside_the_proxy(pages: str, hostile: str) -> None:
    """The command counts a packet of its own first, or ends with an error."""
    require_program("ip")
    numbers = ["--pages", pages, "--hostile", hostile]
    command = [sys.executable, "-m", "tests.features.render", *numbers]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "packets beside the proxy                                 0" in done.stdout


@pytest.mark.parametrize(
    ("kind", "packet", "protocol"),
    [
        (0x0800, bytes(9) + b"\x11" + bytes(10), 17),
        (0x86DD, bytes(6) + b"\x06" + bytes(33), 6),
        (0x86DD, bytes(6) + b"\x3a" + bytes(33), 58),
        (0x0800, b"\x45", 0),
        (0x0806, bytes(40), 0),
    ],
)
def test_the_transport_of_a_packet(kind: int, packet: bytes, protocol: int) -> None:
    assert protocol_of(kind, packet) == protocol
