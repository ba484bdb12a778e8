"""``python -m benchmarks.fleet``: measures what requests cost here, and plans for readers by it."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from functools import partial
from typing import Final

from benchmarks.fleet import costs as costs_module
from benchmarks.fleet.assumptions import MACHINE, READING
from benchmarks.fleet.costs import Costs
from benchmarks.fleet.placement import Placement, simulated
from benchmarks.fleet.plan import Demand, Plan, planned

READERS: Final = (10_000, 1_000_000)
_BYTES: Final = ("connection", "answering", "answering_full", "extracting")


def tell(*cells: object) -> None:
    """Print a row at once."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def tell_costs(costs: Costs) -> None:
    tell("what", "costs")
    tell("---", "---")
    for name, value in asdict(costs).items():
        text = f"{value / 1e6:.3f} MB" if name in _BYTES else f"{value * 1e6:,.0f} µs of CPU"
        tell(name.replace("_", " "), text)


def tell_plans(costs: Costs, readers: int) -> None:
    names = ("page kept", "rendered before", "extracted", "objects kept", "instances")
    sys.stdout.write(f"\n{readers:,} readers\n\n")
    tell(
        "placement",
        *names,
        "machines by each wall",
        "HAProxy, cores",
        "Redis, MB/s",
        "origins, MB/s",
        "a month",
    )
    tell(*["---"] * 11)
    for placement in Placement:
        demand_with = partial(_demand, placement=placement, readers=readers, costs=costs)
        tell_plan(placement, planned(placement, MACHINE, demand_with))


def tell_plan(placement: Placement, plan: Plan) -> None:
    rates = plan.demand.rates
    shares = (rates.kept, rates.again, 1 - rates.kept - rates.again, rates.objects)
    walls = ", ".join(f"{name} {number:.2f}" for name, number in plan.walls)
    front = f"{plan.demand.front_cores:.1f}"
    percent = [f"{share:.0%}" for share in shares]
    moved = (f"{plan.redis / 1e6:,.0f}", f"{plan.demand.fetched / 1e6:,.0f}")
    tell(placement, *percent, plan.instances, walls, front, *moved, f"{plan.price:,.0f}")


def _demand(instances: int, *, placement: Placement, readers: int, costs: Costs) -> Demand:
    rates = simulated(placement, readers, instances, READING, MACHINE)
    return Demand(readers, rates, costs, READING)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--readers", type=int, nargs="*", default=READERS)
    chosen = parser.parse_args()
    sys.stdout.write(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n")
    costs = costs_module.main()
    tell_costs(costs)
    for readers in chosen.readers:
        tell_plans(costs, readers)


if __name__ == "__main__":
    main()
