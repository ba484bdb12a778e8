"""From hit rates and costs to machines: which wall comes first, and what a month costs. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.fleet.assumptions import MONTH, TB, Machine, Reading
from benchmarks.fleet.costs import Costs
from benchmarks.fleet.placement import Placement, Rates, page_views

CLIENTS_SHARE = 3
"""Of its open files Winnow gives one in so many to clients (winnow.compose.running)."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What so many readers ask at the busiest hour, where caches have such hit rates."""

    readers: float
    rates: Rates
    costs: Costs
    reading: Reading

    @property
    def views(self) -> float:
        """Page views a second."""
        return page_views(self.readers, self.reading)

    @property
    def requests(self) -> float:
        """Requests a second of pages whose content Winnow sees."""
        return self.views * self.reading.seen * (1 + self.reading.objects)

    @property
    def tunnels(self) -> float:
        """Tunnels a second."""
        return self.views * (1 - self.reading.seen) * self.reading.tunnels

    @property
    def connections(self) -> float:
        """Open connections of clients."""
        return self.readers * self.reading.active * self.reading.connections

    @property
    def cores(self) -> float:
        """Cores of Winnow that are busy."""
        rates, costs, objects = self.rates, self.costs, self.reading.objects
        new = 1 - rates.kept - rates.again
        page = rates.kept * costs.page_kept + rates.again * costs.page_again + new * costs.page_new
        fetched = objects * (1 - rates.objects) * costs.object_fetched
        kept = objects * rates.objects * costs.object_kept
        seen = self.views * self.reading.seen * (page + kept + fetched)
        return seen + self.tunnels * costs.tunnel

    @property
    def front_cores(self) -> float:
        """Cores of HAProxy that are busy."""
        return self.requests * self.costs.front_request + self.tunnels * self.costs.front_tunnel

    @property
    def sent(self) -> float:
        """Bytes a second to readers."""
        reading = self.reading
        page = reading.seen * reading.rendering + (1 - reading.seen) * reading.page
        return self.views * (page + reading.objects * reading.object)

    @property
    def fetched(self) -> float:
        """Bytes a second from origins."""
        reading, rates = self.reading, self.rates
        objects = reading.objects * reading.object
        seen = (1 - rates.kept) * reading.page + (1 - rates.objects) * objects
        return self.views * (reading.seen * seen + (1 - reading.seen) * (reading.page + objects))


@dataclass(frozen=True, slots=True)
class Plan:
    """``walls``: machines that each resource alone would need, the first wall first.

    ``redis``: bytes a second that all instances read and write there.
    """

    instances: int
    walls: tuple[tuple[str, float], ...]
    demand: Demand
    redis: float
    price: float


def walls(demand: Demand, machine: Machine) -> dict[str, float]:
    """Machines that each resource alone would need."""
    costs, connections = demand.costs, demand.connections * 2  # each has one to an origin
    extracting = costs.extracting * machine.cores
    processes = extracting + costs.answering * machine.answering
    room = machine.memory - machine.reserved - machine.cache - processes
    return {
        "CPU": demand.cores / (machine.cores * machine.busy),
        "memory": connections * costs.connection / room,
        "open files": demand.connections * CLIENTS_SHARE / (machine.files * machine.answering),
        "network": demand.sent / (machine.network * machine.busy),
    }


def planned(
    placement: Placement,
    machine: Machine,
    demand_with: Callable[[int], Demand],
) -> Plan:
    """As many instances as the first wall asks for with the hit rates of so many, and one more."""
    instances = 2
    while True:
        demand = demand_with(instances)
        needed = walls(demand, machine)
        wanted = math.ceil(max(needed.values())) + 1  # one may end
        if wanted <= instances:
            break
        instances = wanted
    in_order = tuple(sorted(needed.items(), key=lambda wall: -wall[1]))
    is_shared = placement is Placement.ANY_SHARED
    redis = demand.requests * demand.reading.object if is_shared else 0.0
    return Plan(instances, in_order, demand, redis, price(instances, demand, redis, machine))


def price(instances: int, demand: Demand, redis: float, machine: Machine) -> float:
    """A month of all machines, in the currency of ``Machine.price``.

    At least two fronts; each Redis has a replica.
    """
    by_cores = demand.front_cores / (machine.cores * machine.busy)
    line = machine.network * machine.busy
    fronts = max(2, math.ceil(max(by_cores, demand.sent / line)))
    number = instances + fronts + 2 * math.ceil(redis / line)
    month = demand.sent / demand.reading.peak * MONTH
    beyond = max(0.0, month - fronts * machine.traffic)
    return number * machine.price + beyond / TB * machine.price_of_tb
