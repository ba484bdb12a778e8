"""The figures of several processes, as JSON values, added up. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Any, Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from winnow.proxy.observability.metrics import MINUTES, History, Minute

Figures = Mapping[str, Any]
"""``families``: [name, meaning, type, [[sample's name, labels, value], ...]] each; ``last``: the
number of the last minute; ``minutes``: the values of so many, the last one at the end."""
_LASTING: Final = frozenset({"counter", "histogram"})


def figures_of(registry: CollectorRegistry, history: History) -> Figures:
    """What one process counted."""
    families = [
        [each.name, each.documentation, each.type, [list(sample[:3]) for sample in each.samples]]
        for each in registry.collect()
    ]
    number, minutes = history.numbered()
    return {"families": families, "last": number, "minutes": [astuple(each) for each in minutes]}


def lasting(figures: Figures) -> Figures:
    """What outlives a process: its counts, not its state."""
    counts = [family for family in figures["families"] if family[2] in _LASTING]
    return {**figures, "families": counts}


def summed(many: Sequence[Figures]) -> Figures:
    """The figures of all as those of one."""
    families: dict[str, list[Any]] = {}
    for figures in many:
        for name, meaning, kind, samples in figures["families"]:
            family = families.setdefault(name, [name, meaning, kind, []])
            family[3] = _added(family[3], samples)
    last = max((figures["last"] for figures in many), default=0)
    return {"families": list(families.values()), "last": last, "minutes": _minutes(many, last)}


def minutes_in(figures: Figures) -> tuple[Minute, ...]:
    """Sixty minutes, this one last."""
    return tuple(Minute(*values) for values in figures["minutes"])


def gauges_in(figures: Figures) -> Mapping[str, float]:
    """LiveGauge without labels by name."""
    return {
        name: samples[0][2]
        for name, _, kind, samples in figures["families"]
        if kind == "gauge" and samples
    }


def exposed(figures: Figures, accept: str = "") -> tuple[bytes, str]:
    """The figures as OpenMetrics where ``accept`` asks for it, else in Prometheus' text format.

    Returns the body and its media type.
    """
    registry = CollectorRegistry()
    registry.register(_FiguresCollector(figures))
    encode, media_type = choose_encoder(accept)
    return encode(registry), media_type


class _FiguresCollector(Collector):
    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        for name, meaning, kind, samples in self._figures["families"]:
            metric = Metric(name, meaning, kind)
            metric.samples = [Sample(*sample) for sample in samples]
            yield metric


def _added(left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
    sums = {_key(sample): sample for sample in left}
    for sample in right:
        key = _key(sample)
        if key in sums:
            name, labels, value = sample
            sums[key] = [name, labels, _both(name, sums[key][2], value)]
        else:
            sums[key] = sample
    return list(sums.values())


def _key(sample: Sequence[Any]) -> tuple[str, frozenset[tuple[str, str]]]:
    return sample[0], frozenset(sample[1].items())


_LEAST: Final = ("_created", "_time_seconds", "_timestamp_seconds", "_successful", "_up", "_info")
"""Endings of what is not added: moments, and what holds only if it holds in all processes."""


def _both(name: str, left: float, right: float) -> float:
    """Of times that somebody waits the longest counts."""
    if name.endswith("_lag_seconds"):
        return max(left, right)
    return min(left, right) if name.endswith(_LEAST) else left + right


def _minutes(many: Sequence[Figures], last: int) -> list[tuple[float, ...]]:
    found = [Minute()] * MINUTES
    for figures in many:
        late = last - figures["last"]
        for index, values in enumerate(figures["minutes"][late:] if late < MINUTES else ()):
            found[index] = found[index].plus(Minute(*values))
    return [astuple(each) for each in found]
