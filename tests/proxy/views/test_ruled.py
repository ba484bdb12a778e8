"""The page of rules: what is not tried in time is said, and never waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from config.rules import FileRule, RuleTest
from proxy.access.tokens import Tokens
from proxy.upstream.connect import Permit, anywhere
from proxy.values import Policy
from proxy.views import ruled
from proxy.views.ruled import RulesPage

RULE = FileRule("a.example", tests=(RuleTest("http://a.example/", has=("words",)),))


async def test_a_page_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = asyncio.Event()

    async def never(_: FileRule, __: RuleTest, ___: Permit) -> Sequence[str]:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ()

    monkeypatch.setattr(ruled, "PATIENCE", 0)
    page = RulesPage(None, (RULE,), never, Policy, Tokens())
    ((_, faults),) = (await page.found(anywhere)).items()
    assert "not tried in time" in faults[0]
    assert ended.is_set()
