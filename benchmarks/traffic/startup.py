"""How long Winnow takes to answer first, and what it holds: idle, and under load."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from compileall import compile_dir
from dataclasses import dataclass
from pathlib import Path

import winnow as winnow_package
from benchmarks.generated_pages import typical
from benchmarks.traffic.origin import SIZES
from benchmarks.traffic.processes import Server, resident, tree
from benchmarks.traffic.proxies import Proxy, started, winnow
from benchmarks.traffic.workloads import NAVIGATION, Load, Wrk, probe
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Page, Recipe
from winnow.evaluation.errors import SubjectError
from winnow.extractors.registry import DEFAULT, make

ONE_WORKER = "[extraction]\nprocesses = 1\n"
PATIENCE = 60.0
_TIMES = 30
_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Start:
    """One figure by name; ``unit`` is s, ms or MB."""

    what: str
    value: float
    unit: str


def measured(wrk: Wrk, rounds: int) -> list[Start]:
    """Started ``rounds`` times, its modules compiled as ``make install`` does; medians."""
    _compile_modules()
    page = Load("extracted", "/page.html", NAVIGATION, unique=True, action="extracted")
    shots = [_start(wrk, page) for _ in range(rounds)]
    names = [(one.what, one.unit) for one in shots[0]]
    starts = [
        Start(what, statistics.median(shot[at].value for shot in shots), unit)
        for at, (what, unit) in enumerate(names)
    ]
    imports = [_import_cpu("winnow.compose.running") for _ in range(rounds)]
    nothing = [_import_cpu("sys") for _ in range(rounds)]
    spent = statistics.median(imports) - statistics.median(nothing)
    return [
        *starts,
        Start("CPU of importing winnow.compose.running", spent, "s"),
        Start("CPU of extracting 100 kB without a proxy", 1000 * _extraction(), "ms"),
    ]


def _compile_modules() -> None:
    """Write what Python may not write here (PYTHONDONTWRITEBYTECODE), or has not since a change."""
    top = Path(winnow_package.__file__).parent
    for folder in (
        top,
        *(each for each in top.iterdir() if each.is_dir()),
    ):
        compile_dir(folder, quiet=1)


def _extraction() -> float:
    """Seconds of CPU from the bytes of the page that is loaded to the reader's page."""
    page, extractor = Page(typical(SIZES["page"]), "http://origin.test/", "utf-8"), make(DEFAULT)
    renderer, spent = renderer_for(Recipe()), list[float]()
    for _ in range(_TIMES):
        begun = time.process_time()
        document = Document.parse(page)
        renderer.render(document, extractor.extract(document))
        spent.append(time.process_time() - begun)
    return statistics.median(spent)


def _start(wrk: Wrk, page: Load) -> list[Start]:
    begun = time.perf_counter()
    with started(Proxy("winnow-start", winnow(ONE_WORKER)), wrk.folder) as server:
        passed = Load("passed", "/small.html")
        probe(server.port, wrk.origin, passed, held=True)
        first = time.perf_counter() - begun
        spent = server.cpu()
        _extracted(server.port, wrk.origin, page)
        extracted, spent_on_it = time.perf_counter() - begun, server.cpu() - spent
        with started(Proxy("winnow-idle", winnow(ONE_WORKER)), wrk.folder) as idle:
            probe(idle.port, wrk.origin, passed, held=True)
            resting = _settled(idle)
        wrk(server.port, page, 16)
        loaded = _memory(server)
    return [
        Start("time to the first answer", first, "s"),
        Start("CPU to the first answer", spent, "s"),
        Start("time to the first extracted page", extracted, "s"),
        Start("CPU from the first answer to that page", spent_on_it, "s"),
        Start("memory idle, front", resting[0], "MB"),
        Start("memory idle, with its one worker", resting[1], "MB"),
        Start("memory under load, front", loaded[0], "MB"),
        Start("memory under load, with its one worker", loaded[1], "MB"),
    ]


def _extracted(port: int, origin: str, page: Load) -> None:
    """Wait for the first extracted page. Raises SubjectError after PATIENCE.

    Where the machine is busy, pages pass unchanged until the worker has begun.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return probe(port, origin, page, held=True)
        except SubjectError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _settled(server: Server) -> tuple[float, float]:
    """The memory once nothing is loaded any more: the same CPU twice, three seconds apart."""
    before, now = -1.0, server.cpu()
    while now > before:
        time.sleep(3)
        before, now = now, server.cpu()
    return _memory(server)


def _memory(server: Server) -> tuple[float, float]:
    """Megabytes of the front and of the tree, shared pages split among those who share."""
    front, *others = (_own(pid) for pid in tree(server.pid))
    return front, front + sum(others)


def _own(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return resident(pid) / _MEBIBYTE
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _import_cpu(module: str) -> float:
    program = f"import {module}, time; print(time.process_time())"
    done = subprocess.run(  # noqa: S603 - our own module's name
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return float(done.stdout)
