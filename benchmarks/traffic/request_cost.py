"""Requests through every proxy, in rounds: CPU and rate beside the reference."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import OURS, REFERENCE
from benchmarks.traffic.workloads import Load, Run, Wrk, probe
from winnow.evaluation.errors import SubjectError

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of several runs, the least and the greatest."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Cell:
    """One load on one proxy: requests a second, microseconds of CPU for each, both as ratios too.

    ``rate_ratio`` is the rate beside the pass-through's of the same round (more is better);
    ``cpu_ratio`` its CPU beside ours (less is better).
    """

    proxy: str
    load: str
    connections: int
    rate: Spread
    cpu: Spread
    rate_ratio: Spread
    cpu_ratio: Spread
    errors: int


@dataclass(frozen=True, slots=True)
class _Shot:
    rate: float
    cpu: float
    errors: int


Key = tuple[str, str, int]


@dataclass(frozen=True)
class RequestCosts:
    """The proxies that run, and who loads them; each load ``rounds`` times."""

    proxies: Mapping[str, Server]
    wrk: Wrk
    rounds: int = 3

    def measured(
        self, loads: Sequence[Load], connections: Sequence[int], report: Report
    ) -> Iterator[Cell]:
        """All loads on all proxies; ``report`` is called with why one could not be measured."""
        plans = [(load, many) for many in connections for load in loads]
        for load, many in plans:
            names = [name for name in self._proxies_of(load) if self._answers(name, load, report)]
            self._warm(names, load, many)
            shots = [self._round(names, load, many, loads) for _ in range(self.rounds)]
            for name in names:
                yield _cell(name, load, many, [shot[name] for shot in shots], shots)

    def _warm(self, names: Sequence[str], load: Load, many: int) -> None:
        """Our workers load their models with the first page that each gets."""
        for name in names:
            if name.startswith(OURS):
                self.wrk(self.proxies[name].port, load, many)

    def _proxies_of(self, load: Load) -> list[str]:
        return [
            name
            for name in self.proxies
            if load.peers or name == REFERENCE or name.startswith(OURS)
        ]

    def _answers(self, name: str, load: Load, report: Report) -> bool:
        try:
            probe(self.proxies[name].port, self.wrk.origin, load, held=name.startswith(OURS))
        except SubjectError as error:
            report(f"{name}, {error}")
            return False
        return True

    def _round(
        self, names: Sequence[str], load: Load, many: int, loads: Sequence[Load]
    ) -> dict[str, _Shot]:
        beside = next((one for one in loads if one.name == load.reference), load)
        found = {"": self._shot(REFERENCE, beside, many)}
        return found | {name: self._shot(name, load, many) for name in names}

    def _shot(self, name: str, load: Load, many: int) -> _Shot:
        server = self.proxies[name]
        before = server.cpu()
        run = self.wrk(server.port, load, many)
        return _shot(run, server.cpu() - before)


def _shot(run: Run, cpu: float) -> _Shot:
    good = max(run.requests - run.failed, 1)
    return _Shot(good / run.seconds, 1e6 * cpu / good, run.failed)


def _cell(
    name: str, load: Load, many: int, shots: Sequence[_Shot], rounds: Sequence[Mapping[str, _Shot]]
) -> Cell:
    beside = [found[""] for found in rounds]
    pairs = list(zip(shots, beside, strict=True))
    return Cell(
        proxy=name,
        load=load.name,
        connections=many,
        rate=Spread.of([shot.rate for shot in shots]),
        cpu=Spread.of([shot.cpu for shot in shots]),
        rate_ratio=Spread.of([shot.rate / other.rate for shot, other in pairs]),
        cpu_ratio=Spread.of([shot.cpu / max(other.cpu, 1e-9) for shot, other in pairs]),
        errors=sum(shot.errors for shot in shots),
    )
