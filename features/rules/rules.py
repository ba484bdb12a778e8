"""``/-/settings/rules``: the site rules in force, and a button that runs their tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markupsafe import Markup

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.features.site.site_words import points_of, test_words
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.site_rules import choice_of
from winnow.proxy.http.messages import Permit
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, shown
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.upstream.time_limits import results_within

AT_ONCE: Final = 2
PATIENCE: Final = 45.0
"""Seconds for all tests; later ones count as timed out."""
_PURPOSE: Final = "try the rules"
_UNTRIED: Final = ("timed out: run `winnow config check`, which has no time limit.",)
_STYLE: Final = STYLE + Markup("\n.bad { font-weight: 600; text-decoration: underline; }\n")
_TEMPLATE: Final = page_template(__package__, "rules.html")

Case = tuple[FileRule, RuleTest]
Trial = Callable[[FileRule, RuleTest, Permit], Awaitable[Sequence[str]]]
"""The failures of one test, in words. Raises nothing."""
Found = Mapping[Case, Sequence[str]]


@dataclass(frozen=True)
class RulesPage:
    """``rules`` are those in force, of ``file`` (None: no file is set).

    ``may_change``: whether a request is of who may change them, here.
    """

    file: Path | None
    rules: tuple[FileRule, ...]
    trial: Trial
    policy: Callable[[], Policy]
    tokens: FormTokens
    may_change: Callable[[RequestHead], bool] = lambda _head: False

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._tried)

    def _page(self, request: OwnRequest) -> HtmlPage:
        return self._sheet(request, {})

    async def _tried(self, request: OwnRequest, _: Mapping[str, str]) -> OwnResponse:
        permit = request.permit
        return shown(self._sheet(request, await self.found(permit)))

    async def found(self, permit: Permit) -> Found:
        """Failures by test, within ``PATIENCE``; ``AT_ONCE`` run in parallel."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one(case: Case) -> Sequence[str]:
            async with places:
                return await self.trial(*case, permit)

        cases = self._cases()
        results = await results_within({case: one(case) for case in cases}, PATIENCE)
        return {case: results.get(case, _UNTRIED) for case in cases}

    def _cases(self) -> list[Case]:
        return [(rule, test) for rule in self.rules for test in rule.tests]

    def _sheet(self, request: OwnRequest, found: Found) -> HtmlPage:
        return page_of(
            _TEMPLATE,
            style=_STYLE,
            saved=request.query.get("saved", ""),
            file=self.file,
            rules=self.rules,
            has_tests=bool(self._cases()),
            found=found,
            passed=sum(not faults for faults in found.values()),
            may_change=self.may_change(request.head),
            forms=OwnForms(self.tokens, request.head.owner, RULES, _PURPOSE),
            points_of=lambda rule: points_of(choice_of(rule)),
            words_of=test_words,
        )
