"""``make load`` and ``make soak``: what is measured, beside what it must be at most."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.load.fairness import SLOW_PAGES, Fairness, fairness
from benchmarks.load.figures import milliseconds, quantile, slope
from benchmarks.load.request_mix import HIT, SHARES
from benchmarks.load.runs import Idle, Loaded, idle, loaded

SETTLED: Final = 10
"""Seconds after which memory must be flat under load."""
WARM: Final = 0.5
"""The part of a soak after which it must be: an extracting process grows for some 4,000 pages
until its caches and its heap have the shape of its pages (``python -m tests.load.growth``)."""
HITS_SPREAD: Final = 4.0
IDLE_BYTES: Final = 40_000
BLOCK: Final = 0.008
SOAK_SLOPE: Final = 0.01
LOAD_SLOPE: Final = 0.05
LIFT: Final = 0.1
"""Seconds by which one client's slow pages may raise another's p99."""


def report_line(name: str, value: str, fine: bool | None = None, wanted: str = "") -> bool:
    """Print a row at once; returns whether it is as it must be."""
    verdict = "" if fine is None else f"{'ok' if fine else 'MISSED':<8}{wanted}"
    sys.stdout.write(f"{name:<44}{value:>22}   {verdict}\n")
    sys.stdout.flush()
    return fine is not False


def told_load(run: Loaded, steady: float, settled: int = SETTLED) -> bool:
    """The rows of a run under load.

    ``steady``: by how much memory may rise once it has ``settled``, after so many seconds.
    """
    tally, seconds = run.tally, run.seconds
    rows = [report_line("requests", f"{tally.done}, {tally.done / seconds:.0f}/s")]
    rows.append(
        report_line("errors", f"{tally.failures + tally.refused}", tally.failures == 0, "0")
    )
    for kind in SHARES:
        taken = tally.seconds[kind]
        p50, p99 = quantile(taken, 0.5), quantile(taken, 0.99)
        wanted = f"p99 <= {HITS_SPREAD:g} x p50: {p99 / p50 if p50 else 0:.1f} x"
        fine = p99 <= HITS_SPREAD * p50 if kind == HIT else None
        rows.append(
            report_line(
                f"{kind}: p50, p99", f"{milliseconds(p50)}, {milliseconds(p99)}", fine, wanted
            )
        )
    return all([*rows, told_memory(run, steady, settled), told_blocks(run)])


def told_memory(run: Loaded, steady: float, settled: int = SETTLED) -> bool:
    """Memory after it has settled."""
    rows = []
    for name, values in (("answers", run.samples.answering), ("extract", run.samples.extracting)):
        late = values[settled:] or values
        rise = slope(late)
        quarters = [late[min(len(late) * at // 4, len(late) - 1)] for at in range(5)]
        text = " ".join(f"{size / 1024 / 1024:.0f}" for size in quarters) + " MiB"
        wanted = f"rises by {rise * 100:+.1f} % in {len(late)} s, <= {steady * 100:g} %"
        rows.append(report_line(f"memory of what {name}", text, rise <= steady, wanted))
    return all(rows)


def told_blocks(run: Loaded) -> bool:
    """The longest callback of the loop: by CPU time, since a busy machine stretches the other."""
    if not run.blocks:
        return report_line("longest block of the loop", "below 1 ms", True, "")
    _, wall, cpu, name = max(run.blocks, key=lambda block: block[2])
    slow = sum(block[2] > BLOCK for block in run.blocks)
    text = f"{milliseconds(cpu)} CPU"
    wanted = f"<= {milliseconds(BLOCK)}; {slow} longer ones; {milliseconds(wall)} wall, in {name}"
    return report_line("longest block of the loop", text, cpu <= BLOCK, wanted)


def idle_result(run: Idle) -> bool:
    fine = run.each <= IDLE_BYTES
    return report_line(
        f"{run.connections} idle connections", f"{run.each / 1000:.1f} kB each", fine, "<= 40 kB"
    )


def fairness_result(run: Fairness) -> bool:
    """Another client's waits beside one client's slow pages."""
    for name, waits in (("alone", run.alone), (f"beside {SLOW_PAGES} slow pages", run.beside)):
        p50, p99 = quantile(waits, 0.5), quantile(waits, 0.99)
        text = f"{milliseconds(p50)}, {milliseconds(p99)}"
        report_line(f"another client {name}: p50, p99", text, None)
    report_line("slow pages answered meanwhile", f"{run.slow_pages}")
    rows = [
        report_line("errors", f"{run.failures}", run.failures == 0, "0"),
        report_line("its p99 rises by", milliseconds(run.lift), run.lift <= LIFT, "<= 100 ms"),
    ]
    return all(rows)


async def measured(options: argparse.Namespace, folder: Path) -> bool:
    """Run everything that the options name."""
    (folder / "load").mkdir()
    (folder / "idle").mkdir()
    if options.fair:
        return fairness_result(await fairness(folder / "load", options.seconds / 2))
    flags = ("--processes", str(options.processes))
    report_line(f"{options.clients} clients, {options.seconds} s", "")
    run = await loaded(folder / "load", options.seconds, options.clients, flags)
    if options.soak:
        return told_load(run, SOAK_SLOPE, int(options.seconds * WARM))
    fine = told_load(run, LOAD_SLOPE)
    return idle_result(await idle(folder / "idle", options.idle, flags)) and fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--soak", action="store_true", help="a long run with small caches")
    parser.add_argument(
        "--fair", action="store_true", help="one client's slow pages, another's p99"
    )
    parser.add_argument("--seconds", type=int, default=0, help="60, or 600 for a soak")
    parser.add_argument("--clients", type=int, default=0, help="64, or 16 for a soak")
    parser.add_argument("--idle", type=int, default=1000, help="idle connections")
    parser.add_argument("--processes", type=int, default=1, help="server processes")
    options = parser.parse_args()
    options.seconds = options.seconds or (600 if options.soak else 60)
    options.clients = options.clients or (16 if options.soak else 64)
    with tempfile.TemporaryDirectory(prefix="winnow-load-") as folder:
        return 0 if asyncio.run(measured(options, Path(folder))) else 1


if __name__ == "__main__":
    sys.exit(main())
