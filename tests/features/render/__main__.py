"""``python -m tests.features.render``: a hundred pages drawn, ten of them hostile, in a network of
their own, and what it cost.

The network namespace has loopback and one interface to nowhere, on which packets are counted. Needs
root or user namespaces, ``unshare`` and ``ip``.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.features.render.counted_network import PacketCount, entered, prepared
from tests.features.render.processes import MemoryWatch, running
from tests.features.render.sites import APPLICATIONS, HOSTILE, Site, serving
from tests.features.render.test_page_renderer import renderer
from winnow.proxy.http.proxy_errors import TransformError

WIDTH = 46


@dataclass
class Tally:
    """What the pages cost: seconds each, megabytes of the browser's processes at once."""

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)


async def draw(site: Site, name: str, path: str, tally: Tally, deadline: float) -> None:
    start = time.monotonic()
    try:
        await renderer(site, deadline)(site.url(path))
    except TransformError as error:
        tally.failed.append(f"{name}: {error}")
    spent = time.monotonic() - start
    tally.seconds.append(spent)
    if spent > deadline + 25:
        tally.late.append(name)


def order(pages: int, hostile: int) -> list[tuple[str, str]]:
    """Names and paths: every tenth page is a hostile one."""
    good = [(name, f"/application/{at}") for at, name in enumerate(APPLICATIONS)]
    bad = [(name, f"/hostile/{at}") for at, name in enumerate(HOSTILE)]
    every = max(pages // hostile, 1) if hostile else pages + 1
    return [
        bad[(at // every) % len(bad)] if at % every == every - 1 else good[at % len(good)]
        for at in range(pages)
    ]


async def measured(pages: int, hostile: int) -> tuple[Tally, Tally, Site]:
    good, bad = Tally(), Tally()
    async with serving() as site:
        for name, path in order(pages, hostile):
            with MemoryWatch() as memory:
                await draw(site, name, path, good if path.startswith("/app") else bad, 10)
            (good if path.startswith("/app") else bad).megabytes.append(memory.peak)
    return good, bad, site


def row(what: str, value: object) -> None:
    sys.stdout.write(f"{what:<{WIDTH}}{value!s:>12}\n")


def report(good: Tally, bad: Tally, site: Site, packets: int, folder: Path) -> bool:
    """Print what was seen; whether it is as it should be."""
    left = [*running(folder), *map(str, folder.iterdir())]
    row("pages of applications", len(good.seconds))
    row("  seconds, median", f"{median(good.seconds):.2f}")
    row("  seconds, longest", f"{max(good.seconds):.2f}")
    row("  MB of the browser at once, median", f"{median(good.megabytes):.0f}")
    row("  failed", len(good.failed))
    if bad.seconds:
        row("hostile pages", len(bad.seconds))
        row("  seconds, longest", f"{max(bad.seconds):.2f}")
        row("  MB of the browser at once, most", f"{max(bad.megabytes):.0f}")
    row("hangs", len(good.late) + len(bad.late))
    row("processes and folders left over", len(left))
    row("connections to private addresses", len(site.strayed))
    row("packets beside the proxy", packets)
    row("load of the machine", f"{os.getloadavg()[0]:.1f}")
    for line in good.failed:
        sys.stdout.write(f"  {line}\n")
    return not (good.failed or good.late or bad.late or left or site.strayed or packets)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.features.render", description=__doc__)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--hostile", type=int, default=10)
    chosen = parser.parse_args()
    if not prepared():
        return entered(["-m", "tests.features.render", *sys.argv[1:]])
    with tempfile.TemporaryDirectory(prefix="winnow-pages-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        tempfile.tempdir = folder
        with PacketCount() as packets:
            good, bad, site = asyncio.run(measured(chosen.pages, chosen.hostile))
        return 0 if report(good, bad, site, packets.seen, Path(folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
