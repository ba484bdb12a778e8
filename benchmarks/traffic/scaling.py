"""Growth of a request's cost: with bytes, rules, connections, cached replies, learned sites."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.methods import exponent
from benchmarks.traffic.held_connections import UNLIMITED, held, most_held
from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import Proxy, started, winnow
from benchmarks.traffic.workloads import NAVIGATION, PASSED, Load, Wrk, probe
from winnow.evaluation.errors import SubjectError

BYTES: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONNECTIONS: Final = (16, 125, 500, 2_000)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many there are of what one request's cost is measured against.

    ``entries``: kept replies; ``held``: open connections, and clients.
    """

    entries: tuple[int, ...] = (1_000, 10_000)
    rules: tuple[int, ...] = (10, 100, 1_000, 10_000)
    sites: tuple[int, ...] = (10, 100, 1_000)
    held: tuple[int, ...] = (10, 100, 1_000)


LARGE: Final = Sizes(
    (1_000, 10_000, 100_000, 1_000_000),
    (100, 1_000, 10_000, 100_000),
    (100, 1_000, 10_000, 100_000),
    (10, 100, 1_000, 10_000),
)
_STREAM: Final = {"Winnow-Mode": "original"}


@dataclass(frozen=True, slots=True)
class Grown:
    """CPU in microseconds at several sizes, and e of cost ~ size ** e.

    Where ``each`` is true the cost is that of one request, which rules and entries should leave as
    it is (e near 0); the cost of all grows by one more.
    """

    what: str
    sizes: tuple[int, ...]
    cost: tuple[float, ...]
    exponent: float
    each: bool = False


def measured(wrk: Wrk, sizes: Sizes) -> Iterator[Grown]:
    """Everything, one after the other. Raises SubjectError for what cannot be run."""
    with started(Proxy("winnow-scaling", winnow()), wrk.folder) as server:
        yield _over_bytes(wrk, server, "bytes of a page passed", _STREAM, "original")
        yield _over_bytes(wrk, server, "bytes of a page extracted", NAVIGATION, "extracted")
        yield _over_connections(wrk, server)
    yield _over_held(wrk, "open connections", sizes.held, addresses=False)
    yield _over_held(wrk, "clients, each with an open connection", sizes.held, addresses=True)
    yield _over_rules(wrk, sizes.rules)
    for kind in ("memory", "disk"):
        yield _inside(f"replies kept in {kind}", "tests.load.storages", (kind,), sizes.entries)
    yield _inside("sites learned, a page", "tests.load.lessons", (), sizes.sites)


def _over_bytes(wrk: Wrk, server: Server, what: str, fields: dict[str, str], action: str) -> Grown:
    # Smaller pages hold no article; 10 MB would meet the deadline, and belong to make bench.
    sizes = [size for size in BYTES if action == "original" or 10_000 <= size <= 1_000_000]
    loads = [Load(what, f"/{size}.html", fields, unique=True, action=action) for size in sizes]
    return _grown(what, sizes, [_cost(wrk, server, load, 4) for load in loads])


def _over_connections(wrk: Wrk, server: Server) -> Grown:
    """The cost of one request on each of so many connections."""
    load = Load(PASSED, "/page.html")
    patient = {many: replace(wrk, seconds=max(wrk.seconds, many / 250)) for many in CONNECTIONS}
    costs = [many * _cost(patient[many], server, load, many) for many in CONNECTIONS]
    return _grown("connections, one request each", CONNECTIONS, costs)


def _over_held(wrk: Wrk, what: str, sizes: Sequence[int], *, addresses: bool) -> Grown:
    """The cost of one request while so many others are connected."""
    load, costs = Load(what, "/small.html"), []
    sizes = sorted({min(many, most_held()) for many in sizes})
    for many in sizes:
        proxy = Proxy(f"winnow-{many}-{addresses:d}", winnow(server=UNLIMITED))
        with (
            started(proxy, wrk.folder) as server,
            held(server.port, wrk.origin, many, addresses=addresses),
        ):
            costs.append(_cost(wrk, server, load, 16))
    return _grown(what, sizes, costs, each=True)


def _over_rules(wrk: Wrk, sizes: Sequence[int]) -> Grown:
    load, costs = Load("rules", "/small.html"), []
    for many in sizes:
        hosts = ", ".join(f'"site-{number}.example"' for number in range(many))
        command = winnow(f"[sites]\nnever = [{hosts}]\n")
        with started(Proxy(f"winnow-{many}-rules", command), wrk.folder) as server:
            costs.append(_cost(wrk, server, load, 16))
    return _grown("rules for sites", sizes, costs, each=True)


def _inside(what: str, program: str, arguments: Sequence[str], sizes: Sequence[int]) -> Grown:
    command = [sys.executable, "-m", program, *arguments, *map(str, sizes)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        raise SubjectError(f"{what}: {done.stderr.strip()[-500:]}")
    return _grown(what, sizes, json.loads(done.stdout), each=True)


def _cost(wrk: Wrk, server: Server, load: Load, connections: int) -> float:
    """Microseconds of CPU of one request."""
    probe(server.port, wrk.origin, load, held=True)
    before = server.cpu()
    run = wrk(server.port, load, connections)
    return 1e6 * (server.cpu() - before) / max(run.requests - run.failed, 1)


def _grown(what: str, sizes: Sequence[int], costs: Sequence[float], each: bool = False) -> Grown:
    positive = [max(cost, 1e-3) for cost in costs]
    return Grown(what, tuple(sizes), tuple(positive), exponent(sizes, positive), each)
