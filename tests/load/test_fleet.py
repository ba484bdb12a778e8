"""The arithmetic of docs/fleet.md: machines that each resource asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.load.origin import page
from tests.load.fleet import Assumptions, Costs, Placement, measured, told, walls

KINDS = ("page new", "page again", "page kept", "file fetched", "file kept")
JOINING = ("connection intercepted", "tunnel")
COSTS = Costs(
    dict.fromkeys((*KINDS, *JOINING), 1000), {"intercepted": 10_000, "tunnel": 10_000}, 100_000
)
MILLION = Placement("any instance", 1_000_000, 0.1, 0.5, 0.5)


def test_each_wall_by_hand() -> None:
    """50,000 readers at once, 1,667 page views a second, 600,000 connections."""
    found = walls(COSTS, MILLION, Assumptions())
    assert {name: round(machines, 1) for name, machines in found.items()} == {
        "server.connections = 4096": 146.5,  # 600,000 / 4,096
        "open files": 27.5,  # 600,000 / 21,845
        "network": 24.4,  # 1,667 x 1.1 MB / 75 MB/s
        "CPU": 12.7,  # 1,667 x (.3 x 47 + .7 x 6) ms / 2.4 cores
        "memory": 1.0,  # 600,000 x 10 kB / 6 GB
    }
    assert list(found) == ["server.connections = 4096", "open files", "network", "CPU", "memory"]


def test_a_raised_limit_and_kept_pages_count() -> None:
    raised = walls(COSTS, MILLION, Assumptions(limit=20_000))
    assert raised["server.connections = 20000"] == 30
    dear = replace(COSTS, cpu={**COSTS.cpu, "page new": 101_000})
    more = walls(dear, MILLION, Assumptions())["CPU"] - raised["CPU"]
    assert more == pytest.approx(50_000 / 30 * 0.3 * 0.5 * 0.1 / 2.4)


@pytest.mark.release
async def test_a_run_measures_each_kind(tmp_path: Path) -> None:
    costs = await measured(tmp_path, [page(number) for number in range(3)])
    assert set(costs.cpu) == {*KINDS, *JOINING}
    assert costs.cpu["page new"] > costs.cpu["page kept"] > 0
    assert "a page in the mean" in told(costs)
