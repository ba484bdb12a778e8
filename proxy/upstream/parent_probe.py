"""Asks whether the directories above a page answer, where that decides how the page is shown.

Knows addresses and statuses; refuses to know for which pages it matters and what follows from it:
both are injected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import TTLCache

from winnow.document.values import Page, Recipe, Rendered
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.proxy_errors import ProxyError

MOST: Final = 4
"""Directories asked for one page, the nearest."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for all of them."""
REMEMBERED_SECONDS: Final = 3600.0
UNKNOWN: Final = 0
"""Instead of a status: nobody answered, or not soon enough."""

Asked = Callable[[Page, Recipe], Sequence[str]]
"""The addresses that matter to a page shown as a recipe says; mostly none."""
Followed = Callable[[Page, Recipe, Mapping[str, int]], Recipe]
"""The recipe, knowing the statuses of those that answered."""
Status = Callable[[str], Awaitable[int]]
"""The status of an address. Raises ProxyError."""


@dataclass
class ParentProbeTransform:
    """A Transform whose recipes know the statuses of directories above the page."""

    transform: Transform
    asked: Asked
    followed: Followed
    status: Status
    patience: float = PATIENCE
    _known: TTLCache[str, int] = field(default_factory=lambda: TTLCache(1024, REMEMBERED_SECONDS))

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        urls = self.asked(page, recipe)[:MOST]
        if not urls:
            return await self.transform(page, recipe)
        followed = self.followed(page, recipe, await self._statuses(urls))
        return replace(await self.transform(page, followed), by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own."""
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        await self.transform.aclose()

    async def _statuses(self, urls: Sequence[str]) -> dict[str, int]:
        unknown = [url for url in urls if url not in self._known]
        found = await asyncio.gather(*map(self._status, unknown))
        statuses = dict(zip(unknown, found, strict=True))
        self._known.update(statuses)
        told = {url: statuses.get(url, self._known.get(url, UNKNOWN)) for url in urls}
        return {url: status for url, status in told.items() if status != UNKNOWN}

    async def _status(self, url: str) -> int:
        try:
            async with asyncio.timeout(self.patience):
                return await self.status(url)
        except (ProxyError, TimeoutError):
            return UNKNOWN
