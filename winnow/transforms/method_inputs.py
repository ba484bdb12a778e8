"""What methods read besides a page: fields of its request, and its style sheets."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from winnow.document.values import Page, Recipe, Rendered, RenderMode
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import TransformError

_LAID_OUT: Final = "vips"
_CACHED: Final = ("Cache-Control", "only-if-cached")
"""RFC 9111, section 5.2.1.7."""


@dataclass(frozen=True)
class MethodInputsTransform:
    """A Transform before the caches: what depends on such inputs is another page, with keys and
    ETags of its own, so that no other reader gets it.

    ``identify`` tells the fields that filters of third parties declare; it raises TransformError.
    ``sheets`` returns a page's style sheets by address, fetched with further fields: for ``vips``
    alone, and of a page that no browser is to draw those in the cache.
    """

    transform: Transform
    identify: Callable[[Recipe], Awaitable[ExtractorIdentity]]
    sheets: Callable[..., Awaitable[Mapping[str, str]]]

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        whole, plain = page, _undrawn(recipe)
        method, has_parameters, _ = recipe.extractor.partition(":")
        if has_parameters and (fields := await self._fields(recipe)):
            whole = replace(page, beside=fields)
        if method == _LAID_OUT:
            whole = await self._styled(whole, is_cached=plain is recipe)
        rendered = await self.transform(whole, plain)
        return rendered if whole is page else replace(rendered, by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own, told apart by the fields."""
        own = await self.transform.fingerprint(_undrawn(recipe))
        return own if ":" not in recipe.extractor else f"{own} {await self._fields(recipe)}"

    async def aclose(self) -> None:
        await self.transform.aclose()

    async def _fields(self, recipe: Recipe) -> tuple[Field, ...]:
        try:
            names = (await self.identify(recipe)).reads_fields
        except TransformError:  # then the method fails
            return ()
        headers = REQUESTER.get().headers
        return tuple((name, headers.get(name)) for name in names)

    async def _styled(self, page: Page, *, is_cached: bool) -> Page:
        sheets = await self.sheets(page, *((_CACHED,) if is_cached else ()))
        origin = ("sheets", "from the cache" if is_cached else "fetched")
        return replace(page, sheets=tuple(sheets.items()), beside=(*page.beside, origin))


def _undrawn(recipe: Recipe) -> Recipe:
    """Whoever draws pages stands before this."""
    is_plain = recipe.render is RenderMode.NO
    return recipe if is_plain else replace(recipe, render=RenderMode.NO)
