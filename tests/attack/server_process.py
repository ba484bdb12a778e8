"""A server's process as the system sees it: what attempts weigh, beside ordinary requests."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROWTH: Final = 20
"""Bytes that a byte sent may make the server hold."""
SECONDS: Final = 3.0
"""Of CPU for a megabyte."""
FREE: Final = 64 * 1024
"""Bytes that a connection may hold beside."""
MIB: Final = 1 << 20
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Weight:
    """Bytes sent, bytes by which the server grew, seconds of CPU that it took."""

    name: str
    sent: int
    grown: int
    cpu: float

    def held(self, ordinary: Weight, times: int) -> float:
        """Bytes held for a byte sent, beyond what so many connections and requests hold anyway."""
        grown = self.grown - FREE * times - max(ordinary.grown, 0)
        return max(grown, 0) / max(self.sent, 1)

    def through(self, ordinary: Weight, times: int) -> str:
        """What is too much; "" for nothing. ``ordinary``: as many ordinary requests."""
        if (held := self.held(ordinary, times)) > GROWTH:
            return f"{held:.0f} bytes held for a byte"
        cpu = self.cpu - ordinary.cpu
        most = SECONDS * max(self.sent / MIB, times / 1000)
        return f"{cpu:.1f} s of CPU for {self.sent / MIB:.2f} MiB" if cpu > most else ""


@dataclass(frozen=True)
class Server:
    """A process that serves with its default settings, data in a folder of its own."""

    pid: int
    port: int

    def memory(self, what: str) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(f"{what}:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("This system does not tell.")

    def begin_peak(self) -> None:
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / _TICKS
