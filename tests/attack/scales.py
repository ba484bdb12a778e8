"""What the attempts of a family weigh: each is sent again, several times, to a proxy apart.

Batches of some 100 connections are weighed together. One that grows by more than its lightest
attempt may is halved and weighed again, until that attempt is found and weighed alone, 100 times
at once, after it has been made once.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.attack.server_process import FREE, GROWTH, MIB, Server, Weight
from tests.attack.shadow import Shadow
from tests.attack.web import HTML, page, request
from tests.attack.worlds import World
from tests.proxy.origins import Origin, serving

TOGETHER: Final = 100
MOST_SENT: Final = 64 * MIB
"""Bytes of one attempt, all its repetitions together."""
SETTLE, WAIT = 0.5, 2.0
"""Seconds for the answers to an attempt before the next one, and before a batch is weighed."""


@dataclass(frozen=True)
class Sample:
    """What an attempt sent, a connection each, and the network as it was."""

    name: str
    payloads: tuple[bytes, ...]
    names: dict[str, list[str]]
    routes: list[tuple[str, int, int]]

    @property
    def size(self) -> int:
        return sum(map(len, self.payloads))


def repetitions(sample: Sample, times: int) -> int:
    """How often it is sent where ``times`` are wished."""
    return max(min(times, MOST_SENT // max(sample.size, 1)), 1)


@dataclass
class Batch:
    """Samples whose connections are open, and the server as it was before."""

    server: Server
    sites: Sequence[Mirror]
    replied: int
    rss: int
    cpu: float
    samples: list[Sample] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)

    @classmethod
    def begun(cls, shadow: Shadow, sites: Sequence[Mirror]) -> Batch:
        shadow.trim()
        server = shadow.server
        server.begin_peak()
        replied = sum(site.sent for site in sites)
        return cls(server, sites, replied, server.memory("VmRSS"), server.cpu())

    async def add(self, port: int, sample: Sample, times: int) -> None:
        payloads = sample.payloads * repetitions(sample, times)
        first = len(self.sent)
        self.sent += [0] * len(payloads)
        made = [
            asyncio.create_task(_send(port, each, self.sent, number))
            for number, each in enumerate(payloads, first)
        ]
        self.samples.append(sample)
        self.tasks += made
        if made:
            await asyncio.wait(made, timeout=SETTLE)

    async def weight(self, name: str) -> Weight:
        """Closes the connections once nothing was sent for WAIT seconds."""
        had = -1
        while self.tasks and (sent := sum(self.sent)) > had:
            had = sent
            await asyncio.wait(self.tasks, timeout=WAIT)
        grown, cpu = self.server.memory("VmHWM") - self.rss, self.server.cpu() - self.cpu
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        replied = sum(site.sent for site in self.sites) - self.replied
        return Weight(name, sum(self.sent) + replied, grown, cpu)


async def _send(port: int, payload: bytes, sent: list[int], number: int) -> None:
    """Count the bytes sent until the server hangs up; all that it says is read."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    reading = asyncio.create_task(_read(reader))
    try:
        while sent[number] < len(payload) and not reading.done():
            piece = payload[sent[number] : sent[number] + 65536]
            writer.write(piece)
            sent[number] += len(piece)
            await writer.drain()
        await reading
    finally:
        writer.transport.abort()  # first: whoever is ended here waits for nothing more
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass


@dataclass
class Mirror(Origin):
    """A site with the replies of another one; its connections end with it.

    ``sent``: bytes, which are the attacker's as those of the client are.
    """

    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    sent: int = 0

    @classmethod
    def of(cls, site: Origin) -> Mirror:
        return cls(replies=site.replies, usual=site.usual)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        write = writer.write

        def counted(data: bytes) -> None:
            self.sent += len(data)
            write(data)

        setattr(writer, "write", counted)  # noqa: B010  # what is replaced is a method
        await super().serve(reader, writer)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        async with serving(self):
            yield
            for writer in self.writers:
                writer.close()
            await asyncio.sleep(0.05)


class Scales:
    """Of one family, whose ``world`` it shares but for the sites' records of requests."""

    def __init__(self, shadow: Shadow, world: World, site: Mirror, tool: Mirror, each: int) -> None:
        self._shadow, self._world, self._each = shadow, world, each
        self._sites = (site, tool)
        self._to = {world.site.port: site.port, world.tool.port: tool.port}
        world.network.scales = shadow.server.port
        self._batch = Batch.begun(shadow, self._sites)
        self.weights: list[tuple[Weight, int]] = []
        self.through: list[str] = []

    async def prepare(self) -> None:
        """Weigh as many ordinary requests, once for all families: the dearest of three."""
        self._world.site.replies["/ordinary"] = page("Ordinary")
        if self._shadow.ordinary is None:
            url = "http://site.example/ordinary"
            asked = (
                request(url, "site.example", (HTML,)),
                request(f"/-/compare?url={url}", self._world.own, (HTML,)),
                request("/-/settings/all", self._world.own, (HTML,)),
            )
            for _ in range(2):  # the first time loads what is loaded at the first use
                found = [await self._alone(self._sample("ordinary", [each])) for each in asked]
            dearest = max(range(len(asked)), key=lambda number: found[number].cpu)
            self._shadow.ordinary, self._shadow.dearest = found[dearest], asked[dearest]
            few = self._sample("ordinary", [asked[dearest]])
            grown = [(await self._alone(few, self._each)).grown for _ in range(3)]
            self._shadow.few_grow = max(grown)

    def _sample(self, name: str, payloads: Sequence[bytes]) -> Sample:
        network, own = self._world.network, self._shadow.server.port
        known: dict[str, list[str]] = {}
        for host, addresses in list(network.names.items()):
            try:
                known[host] = addresses()
            except socket.gaierror:  # a name that has no address any more
                continue
        routes = [(host, port, self._to.get(to, to)) for (host, port), to in network.routes.items()]
        ports = dict.fromkeys(network.proxies, own) | self._to
        ours = [_addressed(each, ports) for each in payloads]
        return Sample(name, tuple(ours), known, routes)

    async def add(self, name: str) -> None:
        """Send again what was sent since the last call."""
        network = self._world.network
        payloads = [bytes(each) for each in network.sent if each]
        network.sent.clear()
        if payloads:
            sample = self._sample(name, payloads)
            self._shadow.tell(sample.names, sample.routes)
            await self._batch.add(self._shadow.server.port, sample, self._each)
        if len(self._batch.tasks) >= TOGETHER:
            await self.weigh()

    async def weigh(self) -> None:
        """End the batch; where it is too heavy for any of its attempts find that one."""
        await self._ended(self._batch)
        self._batch = Batch.begun(self._shadow, self._sites)

    async def _ended(self, batch: Batch) -> None:
        weight, times = await batch.weight("batch"), len(batch.tasks)
        if times and self._is_suspect(weight, batch):
            await self._narrowed(batch.samples)
        elif times:
            self.weights.append((weight, times))

    def _is_suspect(self, weight: Weight, batch: Batch) -> bool:
        """Whether a batch grew by more than one of its attempts may, or all take too long."""
        each = (self._most_grown(sample) for sample in batch.samples)
        return weight.grown > min(each) or bool(
            weight.through(self._ordinary(len(batch.tasks)), len(batch.tasks))
        )

    def _most_grown(self, sample: Sample) -> int:
        times = repetitions(sample, self._each)
        free = (FREE * times + self._shadow.few_grow) * len(sample.payloads)
        return free + GROWTH * sample.size * times

    async def _narrowed(self, samples: Sequence[Sample]) -> None:
        if len(samples) == 1:
            await self._suspect(samples[0])
            return
        middle = len(samples) // 2
        for half in (samples[:middle], samples[middle:]):
            batch = Batch.begun(self._shadow, self._sites)
            for sample in half:
                self._shadow.tell(sample.names, sample.routes)
                await batch.add(self._shadow.server.port, sample, self._each)
            await self._ended(batch)

    def _ordinary(self, times: int) -> Weight:
        plain = self._shadow.ordinary
        assert plain is not None
        part = times / TOGETHER
        return Weight("", round(plain.sent * part), round(plain.grown * part), plain.cpu * part)

    async def _suspect(self, sample: Sample) -> None:
        """Weigh an attempt alone; what is too heavy once more, right after ordinary requests.

        On a busy machine all work costs more CPU.
        """
        await self._alone(sample, 1)
        times = repetitions(sample, TOGETHER) * len(sample.payloads)
        for _ in range(2):
            weight = await self._alone(sample)
            if not (found := weight.through(self._ordinary(times), times)):
                break
            plain = self._sample("ordinary", [self._shadow.dearest])
            self._shadow.ordinary = await self._alone(plain)
        self.weights.append((weight, times))
        if found:
            self.through.append(f"{sample.name}: {found}")

    async def _alone(self, sample: Sample, times: int = TOGETHER) -> Weight:
        batch = Batch.begun(self._shadow, self._sites)
        self._shadow.tell(sample.names, sample.routes)
        await batch.add(self._shadow.server.port, sample, times)
        return await batch.weight(sample.name)

    def summary(self) -> tuple[float, float, float]:
        """MiB sent, the most bytes held for a byte in any batch, seconds of CPU."""
        sent = sum(weight.sent for weight, _ in self.weights) / MIB
        held = [weight.held(self._ordinary(times), times) for weight, times in self.weights]
        return sent, max(held, default=0.0), sum(weight.cpu for weight, _ in self.weights)


def _addressed(payload: bytes, ports: Mapping[int, int]) -> bytes:
    """To the proxy apart and its sites: ports have five digits all."""
    for port, other in ports.items():
        payload = payload.replace(b":%d" % port, b":%d" % other)
    return payload
