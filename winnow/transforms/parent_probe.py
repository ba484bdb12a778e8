"""The status of the directories above a page, where Crunch finds its level by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import TTLCache

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.job_types import PipelineError
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.fetcher import Fetcher

MOST: Final = 4
"""Directories requested for one page, the nearest."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for all of them."""
UNKNOWN: Final = 0
"""Instead of a status: no response, or not within PATIENCE."""
CACHED_SECONDS: Final = 3600.0


def directories_of(page: Page, recipe: Recipe) -> Sequence[str]:
    """The directories above what may be a front page, where Crunch finds the level itself."""
    if not recipe.extractor.startswith("crunch:"):
        return ()
    # Imported where Crunch is requested: the server process starts without parsers.
    from winnow.engine.named_extractor import extractor_of  # noqa: PLC0415
    from winnow.extractors.crunch.crunch_extractor import AUTO, Crunch  # noqa: PLC0415
    from winnow.extractors.crunch.site_genre import is_front, parents_of  # noqa: PLC0415

    if not is_front(page.url or ""):
        return ()
    try:
        extractor = extractor_of(recipe)
    except PipelineError:
        return ()
    if not isinstance(extractor, Crunch) or extractor.preset != AUTO or extractor.inner:
        return ()
    own = (page.url or "").rstrip("/")
    return [url for url in parents_of(page.url or "") if url.rstrip("/") != own]


def with_statuses(page: Page, recipe: Recipe, statuses: Mapping[str, int]) -> Recipe:
    """The recipe, for an inner page where the statuses show that it is no front page."""
    from winnow.extractors.crunch.site_genre import is_front  # noqa: PLC0415

    if is_front(page.url or "", statuses):
        return recipe
    return replace(recipe, options=replace(recipe.options, inner=True))


@dataclass
class ParentProbeTransform:
    """A Transform that first requests the status of the directories above a page."""

    transform: Transform
    status: Callable[[str], Awaitable[int]]
    """The status of an address. Raises ProxyError."""
    directories: Callable[[Page, Recipe], Sequence[str]] = directories_of
    with_statuses: Callable[[Page, Recipe, Mapping[str, int]], Recipe] = with_statuses
    patience: float = PATIENCE
    _cache: TTLCache[str, int] = field(default_factory=lambda: TTLCache(1024, CACHED_SECONDS))

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        urls = self.directories(page, recipe)[:MOST]
        if not urls:
            return await self.transform(page, recipe)
        changed = self.with_statuses(page, recipe, await self._statuses(urls))
        return replace(await self.transform(page, changed), by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own."""
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        await self.transform.aclose()

    async def _statuses(self, urls: Sequence[str]) -> dict[str, int]:
        missing = [url for url in urls if url not in self._cache]
        found = dict(zip(missing, await asyncio.gather(*map(self._status, missing)), strict=True))
        self._cache.update(found)
        statuses = {url: found.get(url, self._cache.get(url, UNKNOWN)) for url in urls}
        return {url: status for url, status in statuses.items() if status != UNKNOWN}

    async def _status(self, url: str) -> int:
        try:
            async with asyncio.timeout(self.patience):
                return await self.status(url)
        except (ProxyError, TimeoutError):
            return UNKNOWN


def with_parent_probe(transform: Transform, sender: Sender) -> ParentProbeTransform:
    """The transform with a probe of public addresses only: any page may name a private host."""
    fetcher = Fetcher(sender, Policy)
    return ParentProbeTransform(transform, lambda url: fetcher.status(url, public_only))
