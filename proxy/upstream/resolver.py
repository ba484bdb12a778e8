"""Addresses of names, cached; those that could not be resolved for a short time too."""

from __future__ import annotations

from cachetools import TTLCache

from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.lookups import AddressInfo, Lookups

CACHED_NAMES = 1024
FAILED_SECONDS = 5.0
"""A name that could not be resolved is not looked up again for so long (RFC 9520, section 3.2)."""


class Resolver:
    """Addresses of names, cached for ``seconds``, in the order that the system gives."""

    def __init__(
        self, seconds: float = 60, size: int = CACHED_NAMES, lookups: Lookups | None = None
    ) -> None:
        self._lookups = lookups or Lookups()
        self._cache: TTLCache[tuple[str, int], list[AddressInfo]] = TTLCache(size, seconds)
        self._failed: TTLCache[str, OriginUnreachableError] = TTLCache(size, FAILED_SECONDS)

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        """Raises as ``Lookups`` does."""
        found = self._cache.get((host, port))
        if found is None:
            found = self._cache[host, port] = await self._looked_up(host, port)
        return found

    async def _looked_up(self, host: str, port: int) -> list[AddressInfo]:
        if failure := self._failed.get(host):
            raise OriginUnreachableError(str(failure))
        try:
            return await self._lookups(host, port)
        except OriginUnreachableError as error:
            self._failed[host] = error
            raise
