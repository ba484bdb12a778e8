"""A Transform that has a browser draw pages first, where the recipe asks for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from winnow.document.values import Page, Recipe, Rendered, RenderMode
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.http.reasons import Reason

_DRAWN: Final = "rendered: a browser has run the page's scripts"


@dataclass(frozen=True)
class RenderingTransform:
    """``draw`` returns the page at an address as its scripts write it; raises TransformError.

    Nothing is drawn for a browser that is going to run the scripts itself, nor for a request that
    another site's page sent.
    """

    transform: Transform
    draw: Callable[[str], Awaitable[Page]]

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        if recipe.render is RenderMode.NO:
            return await self.transform(page, recipe)
        plain = replace(recipe, render=RenderMode.NO)
        if recipe.live or REQUESTER.get().is_sent:
            return await self.transform(page, plain)
        if recipe.render is RenderMode.WHEN_EMPTY or not page.url:
            try:
                return await self.transform(page, plain)
            except TransformError as error:
                if error.reason != Reason.SCRIPT_SHELL or not page.url:
                    raise
        return await self._drawn(page.url, plain)

    async def _drawn(self, url: str, recipe: Recipe) -> Rendered:
        rendered = await self.transform(await self.draw(url), recipe)
        reasons = (_DRAWN, *rendered.reasons)
        return replace(rendered, reasons=reasons, by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own, told apart for pages that are drawn."""
        if recipe.render is RenderMode.NO:
            return await self.transform.fingerprint(recipe)
        plain = replace(recipe, render=RenderMode.NO)
        return f"{recipe.render.value} {await self.transform.fingerprint(plain)}"

    async def aclose(self) -> None:
        await self.transform.aclose()
