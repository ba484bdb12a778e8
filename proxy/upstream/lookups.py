"""Host names resolved by the system, in threads of their own.

The event loop's few threads would be blocked by names whose servers do not answer.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from winnow.proxy.access.requester import REQUESTER, log_failure
from winnow.proxy.http.proxy_errors import OriginTimeoutError, OriginUnreachableError
from winnow.proxy.http.sentences import says

AddressInfo = tuple[int, int, int, str, Any]
LOOKUPS: Final = 64
"""Lookups at the same time."""
LOOKUPS_PER_CLIENT: Final = 32
"""Of these, one client's: as many as a browser has connections to a proxy."""


def system_lookup(host: str, port: int) -> list[AddressInfo]:
    """The system's addresses of a name. Raises OSError or UnicodeError; may block for long."""
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


class Lookups:
    """Concurrent lookups of one name share one thread."""

    def __init__(self, lookup: Callable[[str, int], list[AddressInfo]] = system_lookup) -> None:
        self._lookup = lookup
        self._threads = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="winnow-dns")
        self._tasks: dict[tuple[str, int], asyncio.Task[list[AddressInfo]]] = {}
        self._per_client: Counter[str] = Counter()

    async def __call__(self, host: str, port: int) -> list[AddressInfo]:
        """Raises OriginUnreachableError, and OriginTimeoutError above LOOKUPS_PER_CLIENT."""
        task = self._tasks.get((host, port)) or self._start(host, port, REQUESTER.get().client)
        return await asyncio.shield(task)

    def _start(self, host: str, port: int, client: str) -> asyncio.Task[list[AddressInfo]]:
        if self._per_client[client] >= LOOKUPS_PER_CLIENT:
            raise OriginTimeoutError(says("Too many names are being looked up for you already."))
        self._per_client[client] += 1

        def ended(task: asyncio.Task[list[AddressInfo]]) -> None:
            del self._tasks[host, port]
            self._per_client[client] -= 1
            if not self._per_client[client]:
                del self._per_client[client]
            log_failure(task)

        task = self._tasks[host, port] = asyncio.create_task(self._resolve(host, port))
        task.add_done_callback(ended)
        return task

    async def _resolve(self, host: str, port: int) -> list[AddressInfo]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._lookup, host, port)
        except (OSError, UnicodeError) as error:
            raise OriginUnreachableError(
                says("The name {host} could not be resolved.", host=host)
            ) from error
