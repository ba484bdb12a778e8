"""``make faults``: every fault, what a reader got, and whether that is as it must be."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from tests.faults.origins import FAULTS
from tests.faults.processes import CLIENTS, PROCESSES
from tests.faults.surroundings import SURROUNDINGS
from tests.faults.worlds import world


def told(*cells: str) -> None:
    """Print a row at once: some take a minute."""
    sys.stdout.write(f"{cells[0]:<50} {' '.join(cells[1:])}\n")
    sys.stdout.flush()


async def origins(folder: Path) -> int:
    """Origins that go wrong; returns how many rows are not as they must be."""
    wrong = 0
    told("An origin that ...", f"{'reader gets':<12}{'after':>8}   {'reason':<22}")
    async with world(folder) as made:
        for fault in FAULTS:
            got = await made.meet(fault)
            fine = got.word in fault.wanted and await made.is_sound()
            wrong += not fine
            seconds = f"{got.seconds:6.2f} s"
            told(fault.name, f"{got.word:<12}{seconds}   {got.reason:<22}", _verdict(fine))
    return wrong


async def processes(folder: Path) -> int:
    """Processes that go wrong under load; returns how many rows are not as they must be."""
    wrong = 0
    told(f"\nUnder {CLIENTS} clients ...", f"{'answered':>9}{'failed':>8}{'allowed':>9}")
    for number, (name, run) in enumerate((PROCESSES | SURROUNDINGS).items()):
        own = folder / str(number)
        own.mkdir()
        cost = await run(own)
        fine = cost.failed <= cost.allowed
        wrong += not fine
        cells = f"{cost.done:>9}{cost.failed:>8}{cost.allowed:>9}   {cost.note:<14}"
        told(name, cells, _verdict(fine))
    return wrong


def _verdict(fine: bool) -> str:
    return "ok" if fine else "WRONG"


async def main() -> int:
    with tempfile.TemporaryDirectory(prefix="winnow-faults-") as folder:
        told(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
        (Path(folder) / "origins").mkdir()
        wrong = await origins(Path(folder) / "origins")
        return 1 if wrong + await processes(Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
