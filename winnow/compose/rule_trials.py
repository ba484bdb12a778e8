"""Tries a site's rule on a page while the proxy runs: fetched and extracted as all pages are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.document.values import Page
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError, TransformError
from winnow.proxy.upstream.fetcher import Fetcher


@dataclass(frozen=True)
class RuleTrial:
    """``extractor`` is the method where a rule names none."""

    fetcher: Fetcher
    transform: Transform
    extractor: str

    async def __call__(self, rule: FileRule, test: RuleTest, permit: Permit) -> Sequence[str]:
        """What the page says against the rule, as ``winnow config check`` words it."""
        # Needs the parser, which the process that answers starts without.
        from winnow.site_rule_tests import recipe_of, said_against, selector_faults  # noqa: PLC0415

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
