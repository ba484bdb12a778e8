"""The simulation of fleets: caches, placements and plans, by figures reckoned by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.fleet import placement as placement_module
from benchmarks.fleet.assumptions import MACHINE, READING, TB, Machine
from benchmarks.fleet.costs import Costs
from benchmarks.fleet.placement import ByteLru, Placement, Rates, page_views, simulated
from benchmarks.fleet.plan import Demand, planned, price, walls

COSTS = Costs(0.001, 0.002, 0.01, 0.0005, 0.001, 0.002, 0.0001, 0.0002, 1e8, 4e8, 5e7, 10_000)
SMALL = replace(READING, sites=2000, pages=20_000)
NOTHING = Rates(0, 0, 0)


@pytest.fixture(autouse=True)
def few_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement_module, "MOST_VIEWS", 20_000)


def test_a_cache_drops_what_was_used_least_recently() -> None:
    cache = ByteLru(100)
    cache.put("a", 1.0, 60)
    cache.put("b", 2.0, 40)
    assert cache.get("a") == 1.0
    cache.put("c", 3.0, 30)
    assert (cache.get("b"), cache.get("a"), cache.get("c")) == (None, 1.0, 3.0)
    cache.put("a", 4.0, 20)
    cache.put("d", 5.0, 50)
    assert (cache.get("a"), cache.get("c"), cache.get("d")) == (4.0, 3.0, 5.0)


def hits(placement: Placement, instances: int, machine: Machine = MACHINE) -> float:
    return simulated(placement, 1e5, instances, SMALL, machine).objects


def test_one_instance_is_the_same_for_every_placement() -> None:
    assert len({hits(placement, 1) for placement in Placement}) == 1


def test_by_site_hits_are_those_of_one_large_cache_and_elsewhere_fewer() -> None:
    roomy = replace(MACHINE, cache=1e15)
    large = hits(Placement.ANY, 1, replace(MACHINE, cache=8 * MACHINE.cache))
    assert hits(Placement.ANY_SHARED, 8) == large
    assert hits(Placement.BY_SITE, 8) == pytest.approx(large, abs=0.03)
    for placement in (Placement.ANY, Placement.BY_READER):
        assert hits(placement, 8) < large - 0.1
        assert hits(placement, 8, roomy) < hits(placement, 2, roomy) < hits(placement, 1, roomy)


def test_a_part_of_the_sites_tells_the_rates_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, machine = replace(READING, sites=4000, pages=40_000), replace(MACHINE, cache=1e8)
    monkeypatch.setattr(placement_module, "MOST_VIEWS", 160_000)
    readers = 160_000 / 7200 / reading.seen * reading.pause / reading.active
    whole = simulated(Placement.ANY, readers, 2, reading, machine)
    monkeypatch.setattr(placement_module, "MOST_VIEWS", 40_000)
    part = simulated(Placement.ANY, readers, 2, reading, machine)
    assert part.objects == pytest.approx(whole.objects, abs=0.04)
    assert part.again + part.kept == pytest.approx(whole.again + whole.kept, abs=0.04)


def test_a_demand_is_reckoned_from_its_parts() -> None:
    reading = replace(READING, active=0.1, pause=10.0, seen=0.5, objects=10, tunnels=4)
    demand = Demand(1000, Rates(kept=0.2, again=0.3, objects=0.5), COSTS, reading)
    assert demand.views == page_views(1000, reading) == 10
    assert demand.requests == 10 * 0.5 * 11
    assert demand.tunnels == 10 * 0.5 * 4
    page = 0.2 * 0.001 + 0.3 * 0.002 + 0.5 * 0.01
    assert demand.cores == pytest.approx(5 * (page + 5 * 0.0005 + 5 * 0.001) + 20 * 0.002)
    assert demand.front_cores == pytest.approx(55 * 0.0001 + 20 * 0.0002)
    objects = 10 * reading.object
    assert demand.sent == 5 * (reading.rendering + objects) + 5 * (reading.page + objects)
    everything = Demand(1000, NOTHING, COSTS, reading)
    assert everything.fetched == 10 * (reading.page + objects)
    assert demand.fetched == pytest.approx(
        5 * (0.8 * reading.page + 0.5 * objects) + 5 * (reading.page + objects)
    )


def test_a_plan_has_machines_for_its_first_wall_and_one_more() -> None:
    asked: list[int] = []

    def demand(instances: int) -> Demand:
        asked.append(instances)
        return Demand(1e6, NOTHING, COSTS, READING)

    plan = planned(Placement.ANY, MACHINE, demand)
    needed = walls(demand(0), MACHINE)
    assert dict(plan.walls) == needed
    assert plan.walls[0][1] == max(needed.values())
    assert plan.instances - 2 < plan.walls[0][1] <= plan.instances - 1
    assert plan.redis == 0
    assert planned(Placement.ANY_SHARED, MACHINE, demand).redis > 0
    few = planned(Placement.ANY, MACHINE, lambda _: Demand(10, NOTHING, COSTS, READING))
    assert few.instances == 2


def test_a_month_is_machines_and_the_traffic_beyond_theirs() -> None:
    few = Demand(10, NOTHING, COSTS, READING)
    assert price(2, few, 0, MACHINE) == 4 * MACHINE.price
    assert price(2, few, 1e6, MACHINE) == 6 * MACHINE.price
    many = Demand(1e6, NOTHING, COSTS, READING)
    free, paid = replace(MACHINE, price_of_tb=0.0), replace(MACHINE, price_of_tb=2.0)
    beyond = (price(2, many, 0, paid) - price(2, many, 0, free)) / 2
    month = many.sent / READING.peak * 30 * 86_400 / TB
    assert month - 100 * MACHINE.traffic / TB < beyond < month
