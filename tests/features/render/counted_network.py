"""A network namespace with loopback and an interface to nowhere, whose packets are counted."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Final, Self

INTERFACE: Final = "nowhere0"
_MARK: Final = "WINNOW_TEST_NETWORK"
_COMMANDS: Final = (
    "ip link set lo up",
    f"ip link add {INTERFACE} type veth peer name nowhere1",
    "ip link set nowhere1 addrgenmode none up",
    f"ip link set {INTERFACE} addrgenmode none",
    f"ip addr add 198.51.100.2/24 dev {INTERFACE}",
    f"ip -6 addr add 2001:db8::2/64 dev {INTERFACE} nodad",
    f"ip link set {INTERFACE} up",
    f"ip route add default via 198.51.100.1 dev {INTERFACE} onlink",
    f"ip -6 route add default via 2001:db8::1 dev {INTERFACE} onlink",
    f"ip neigh add 198.51.100.1 lladdr 02:00:00:00:00:01 dev {INTERFACE}",
    f"ip neigh add 2001:db8::1 lladdr 02:00:00:00:00:01 dev {INTERFACE}",
)
_EVERY: Final = 3
"""ETH_P_ALL."""
_PATIENCE: Final = 60.0
_IPV4, _IPV6 = 0x0800, 0x86DD
_COUNTED: Final = frozenset({6, 17})
"""TCP and UDP; the kernel itself sends ICMPv6."""
_OUTGOING: Final = 4


def prepared() -> bool:
    """Whether this process is in such a namespace."""
    return _MARK in os.environ


def entered(arguments: list[str]) -> int:
    """Run Python with ``arguments`` in a new namespace; its exit status."""
    unshare = shutil.which("unshare")
    assert unshare, "This needs unshare: apt-get install util-linux."
    assert shutil.which("ip"), "This needs ip: apt-get install iproute2."
    assert os.geteuid() == 0, "This needs root."
    script = " && ".join((*_COMMANDS, 'exec "$@"'))
    command = [unshare, "--net", "sh", "-c", script, "sh", sys.executable, *arguments]
    return subprocess.run(command, env={**os.environ, _MARK: "1"}, check=False).returncode


class PacketCount:
    """Counts the TCP and UDP packets that leave by the interface."""

    def __init__(self) -> None:
        self.seen = 0
        self._left = threading.Event()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERY))
        self._socket.bind((INTERFACE, _EVERY))
        self._socket.settimeout(0.2)
        self._thread = threading.Thread(target=self._count, daemon=True)

    def __enter__(self) -> Self:
        """Raises AssertionError if it does not see a packet of our own."""
        self._thread.start()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.sendto(b"seen?", ("203.0.113.1", 9))
        start = time.monotonic()
        while not self.seen and time.monotonic() - start < _PATIENCE:
            time.sleep(0.05)
        assert self.seen == 1, "The packets of this network are not seen."
        self.seen = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()
        self._socket.close()

    def _count(self) -> None:
        while not self._left.is_set():
            with suppress(TimeoutError):
                packet, address = self._socket.recvfrom(256)
                is_counted = protocol_of(address[1], packet) in _COUNTED
                self.seen += address[2] == _OUTGOING and is_counted


def protocol_of(kind: int, packet: bytes) -> int:
    """The transport protocol's number of a packet of an Ethernet type; 0 for another kind."""
    if kind == _IPV4 and len(packet) >= 20:
        return packet[9]
    if kind == _IPV6 and len(packet) >= 40:
        (following,) = struct.unpack_from("B", packet, 6)
        return int(following)
    return 0
