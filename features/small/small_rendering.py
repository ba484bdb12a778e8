"""Pages that scripts write, drawn for a small screen: some minutes of them are in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache

from winnow.document.values import Page, Recipe, RenderMode
from winnow.proxy.access.requester import REQUESTER

_BYTES: Final = 16 * 1024 * 1024
_SECONDS: Final = 600.0

Draw = Callable[[str, str], Awaitable[Page]]
"""The page at an address as its scripts write it, given the path of the list of advertisements;
raises TransformError."""


def _drawn_pages() -> TTLCache[tuple[str, str], Page]:
    return TTLCache(_BYTES, _SECONDS, getsizeof=lambda page: len(page.body))


@dataclass(frozen=True)
class DrawnPages:
    """By reader and address, so that the further parts of a page are not drawn again."""

    draw: Draw
    _pages: TTLCache[tuple[str, str], Page] = field(default_factory=_drawn_pages)

    def drawn(self, owner: str, url: str) -> Page | None:
        """The page if it was drawn for this reader of late."""
        return self._pages.get((owner, url))

    async def wanted(self, owner: str, url: str, recipe: Recipe) -> Page | None:
        """The page drawn if it was, or if the settings say so; never for another site's page."""
        found = self.drawn(owner, url)
        if found is None and recipe.render is not RenderMode.NO and not REQUESTER.get().is_sent:
            found = await self.now(owner, url, recipe)
        return found

    async def now(self, owner: str, url: str, recipe: Recipe) -> Page:
        """Draw a page. Raises TransformError."""
        page = await self.draw(url, recipe.options.ads)
        if len(page.body) <= _BYTES:
            self._pages[owner, url] = page
        return page
