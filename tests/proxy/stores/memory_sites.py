"""A SiteStore in memory, for tests of what uses one."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping

from winnow.proxy.stores.site_store import (
    KEY_SIZE,
    Merge,
    SiteNews,
    SiteStoreBounds,
    joined,
)


class MemorySites:
    """A ``SiteStore`` in memory."""

    def __init__(self, merge: Merge, bounds: SiteStoreBounds | None = None) -> None:
        self._merge, self._bounds = merge, bounds or SiteStoreBounds()
        self._secret = secrets.token_bytes(KEY_SIZE)
        self._memories: dict[str, tuple[bytes, int]] = {}
        self._changes = 0

    async def secret(self) -> bytes:
        return self._secret

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        for site, lesson in lessons.items():
            before, _ = self._memories.pop(site, (b"", 0))
            self._changes += 1
            self._memories[site] = joined(self._merge, before, lesson), self._changes
        for site in list(self._memories)[: -self._bounds.sites]:
            del self._memories[site]

    async def stamps(self) -> Mapping[str, int]:
        return {site: stamp for site, (_, stamp) in self._memories.items()}

    async def news(self, since: int) -> SiteNews:
        stamps = await self.stamps()
        late = {site: stamp for site, stamp in stamps.items() if stamp >= since}
        return SiteNews(late, len(stamps))

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        return {site: self._memories[site][0] for site in sites if site in self._memories}

    async def forget(self, sites: Collection[str]) -> None:
        for site in sites:
            self._memories.pop(site, None)

    async def aclose(self) -> None:
        """Nothing is held."""
