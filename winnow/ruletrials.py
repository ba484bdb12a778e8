"""Tries a site's rule on a page while the proxy runs: fetched and extracted as all pages are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from config.rules import FileRule, RuleTest
from document.values import Page
from proxy.errors import ProxyError, TransformError
from proxy.fetching import Fetcher
from proxy.upstream.connect import Permit
from proxy.values import Transform


@dataclass(frozen=True)
class RuleTrial:
    """``extractor`` is the method where a rule names none."""

    fetcher: Fetcher
    transform: Transform
    extractor: str

    async def __call__(self, rule: FileRule, test: RuleTest, permit: Permit) -> Sequence[str]:
        """What the page says against the rule, as ``winnow config check`` words it."""
        # Needs the parser, which the process that answers starts without.
        from winnow.sitetests import recipe_of, said_against, selector_faults  # noqa: PLC0415

        if wrong := tuple(selector_faults(rule)):
            return wrong
        try:
            page = await self._page(test, permit)
            shown = await self.transform(page, recipe_of(rule, self.extractor))
        except (ProxyError, TransformError, OSError) as error:
            return (f"cannot be tried: {error}",)
        return said_against(test, shown.body.decode("utf-8"))

    async def _page(self, test: RuleTest, permit: Permit) -> Page:
        if test.file is None:
            return await self.fetcher.page(test.url, permit)
        return Page(await asyncio.to_thread(test.file.read_bytes), test.url)
