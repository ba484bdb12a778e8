"""What was measured as tables and as figures to be committed; measures nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from benchmarks.figures import Figure
from benchmarks.traffic.http2 import Versions
from benchmarks.traffic.latency import Waits
from benchmarks.traffic.page_visits import Visits
from benchmarks.traffic.request_cost import Cell, Spread
from benchmarks.traffic.scaling import Grown
from benchmarks.traffic.startup import Start
from benchmarks.traffic.tls import Handshakes
from winnow.evaluation.reporting.tables import aligned

KEYS = ("part", "what", "proxy", "connections")
MOST_SPREAD = 0.15
"""From the least to the most of the pass-through's rounds, of their median."""
_NOISE = 1.15
"""Ratios between runs on shared machines differ by so much without a cause."""


def request_costs(cells: Sequence[Cell]) -> str:
    """A line a load and proxy."""
    heading = (
        "load",
        "proxy",
        "at once",
        "requests/s",
        "least",
        "most",
        "of reference",
        "CPU us",
        "least",
        "most",
        "x reference",
        "failed",
    )
    lines = [
        (
            cell.load,
            cell.proxy,
            str(cell.connections),
            *_three(cell.rate),
            _two(cell.rate_ratio),
            *_three(cell.cpu),
            _two(cell.cpu_ratio),
            str(cell.errors),
        )
        for cell in cells
    ]
    return aligned(heading, lines, 2)


def steadiness(references: Mapping[str, Spread], load: float) -> str:
    """How far the pass-through's own CPU went apart on each load, and which may be published.

    ``load``: the machine's, at the end.
    """
    spreads = {
        name: (one.most - one.least) / one.median for name, one in references.items() if one.median
    }
    least, most = min(spreads.values(), default=0.0), max(spreads.values(), default=0.0)
    apart = [f"{name} ({spread:.0%})" for name, spread in spreads.items() if spread > MOST_SPREAD]
    verdict = f"NOT to be published: {', '.join(apart)}." if apart else "All may be published."
    return (
        f"The pass-through's CPU varied by {least:.0%} to {most:.0%} (at most {MOST_SPREAD:.0%}), "
        f"load {load:.1f}. {verdict}\n"
    )


def tls(found: Sequence[Handshakes]) -> str:
    heading = ("inside TLS", "proxy", "a second", "least", "most", "CPU us", "least", "most")
    lines = [(one.load, one.proxy, *_three(one.rate), *_three(one.cpu)) for one in found]
    return aligned(heading, lines, 2)


def versions(found: Sequence[Versions]) -> str:
    heading = ("CPU us inside TLS", "proxy", "HTTP/1.1", "HTTP/2", "ratio")
    lines = [
        (one.size, one.proxy, f"{one.http1:.0f}", f"{one.http2:.0f}", f"{one.ratio:.2f}")
        for one in found
    ]
    return aligned(heading, lines, 2)


def waits(found: Sequence[Waits]) -> str:
    lines = [(one.what, f"{one.median:.2f}", f"{one.worst:.2f}") for one in found]
    return aligned(("milliseconds", "median", "99 %"), lines, 1)


def visits(found: Sequence[Visits]) -> str:
    """A line a proxy: CPU beside the pass-through's, and what a reader waits for."""
    heading = (
        *("a page and 100 sub-resources", "proxy", "CPU ms", "least", "most", "x reference"),
        *("page p50", "p99", "whole p50", "p99"),
    )
    reference = found[0].cpu.median if found else 0.0
    lines = [
        (
            *(one.what, one.proxy),
            *(f"{value:.1f}" for value in (one.cpu.median, one.cpu.least, one.cpu.most)),
            f"{one.cpu.median / reference:.2f}" if reference else "",
            *(f"{value:.1f}" for value in (*one.page, *one.whole)),
        )
        for one in found
    ]
    return aligned(heading, lines, 2)


def starts(found: Sequence[Start]) -> str:
    lines = [(one.what, f"{one.value:.2f}", one.unit) for one in found]
    return aligned(("start and memory", "", ""), lines, 1)


def growths(found: Iterable[Grown]) -> str:
    """The costs of one request at each size, and the exponent."""
    blocks = []
    for one in found:
        heading = (f"us at {one.what}", *(f"{size:,}" for size in one.sizes), "exponent")
        line = ("", *(f"{cost:.0f}" for cost in one.cost), f"{one.exponent:.2f}")
        blocks.append(aligned(heading, [line], 1))
    return "\n".join(blocks)


def request_cost_figures(cells: Iterable[Cell]) -> list[Figure]:
    return [
        {
            "part": "requests",
            "what": cell.load,
            "proxy": cell.proxy,
            "connections": cell.connections,
            "rate": cell.rate.median,
            "cpu": cell.cpu.median,
            "cpu_least": cell.cpu.least,
            "cpu_most": cell.cpu.most,
            "rate_ratio": cell.rate_ratio.median,
            "value": cell.cpu_ratio.median,
        }
        for cell in cells
    ]


def tls_figures(found: Iterable[Handshakes]) -> list[Figure]:
    return [
        _figure("tls", one.load, one.cpu.median, one.proxy) | {"rate": one.rate.median}
        for one in found
    ]


def wait_figures(found: Iterable[Waits]) -> list[Figure]:
    return [_figure("wait", one.what.strip(), one.median) | {"worst": one.worst} for one in found]


def visit_figures(found: Iterable[Visits]) -> list[Figure]:
    return [
        _figure("visits", one.what, one.cpu.median, one.proxy)
        | {"page": one.page[0], "worst": one.page[1], "whole": one.whole[0]}
        for one in found
    ]


def start_figures(found: Iterable[Start]) -> list[Figure]:
    return [_figure("start", one.what, one.value) | {"unit": one.unit} for one in found]


def growth_figures(found: Iterable[Grown]) -> list[Figure]:
    return [
        _figure("scaling", one.what, one.cost[-1]) | {"exponent": one.exponent} for one in found
    ]


def compared(old: Sequence[Figure], new: Sequence[Figure]) -> str:
    """What got slower or faster since the committed figures, as ratios; more is slower."""
    before = {_key(figure): float(figure["value"]) for figure in old}
    ratios = [
        (float(figure["value"]) / before[_key(figure)], figure)
        for figure in new
        if before.get(_key(figure), 0) > 0 and float(figure["value"]) > 0
    ]
    changed = [(ratio, figure) for ratio, figure in ratios if not 1 / _NOISE < ratio < _NOISE]
    lines = [f"  {ratio:.2f} x  {_named(figure)}" for ratio, figure in sorted(changed, key=_first)]
    changes = "\n".join(reversed(lines)) or "  nothing by more than 15 %"
    return f"Against the {len(ratios)} committed figures (above 1 is slower)\n{changes}\n"


def _first(pair: tuple[float, Figure]) -> float:
    return pair[0]


def _named(figure: Figure) -> str:
    many = f", {figure['connections']} at once" if figure["connections"] else ""
    return f"{figure['what']} ({figure['proxy']}{many})"


def _figure(
    part: str, what: str, value: float, proxy: str = "winnow"
) -> dict[str, str | int | float]:
    return {"part": part, "what": what, "proxy": proxy, "connections": 0, "value": value}


def _key(figure: Figure) -> tuple[str, ...]:
    return tuple(str(figure[key]) for key in KEYS)


def _three(spread: Spread) -> tuple[str, str, str]:
    return f"{spread.median:.0f}", f"{spread.least:.0f}", f"{spread.most:.0f}"


def _two(spread: Spread) -> str:
    return f"{spread.median:.2f}"
