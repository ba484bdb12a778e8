"""Connections that wait for their next request; knows neither requests nor how to connect."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from winnow.proxy.http.origins import Origin
from winnow.proxy.upstream.wire import OriginConnection


class IdleConnections:
    """At most ``per_origin`` and ``total`` idle connections, each for at most ``seconds``."""

    def __init__(self, seconds: float = 30, per_origin: int = 16, total: int = 256) -> None:
        self._seconds = seconds
        self._per_origin = per_origin
        self._total = total
        self._wires: OrderedDict[Origin, list[tuple[OriginConnection, float]]] = OrderedDict()
        """Each with the time of the loop at which it is closed; who came last stands last."""
        self._count = 0
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return self._count

    def take(self, origin: Origin, young: float = float("inf")) -> OriginConnection | None:
        """The connection used last that is still open, if any, and not idle for ``young`` seconds.

        An older one stays for those who may ask again should the origin just be closing it.
        """
        waiting = self._wires.get(origin, [])
        oldest = asyncio.get_running_loop().time() - young if waiting else 0.0
        while waiting and waiting[-1][1] - self._seconds > oldest:
            wire, _ = waiting.pop()
            self._count -= 1
            if wire.quiet:
                return wire
            wire.close()
        return None

    def put(self, origin: Origin, wire: OriginConnection) -> None:
        """Keep a connection; one that cannot be used again, or is too many, is closed."""
        waiting = self._wires.setdefault(origin, [])
        if not wire.quiet or len(waiting) >= self._per_origin or self._count >= self._total:
            wire.close()
            return
        loop = asyncio.get_running_loop()
        waiting.append((wire, loop.time() + self._seconds))
        self._count += 1
        if self._sweeping is None:  # one timer for all: most are taken long before
            self._sweeping = loop.call_later(self._seconds, self._sweep)

    def _sweep(self) -> None:
        """Close those whose time is over, and come again when that of the next is."""
        loop = asyncio.get_running_loop()
        self._sweeping, now, soonest = None, loop.time(), float("inf")
        for origin, waiting in list(self._wires.items()):
            for wire, _ in [entry for entry in waiting if entry[1] <= now]:
                wire.close()
            waiting[:] = [entry for entry in waiting if entry[1] > now]
            if waiting:
                soonest = min(soonest, waiting[0][1])
            else:
                del self._wires[origin]
        self._count = sum(map(len, self._wires.values()))
        if self._wires:
            self._sweeping = loop.call_at(soonest, self._sweep)

    async def aclose(self) -> None:
        """Close them all and wait until they are."""
        wires = [wire for waiting in self._wires.values() for wire, _ in waiting]
        if self._sweeping:
            self._sweeping.cancel()
            self._sweeping = None
        self._wires.clear()
        self._count = 0
        for wire in wires:
            wire.close()
        await asyncio.gather(*(wire.closed for wire in wires))
