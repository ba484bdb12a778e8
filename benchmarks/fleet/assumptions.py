"""What the simulation assumes of readers, pages, machines and prices; docs/fleet.md explains each.

Measured figures are in ``costs``. Sizes in bytes, times in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KB: Final = 1000
GB: Final = 1000**3
TB: Final = 1000**4
MONTH: Final = 30 * 86_400.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Readers at the busiest hour, and the web that they read.

    ``seen``: the share of page views whose content Winnow sees (plain HTTP or intercepted); all
    others are tunnels. ``popularity``: exponent of Zipf's law over pages (Breslau et al., Web
    Caching and Zipf-like Distributions, INFOCOM 1999: .64 to .83). ``shared_objects`` are the
    same on all pages of a site. ``peak``: pages an hour at the busiest, by their mean.
    """

    active: float = 0.05
    pause: float = 30.0
    seen: float = 0.3
    sites: int = 20_000
    pages: int = 2_000_000
    popularity: float = 0.75
    page: int = 100 * KB
    rendering: int = 20 * KB
    objects: int = 40
    shared_objects: int = 25
    object: int = 25 * KB
    storable: float = 0.4
    fresh: float = 300.0
    changes: float = 3600.0
    tunnels: int = 6
    connections: int = 12
    peak: float = 3.0


@dataclass(frozen=True, slots=True)
class Machine:
    """One instance's machine.

    ``busy``: the share of cores and network that may be used at the peak. ``network``: bytes a
    second in each direction. ``files``: open files of one process (LimitNOFILE). ``price``: a
    month, ``traffic`` bytes out included; ``price_of_tb``: of each TB beyond.
    """

    cores: int = 4
    busy: float = 0.6
    memory: float = 8 * GB
    reserved: float = 1 * GB
    network: float = 1e9 / 8
    files: int = 65_536
    cache: float = 2 * GB
    price: float = 20.0
    traffic: float = 20 * TB
    price_of_tb: float = 1.0

    @property
    def answering(self) -> int:
        """Server processes: the rest of the cores extracts."""
        return max(1, self.cores // 2)


READING: Final = Reading()
MACHINE: Final = Machine()
