"""Connections that wait for their next request; knows neither requests nor how to connect."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from proxy.upstream.origins import Origin
from proxy.upstream.wire import Wire


class IdleWires:
    """At most ``per_origin`` and ``total`` idle connections, each for at most ``seconds``."""

    def __init__(self, seconds: float = 30, per_origin: int = 16, total: int = 256) -> None:
        self._seconds = seconds
        self._per_origin = per_origin
        self._total = total
        self._wires: OrderedDict[Origin, list[tuple[Wire, asyncio.TimerHandle]]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def take(self, origin: Origin) -> Wire | None:
        """The connection used last that is still open, if any."""
        waiting = self._wires.get(origin, [])
        while waiting:
            wire, timer = waiting.pop()
            timer.cancel()
            self._count -= 1
            if wire.quiet:
                return wire
            wire.close()
        self._wires.pop(origin, None)
        return None

    def put(self, origin: Origin, wire: Wire) -> None:
        waiting = self._wires.setdefault(origin, [])
        if not wire.quiet or len(waiting) >= self._per_origin or self._count >= self._total:
            wire.close()
            return
        loop = asyncio.get_running_loop()
        waiting.append((wire, loop.call_later(self._seconds, self._expire, origin, wire)))
        self._count += 1

    def _expire(self, origin: Origin, wire: Wire) -> None:
        waiting = self._wires.get(origin, [])
        kept = [entry for entry in waiting if entry[0] is not wire]
        self._count -= len(waiting) - len(kept)
        wire.close()
        if kept:
            self._wires[origin] = kept
        else:
            self._wires.pop(origin, None)

    async def aclose(self) -> None:
        """Close them all and wait until they are."""
        wires = [wire for waiting in self._wires.values() for wire, _ in waiting]
        for waiting in self._wires.values():
            for _, timer in waiting:
                timer.cancel()
        self._wires.clear()
        self._count = 0
        for wire in wires:
            wire.close()
        await asyncio.gather(*(wire.closed for wire in wires))
