"""``make bench-path``: what a request costs through Winnow and through other proxies."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import figures
from benchmarks.figures import Figure
from benchmarks.traffic import (
    http2,
    latency,
    page_visits,
    report,
    scaling,
    startup,
    tls,
)
from benchmarks.traffic.origin import nginx
from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import OURS, PROXIES, REFERENCE, Proxy, started, winnow
from benchmarks.traffic.request_cost import Cell, RequestCosts, Spread
from benchmarks.traffic.workloads import LOADS, Wrk
from winnow.evaluation.errors import SubjectError

NAME = "traffic"
VISITED = frozenset({REFERENCE, OURS, "squid", "mitmdump"})
"""The proxies that a browser's visit is measured on."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is measured: ``short`` takes some four minutes, ``full`` some twenty."""

    rounds: int
    seconds: float
    connections: tuple[int, ...]
    handshakes: int
    pages: int
    sizes: scaling.Sizes
    peers: bool = True


SHORT = Pace(3, 1, (16,), 80, 100, scaling.Sizes())
FULL = Pace(5, 2, (1, 16, 64), 400, 400, scaling.LARGE)
Part = Callable[[Path, Pace], list[Figure]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, compare, write; 1 where something could not be measured."""
    options = _parser().parse_args(arguments)
    pace = replace(FULL if options.full else SHORT, peers=not options.ours)
    sys.stdout.write(machine() + "\n")
    new, missing = list[Figure](), list[str]()
    for name in options.part or PARTS:
        with TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)  # servers that drop their rights must reach it
            try:
                new += PARTS[name](Path(folder), pace)
            except SubjectError as error:
                missing.append(f"{name}: {error}")
    sys.stdout.write("\n" + report.compared(figures.read(NAME), new))
    merged = figures.merge(figures.read(NAME), new, report.KEYS)
    where = figures.write(NAME, merged, figures.FOLDER if options.save else Path(".run"))
    sys.stdout.write(f"\nFigures written to {where}\n")
    sys.stderr.writelines(f"Not measured: {reason}\n" for reason in missing)
    return 1 if missing else 0


def machine() -> str:
    """What it was measured on, as far as others can compare."""
    loop = "uvloop" if find_spec("uvloop") else "asyncio's own loop"
    cores, load = os.cpu_count(), os.getloadavg()[0]
    return f"{cores} cores (load {load:.1f}), Python {platform.python_version()}, {loop}\n"


def _request_costs(folder: Path, pace: Pace) -> list[Figure]:
    cells: list[Cell] = []
    with ExitStack() as stack:
        origin = stack.enter_context(nginx(folder))
        compared = PROXIES if pace.peers else PROXIES[:2]
        proxies = dict(_running(stack, compared, folder))
        costs = RequestCosts(proxies, Wrk(_url(origin), folder, pace.seconds), pace.rounds)
        for cell in costs.measured(LOADS, pace.connections, _miss):
            cells.append(cell)
            sys.stderr.write(".")
            sys.stderr.flush()
    references = {
        f"{cell.load}, {cell.connections} at once": cell.cpu
        for cell in cells
        if cell.proxy == REFERENCE
    }
    sys.stdout.write("\n" + report.request_costs(cells) + "\n" + _steadiness(references))
    return report.request_cost_figures(cells)


def _tls(folder: Path, pace: Pace) -> list[Figure]:
    certificate = tls.certificate(folder)
    trust = winnow(f'[upstream]\nca_bundle = "{certificate[0]}"\n')
    both = [Proxy(OURS, trust), *(proxy for proxy in PROXIES if proxy.name == "mitmdump")]
    with ExitStack() as stack:
        origin = stack.enter_context(nginx(folder, certificate))
        proxies = dict(_running(stack, both, folder))
        found = tls.measured(proxies, f"localhost:{origin.port}", pace.rounds, pace.handshakes)
    sys.stdout.write("\n" + report.tls(found) + "\n")
    return report.tls_figures(found)


def _http2(folder: Path, pace: Pace) -> list[Figure]:
    certificate = tls.certificate(folder)
    trust = winnow(f'[upstream]\nca_bundle = "{certificate[0]}"\n')
    peers = [proxy for proxy in PROXIES if proxy.name == "mitmdump" and pace.peers]
    with ExitStack() as stack:
        one = stack.enter_context(nginx(folder / "one", certificate))
        two = stack.enter_context(nginx(folder / "two", certificate, http2=True))
        proxies = dict(_running(stack, [Proxy(OURS, trust), *peers], folder))
        origins = {"1.1": f"localhost:{one.port}", "2": f"localhost:{two.port}"}
        found = http2.measured(proxies, origins, pace.rounds, pace.handshakes * 8)
    sys.stdout.write("\n" + report.versions(found) + "\n")
    return []


def _latency(folder: Path, pace: Pace) -> list[Figure]:
    with ExitStack() as stack:
        origin = stack.enter_context(nginx(folder))
        proxies = dict(_running(stack, PROXIES[:2], folder))
        found = latency.measured(proxies, _url(origin), pace.pages)
    sys.stdout.write("\n" + report.waits(found) + "\n")
    return report.wait_figures(found)


def _visits(folder: Path, pace: Pace) -> list[Figure]:
    compared = [proxy for proxy in PROXIES if proxy.name in VISITED]
    with ExitStack() as stack:
        origin = stack.enter_context(nginx(folder))
        page_visits.write_files(folder / "files")
        proxies = dict(_running(stack, compared if pace.peers else compared[:2], folder))
        found = page_visits.measured(proxies, _url(origin), pace.rounds, pace.pages // 4)
    references = {one.what: one.cpu for one in found if one.proxy == REFERENCE}
    sys.stdout.write("\n" + report.visits(found) + "\n" + _steadiness(references))
    return report.visit_figures(found)


def _starting(folder: Path, pace: Pace) -> list[Figure]:
    with nginx(folder) as origin:
        found = startup.measured(Wrk(_url(origin), folder, pace.seconds), pace.rounds)
    sys.stdout.write("\n" + report.starts(found) + "\n")
    return report.start_figures(found)


def _scaling(folder: Path, pace: Pace) -> list[Figure]:
    with nginx(folder, sizes=scaling.BYTES) as origin:
        wrk = Wrk(_url(origin), folder, pace.seconds)
        found = list(scaling.measured(wrk, pace.sizes))
    sys.stdout.write("\n" + report.growths(found) + "\n")
    return report.growth_figures(found)


PARTS: Mapping[str, Part] = {
    "requests": _request_costs,
    "tls": _tls,
    "http2": _http2,
    "latency": _latency,
    "visits": _visits,
    "start": _starting,
    "scaling": _scaling,
}


def _steadiness(references: Mapping[str, Spread]) -> str:
    return report.steadiness(references, os.getloadavg()[0])


def _running(
    stack: ExitStack, proxies: Sequence[Proxy], folder: Path
) -> Iterator[tuple[str, Server]]:
    """Those that can be started; the others are named and left out."""
    for proxy in proxies:
        try:
            yield proxy.name, stack.enter_context(started(proxy, folder))
        except SubjectError as error:
            _miss(str(error))


def _miss(reason: str) -> None:
    sys.stdout.write(f"Left out: {reason}\n")


def _url(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traffic", description=__doc__)
    add = parser.add_argument
    add("--full", action="store_true", help="1, 16 and 64 connections, longer runs, more rounds")
    add("--ours", action="store_true", help="requests: Winnow and the pass-through alone")
    add("--part", action="append", choices=PARTS, help="this only; may be repeated")
    add("--save", action="store_true", help="write to benchmarks/figures_data, to be committed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
