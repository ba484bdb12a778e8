"""How long a client may take for each step of a request, in seconds; docs/http.md has the table.

Bodies that Winnow reads itself are limited as by Apache's mod_reqtimeout: some seconds to begin
with, and more for what has been received.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from winnow.proxy.access.memory_account import Holding, MemoryAccount, hold
from winnow.proxy.http.proxy_errors import BodyTooLargeError, ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.http2 import stream

HEAD_SECONDS: Final = 30.0
"""From the first byte of a request's head until its end."""
KEEPALIVE_SECONDS: Final = 75.0
"""Without a whole head of a (further) request."""
LINGERING_SECONDS: Final = 2.0
"""For the rest of a body that is not used, after the response."""
UPLOAD_IDLE: Final = 60.0
"""Seconds without a byte after which an upload to an origin is ended."""
RATE_SECONDS: Final = 60.0
"""Within each of these ``LEAST_SENT`` bytes of an upload must come, ``LEAST_READ`` of ours go."""
LEAST_SENT: Final = 256
LEAST_READ: Final = 4096
"""The peer tells of what it has read by the segment, not by the byte."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """``start_seconds`` and a second for each ``least_rate`` bytes; at most ``total_seconds``."""

    start_seconds: float = 20.0
    least_rate: int = 16 * 1024
    total_seconds: float = 120.0

    def allowed(self, received: int) -> float:
        """Seconds from the body's first byte until it, or more of it, must be received."""
        return min(self.start_seconds + received / self.least_rate, self.total_seconds)


@dataclass(frozen=True, slots=True)
class TunnelLimits:
    """Seconds without a byte: in both directions, and once one side has closed its own.

    ``rate``: RATE_SECONDS, for a side for which bytes wait.
    """

    idle: float = 3600.0
    half_closed: float = 60.0
    rate: float = RATE_SECONDS


@dataclass(frozen=True, slots=True)
class ClientBounds:
    """``upload``: for bodies that Winnow reads; ``upload_idle``: for those that it forwards.

    ``http2``: whether clients may speak HTTP/2; ``stalled``: as in ServerContext; ``rate_seconds``:
    RATE_SECONDS; ``account``: where what they make Winnow hold is booked.
    """

    upload: UploadLimits = field(default_factory=UploadLimits)
    upload_idle: float = UPLOAD_IDLE
    head: float = HEAD_SECONDS
    tunnel: TunnelLimits = field(default_factory=TunnelLimits)
    http2: bool = False
    stalled: float = stream.STALLED_SECONDS
    rate_seconds: float = RATE_SECONDS
    account: MemoryAccount = field(default_factory=MemoryAccount)


@dataclass(slots=True)
class LeastRate:
    """Whether bytes move: ``least`` of them within each ``seconds`` from the first on."""

    least: int = LEAST_SENT
    seconds: float = RATE_SECONDS
    _begun: float | None = None
    _moved: int = 0

    def moved(self, size: int, now: float) -> None:
        """So many bytes have moved. Raises TimeoutError where they were too few."""
        if self._begun is None:
            self._begun = now
        self._moved += size
        if now - self._begun >= self.seconds:
            if self._moved < self.least:
                raise TimeoutError
            self._begun, self._moved = now, 0


def too_slow() -> ClientFaultError:
    """The error for 408 (RFC 9110, section 15.5.9)."""
    return ClientFaultError(says("The body of the request took too long."), 408, "request-timeout")


async def read_body(chunks: AsyncIterator[bytes], largest: int, limits: UploadLimits) -> bytes:
    """The whole body.

    Raises BodyTooLargeError beyond ``largest`` bytes, ClientFaultError if it is too slow, and
    MemoryFullError.
    """
    body = bytearray()
    async for chunk in _bounded(chunks, largest, limits):
        hold(len(chunk))
        body += chunk
    return bytes(body)


async def spool_body(
    chunks: AsyncIterator[bytes],
    largest: int,
    limits: UploadLimits,
    file: BinaryIO,
    held: Holding,
) -> None:
    """Write the whole body to a file, booked as ``held``. Raises as ``read_body``."""
    async for chunk in _bounded(chunks, largest, limits):
        held.grow(len(chunk))
        await asyncio.to_thread(file.write, chunk)
    await asyncio.to_thread(file.flush)


async def _bounded(
    chunks: AsyncIterator[bytes], largest: int, limits: UploadLimits
) -> AsyncIterator[bytes]:
    """The pieces of a body that is neither too large nor too slow."""
    size, loop = 0, asyncio.get_running_loop()
    begun = loop.time()
    pieces = aiter(chunks)
    while True:
        try:
            async with asyncio.timeout_at(begun + limits.allowed(size)):
                chunk = await anext(pieces, b"")
        except TimeoutError as error:
            raise too_slow() from error
        if not chunk:
            return
        size += len(chunk)
        if size > largest:
            raise BodyTooLargeError(
                says("The body is larger than {largest} bytes.", largest=largest)
            )
        yield chunk
