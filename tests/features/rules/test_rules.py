"""The page of rules: what is timed out is said, and never waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.features.rules import rules
from winnow.features.rules.rules import RulesPage
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Permit, anywhere

RULE = FileRule("a.example", tests=(RuleTest("http://a.example/", has=("words",)),))


async def test_a_page_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = asyncio.Event()

    async def never(_: FileRule, __: RuleTest, ___: Permit) -> Sequence[str]:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ()

    monkeypatch.setattr(rules, "PATIENCE", 0)
    page = RulesPage(None, (RULE,), never, Policy, FormTokens())
    ((_, faults),) = (await page.found(anywhere)).items()
    assert "timed out" in faults[0]
    assert ended.is_set()
