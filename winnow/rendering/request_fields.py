"""Fields of the reader's request for filters of third parties that declare them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.rendering_key import ExtractorIdentity
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.headers import Field
from winnow.proxy.http.proxy_errors import TransformError


@dataclass(frozen=True)
class RequestFieldsTransform:
    """A Transform before the caches: what depends on such fields is another page, with keys and
    ETags of its own, so that no other reader gets it. ``identify`` raises TransformError."""

    transform: Transform
    identify: Callable[[Recipe], Awaitable[ExtractorIdentity]]

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        if ":" not in recipe.extractor or not (fields := await self._fields(recipe)):
            return await self.transform(page, recipe)
        rendered = await self.transform(replace(page, beside=fields), recipe)
        return replace(rendered, by_page_alone=False)

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own, told apart by the fields."""
        own = await self.transform.fingerprint(recipe)
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
