"""What is decided for a site, tried on a page while the proxy runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.document.values import Format, Page, Recipe
from winnow.features.site.rule_trial import RuleTried
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.decisions.request.preferences import is_extractor
from winnow.proxy.decisions.site_rules import holds_at
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError, TransformError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.time_limits import results_within

MOST_SELECTORS: Final = 20
"""Selectors of a rule that are tried one by one."""
PATIENCE: Final = 45.0
"""Seconds for all tests; later ones count as timed out."""
TryRule = Callable[[FileRule, str, Permit], Awaitable[RuleTried]]
"""What a rule does to the page of an address. Raises ProxyError."""
TestRule = Callable[[FileRule, RuleTest, Permit], Awaitable[Sequence[str]]]
"""The failures of one test, in words. Raises nothing."""


@dataclass(frozen=True)
class RuleTrial:
    """``extractor`` is the method where a rule names none."""

    fetcher: Fetcher
    transform: Transform
    extractor: str

    async def __call__(self, rule: FileRule, test: RuleTest, permit: Permit) -> Sequence[str]:
        """The rule's failures on the page, as ``winnow config check`` words them."""
        # Needs the parser, which the server process starts without.
        from winnow.site_rule_tests import failures_of, recipe_of, selector_faults  # noqa: PLC0415

        if wrong := tuple(selector_faults(rule)):
            return wrong
        try:
            page = await self._page(test, permit)
            shown = await self.transform(page, recipe_of(rule, self.extractor))
        except (ProxyError, TransformError, OSError) as error:
            return (f"cannot be tried: {error}",)
        return failures_of(test, shown.body.decode("utf-8"))

    async def tried(self, rule: FileRule, url: str, permit: Permit) -> RuleTried:
        """The article of a page with the rule and without it. Raises ProxyError."""
        from winnow.site_rule_tests import recipe_of  # noqa: PLC0415 - as above

        page = await self.fetcher.page(url, permit)
        bare = recipe_of(FileRule(rule.site), self.extractor)
        before = await self._text(page, bare)
        after = await self._text(page, recipe_of(rule, self.extractor))
        idle = await self._idle(page, (*rule.keep, *rule.drop))
        fits = holds_at(rule.site, parse_url(page.url or url).origin)
        return RuleTried(page.url or url, before, after, idle, rule.mode, fits)

    async def _text(self, page: Page, recipe: Recipe) -> str:
        return (await self.transform(page, recipe)).body.decode("utf-8")

    async def _idle(self, page: Page, selectors: Sequence[str]) -> tuple[str, ...]:
        """Those that select no text: the whole page is the same without what they select."""
        some = selectors[:MOST_SELECTORS]
        if not some:
            return ()
        whole = Recipe("plain", Format.TEXT)
        text = await self._text(page, whole)
        rest = [await self._text(page, replace(whole, drop=(each,))) for each in some]
        return tuple(each for each, left in zip(some, rest, strict=True) if left == text)

    async def _page(self, test: RuleTest, permit: Permit) -> Page:
        if test.file is None:
            return await self.fetcher.page(test.url, permit)
        return Page(await asyncio.to_thread(test.file.read_bytes), test.url)


async def all_tested(
    tested: TestRule, rule: FileRule, tests: Iterable[RuleTest], permit: Permit
) -> Mapping[RuleTest, Sequence[str]]:
    """The failures of each test, within ``PATIENCE``."""
    places = asyncio.Semaphore(2)

    async def one(test: RuleTest) -> Sequence[str]:
        async with places:
            return await tested(rule, test, permit)

    found = await results_within({test: one(test) for test in tests}, PATIENCE)
    return {test: found.get(test, ("timed out",)) for test in tests}


def rule_faults(rule: FileRule) -> Sequence[str]:
    """What is wrong with a rule's method and selectors. Blocks."""
    from winnow.site_rule_tests import part_faults  # noqa: PLC0415 - needs the parser

    if rule.extractor and not is_extractor(rule.extractor):
        return ("extractor: too many changes of a level",)
    return tuple(part_faults(rule))
