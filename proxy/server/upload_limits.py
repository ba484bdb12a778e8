"""How slowly a request's body may come where we read it ourselves; forwarded ones only keep moving.

As Apache's mod_reqtimeout does it: some seconds to begin with, and more for what has come.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from winnow.proxy.http.proxy_errors import BodyTooLargeError, ClientFaultError

UPLOAD_IDLE: Final = 60.0
"""Seconds without a byte after which an upload to an origin is ended."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """``start_seconds`` and a second for each ``least_rate`` bytes; at most ``total_seconds``."""

    start_seconds: float = 20.0
    least_rate: int = 16 * 1024
    total_seconds: float = 120.0

    def allowed(self, received: int) -> float:
        """Seconds from the body's beginning until it, or more of it, must have come."""
        return min(self.start_seconds + received / self.least_rate, self.total_seconds)


def too_slow() -> ClientFaultError:
    """408 (RFC 9110, section 15.5.9)."""
    return ClientFaultError("The body of the request came too slowly.", 408, "request-timeout")


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
                    raise BodyTooLargeError(f"The body is larger than {largest} bytes.")
                bound.reschedule(begun + limits.allowed(len(body)))
    except TimeoutError as error:
        raise too_slow() from error
    return bytes(body)
