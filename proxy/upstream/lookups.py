"""Names looked up by the system, in threads of their own: slow ones delay nobody else.

The event loop's own threads, six on two cores, would be taken by as many names that nobody answers.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from winnow.proxy.access.request_head import REQUESTER, log_failure
from winnow.proxy.http.proxy_errors import OriginTimeoutError, OriginUnreachableError

AddressInfo = tuple[int, int, int, str, Any]
LOOKUPS: Final = 64
"""Names that are looked up at the same time."""
LOOKUPS_EACH: Final = 32
"""Of these, those of one client: as many as a browser has connections to a proxy."""


def system_lookup(host: str, port: int) -> list[AddressInfo]:
    """The system's addresses of a name. Raises OSError or UnicodeError; may block for long."""
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


class Lookups:
    """Equal names that are asked for at the same time are looked up once."""

    def __init__(self, lookup: Callable[[str, int], list[AddressInfo]] = system_lookup) -> None:
        self._lookup = lookup
        self._threads = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="winnow-dns")
        self._under_way: dict[tuple[str, int], asyncio.Task[list[AddressInfo]]] = {}
        self._held: Counter[str] = Counter()

    async def __call__(self, host: str, port: int) -> list[AddressInfo]:
        """Raises OriginUnreachableError, and OriginTimeoutError beyond a client's share."""
        task = self._under_way.get((host, port)) or self._begin(host, port, REQUESTER.get().client)
        return await asyncio.shield(task)

    def _begin(self, host: str, port: int, client: str) -> asyncio.Task[list[AddressInfo]]:
        if self._held[client] >= LOOKUPS_EACH:
            raise OriginTimeoutError("Too many names are being looked up for you already.")
        self._held[client] += 1

        def ended(task: asyncio.Task[list[AddressInfo]]) -> None:
            del self._under_way[host, port]
            self._held[client] -= 1
            if not self._held[client]:
                del self._held[client]
            log_failure(task)

        task = self._under_way[host, port] = asyncio.create_task(self._found(host, port))
        task.add_done_callback(ended)
        return task

    async def _found(self, host: str, port: int) -> list[AddressInfo]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._lookup, host, port)
        except (OSError, UnicodeError) as error:
            raise OriginUnreachableError(f"The name {host} could not be resolved.") from error
