"""How long a client may take for each step of a request, in seconds; docs/http.md has the table.

Bodies that Winnow reads itself are limited as by Apache's mod_reqtimeout: some seconds to begin
with, and more for what has been received.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final

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
    """Seconds without a byte: in both directions, and once one side has closed its own."""

    idle: float = 3600.0
    half_closed: float = 60.0


@dataclass(frozen=True, slots=True)
class ClientBounds:
    """``upload``: for bodies that Winnow reads; ``upload_idle``: for those that it forwards.

    ``http2``: whether clients may speak HTTP/2; ``stalled``: as in ServerContext.
    """

    upload: UploadLimits = field(default_factory=UploadLimits)
    upload_idle: float = UPLOAD_IDLE
    head: float = HEAD_SECONDS
    tunnel: TunnelLimits = field(default_factory=TunnelLimits)
    http2: bool = False
    stalled: float = stream.STALLED_SECONDS


def too_slow() -> ClientFaultError:
    """The error for 408 (RFC 9110, section 15.5.9)."""
    return ClientFaultError(says("The body of the request took too long."), 408, "request-timeout")


async def read_body(chunks: AsyncIterator[bytes], largest: int, limits: UploadLimits) -> bytes:
    """The whole body.

    Raises BodyTooLargeError beyond ``largest`` bytes, ClientFaultError if it is too slow.
    """
    body = bytearray()
    begun = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(begun + limits.allowed(0)) as bound:
            async for chunk in chunks:
                body += chunk
                if len(body) > largest:
                    raise BodyTooLargeError(
                        says("The body is larger than {largest} bytes.", largest=largest)
                    )
                bound.reschedule(begun + limits.allowed(len(body)))
    except TimeoutError as error:
        raise too_slow() from error
    return bytes(body)
