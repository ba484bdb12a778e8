"""A Transform that has a browser draw pages first, where the recipe asks for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from winnow.document.values import Format, Page, Recipe, Rendered, RenderMode
from winnow.features.render.drawn_page import DrawnPage
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.proxy_errors import ProxyError, TransformError
from winnow.proxy.http.reasons import Reason

_DRAWN: Final = "rendered: a browser has run the page's scripts"
_GOES_ON: Final = "rendered: these are the first screens of a list that loads more"
_NOTE: Final = (
    '<p lang="en" dir="ltr"><small>This page loads more as one scrolls on. '
    "These are its first screens.</small></p>"
)
_ALTERNATE: Final = "page-state: the text stands in the page's {} form ({})"


async def nothing(*_: object) -> None:
    """For pages whose other forms are not looked for."""


@dataclass(frozen=True)
class RenderingTransform:
    """``draw`` returns the page at an address as its scripts write it, given the path of the list
    of advertisements; raises TransformError. ``alternate`` returns another form of a page on its
    own site, and what the page calls it, or None.

    Nothing is drawn for a browser that is going to run the scripts itself, nor for a request that
    another site's page sent.
    """

    transform: Transform
    draw: Callable[[str, str], Awaitable[DrawnPage]]
    alternate: Callable[[Page], Awaitable[tuple[Page, str] | None]] = nothing

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        if recipe.render is RenderMode.NO:
            return await self.transform(page, recipe)
        if recipe.live or REQUESTER.get().is_sent:
            return await self.transform(page, replace(recipe, render=RenderMode.NO))
        if recipe.render is RenderMode.WHEN_EMPTY or not page.url:
            try:
                return await self.transform(page, recipe)
            except TransformError as error:
                if error.reason != Reason.SCRIPT_SHELL or not page.url:
                    raise
            if found := await self._from_alternate(page, recipe):
                return found
        return await self._drawn(page.url, recipe)

    async def _from_alternate(self, page: Page, recipe: Recipe) -> Rendered | None:
        """The page by another of its forms; None where it has none, or one without a text."""
        try:
            found = await self.alternate(page)
            if found is None:
                return None
            rendered = await self.transform(found[0], recipe)
        except ProxyError:  # then the browser is asked
            return None
        if rendered.poor:
            return None
        reason = _ALTERNATE.format(found[1], found[0].url)
        return replace(rendered, reasons=(reason, *rendered.reasons), by_page_alone=False)

    async def _drawn(self, url: str, recipe: Recipe) -> Rendered:
        drawn = await self.draw(url, recipe.options.ads)
        rendered = await self.transform(drawn.page, recipe)
        if drawn.goes_on:
            rendered = _with_note(rendered, recipe)
        reasons = (_DRAWN, *rendered.reasons)
        return replace(rendered, reasons=reasons, by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own, told apart for pages that are drawn."""
        if recipe.render is RenderMode.NO:
            return await self.transform.fingerprint(recipe)
        return f"{recipe.render.value} {await self.transform.fingerprint(recipe)}"

    async def aclose(self) -> None:
        await self.transform.aclose()


def _with_note(rendered: Rendered, recipe: Recipe) -> Rendered:
    """With the reason that there is more; in a page for readers at its end too."""
    told = replace(rendered, reasons=(_GOES_ON, *rendered.reasons))
    start, main_end, rest = rendered.body.rpartition(b"</main>")
    if recipe.format is not Format.HTML or not main_end:
        return told
    return replace(told, body=start + _NOTE.encode() + main_end + rest)
