"""What is decided of a request before anything is fetched, and how long that holds."""

from __future__ import annotations

import itertools
from dataclasses import replace

from proxy.headers import Headers
from proxy.plans import Plan, Planner, Setting
from proxy.routes import Forward
from proxy.upstream.connect import anywhere
from proxy.upstream.origins import parse_url
from proxy.values import Policy, RequestHead, SiteRule, as_usual
from proxy.wishes import Mode
from tests.proxy.proxies import FakeTransform

HEAD = RequestHead("GET", "http://a.test/", Headers((("Accept", "text/html"),)))
PLACE = Setting(Forward(parse_url("http://a.test/")), Policy(), anywhere, SiteRule(), False, "")


class SteppingBars:
    """Bars that are others when ``step`` is."""

    step = 0

    def variant(self, request: RequestHead) -> str:
        return str(self.step)

    def __call__(self, request: RequestHead, url: str, rendered: object, prefix: str) -> bytes:
        return b""


def planned() -> Plan:
    return Planner(FakeTransform(), SteppingBars(), as_usual)(HEAD, PLACE, None, None)


def nowhere(_address: str, _port: int) -> bool:
    return False


def test_a_plan_holds_as_long_as_all_that_it_was_made_of() -> None:
    bars, styles = SteppingBars(), itertools.cycle([b""])
    planner = Planner(FakeTransform(), bars, lambda _head, _prefix: next(styles))
    plan = planner(HEAD, PLACE, None, None)
    assert planner(HEAD, replace(PLACE), None, plan) is plan
    for setting in (
        replace(PLACE, policy=Policy(name="another")),
        replace(PLACE, rule=SiteRule(extractor="bte")),
        replace(PLACE, asked=True),
        replace(PLACE, prefix="http://here/"),
        replace(PLACE, permit=nowhere),
    ):
        again = planner(HEAD, setting, None, plan)
        assert again == planner(HEAD, setting, None, None)
        assert again.setting is setting
    assert planner(HEAD, replace(PLACE, asked=True), None, plan).wish.mode is Mode.ORIGINAL
    bars.step = 1
    worn = planner(HEAD, PLACE, None, plan)
    assert worn.mark != plan.mark
    assert planner(HEAD, PLACE, None, worn) is worn
