"""Clients that send one request after the other on persistent connections, and count replies."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 30.0
"""Seconds after which a request counts as failed."""
LIMIT: Final = 1 << 20


class BrokenReplyError(Exception):
    """A reply did not come, or not whole."""


@dataclass(frozen=True, slots=True)
class Got:
    """A whole reply: ``fields`` by lower-case name, ``size`` bytes of body."""

    status: int
    fields: Mapping[str, str]
    size: int

    @property
    def stays(self) -> bool:
        """Whether another request may follow on the connection."""
        return self.fields.get("connection", "").lower() != "close"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request of a kind that is counted apart; an absolute ``url`` is requested in absolute
    form."""

    kind: str
    url: str
    accept: str = "*/*"


@dataclass
class Tally:
    """Seconds of each kind's replies, failures by what went wrong, and the connections made."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    connections: int = 0
    under_way: int = 0

    @property
    def done(self) -> int:
        return sum(map(len, self.seconds.values()))

    @property
    def failures(self) -> int:
        return sum(self.failed.values())


class Visitor:
    """One connection to a proxy, reopened whenever it has ended."""

    def __init__(self, port: int, tally: Tally, host: str = "127.0.0.1", source: str = "") -> None:
        """``source``: the address of the client's own end, where it is to be a certain one."""
        self.host, self.port, self.tally, self.source = host, port, tally, source
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, wanted: Wanted) -> Got | None:
        """One request, tallied; None where it failed. Raises ConnectionRefusedError."""
        begun = time.perf_counter()
        self.tally.under_way += 1  # from here: who killed a server also cut who just connected
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self._opened()
                writer.write(request(wanted))
                got = await read_reply(reader)
        except ConnectionRefusedError:
            raise
        except (BrokenReplyError, OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.tally.failed[type(error).__name__] += 1
            self.close()
            return None
        finally:
            self.tally.under_way -= 1
        if got.status >= 500:
            self.tally.failed[str(got.status)] += 1
        else:
            self.tally.seconds[wanted.kind].append(time.perf_counter() - begun)
        if not got.stays:
            self.close()
        return got

    @property
    def is_open(self) -> bool:
        """Whether the connection carries another request."""
        return self._streams is not None and not self._streams[0].at_eof()

    def close(self) -> None:
        """End the connection."""
        if self._streams:
            self._streams[1].close()
            self._streams = None

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            own = (self.source, 0) if self.source else None
            self._streams = await asyncio.open_connection(
                self.host, self.port, limit=LIMIT, local_addr=own
            )
            self.tally.connections += 1
        return self._streams


def request(wanted: Wanted) -> bytes:
    """The bytes of a GET."""
    host = wanted.url.split("/", 3)[2] if "//" in wanted.url else "127.0.0.1"
    return (
        f"GET {wanted.url} HTTP/1.1\r\nHost: {host}\r\nAccept: {wanted.accept}\r\n\r\n"
    ).encode()


async def read_reply(reader: asyncio.StreamReader) -> Got:
    """A whole reply. Raises BrokenReplyError or IncompleteReadError."""
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    pairs = (line.partition(":") for line in lines)
    fields = {name.strip().lower(): value.strip() for name, _, value in pairs}
    status = int(first.split(" ", 2)[1])
    if "content-length" in fields:
        return Got(status, fields, await _skip(reader, int(fields["content-length"])))
    if fields.get("transfer-encoding") == "chunked":
        return Got(status, fields, await _skip_chunks(reader))
    if status in (204, 304):
        return Got(status, fields, 0)
    raise BrokenReplyError("A reply whose length nobody tells.")


async def _skip(reader: asyncio.StreamReader, size: int) -> int:
    left = size
    while left:
        piece = await reader.read(min(left, 65536))
        if not piece:
            raise BrokenReplyError("A reply was cut short.")
        left -= len(piece)
    return size


async def _skip_chunks(reader: asyncio.StreamReader) -> int:
    size = 0
    while length := int(await reader.readuntil(b"\r\n"), 16):
        size += await _skip(reader, length)
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return size


async def visits(
    port: int,
    choose: Callable[[], Wanted],
    tally: Tally,
    stop: asyncio.Event,
    requests_per_connection: int = 0,
) -> None:
    """One client until ``stop``, or until nobody listens any more."""
    visitor, number = Visitor(port, tally), 0
    try:
        while not stop.is_set():
            await visitor.ask(choose())
            number += 1
            if requests_per_connection and number % requests_per_connection == 0:
                visitor.close()
    except ConnectionRefusedError:
        tally.refused += 1
    finally:
        visitor.close()
