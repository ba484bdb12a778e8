"""What is decided of a request before anything is fetched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.proxies import FakeTransform
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions.plan import PlanContext, Planner
from winnow.proxy.decisions.policy import Policy, SiteRule, as_usual
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.decisions.routing import ForwardRoute
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.origins import parse_url
from winnow.proxy.http.reasons import Reason

HEAD = RequestHead("GET", "http://a.test/", Headers((("Accept", "text/html"),)))
PLACE = PlanContext(
    ForwardRoute(parse_url("http://a.test/")),
    Policy(),
    anywhere,
    SiteRule(),
    RequestMode.AUTO,
    "",
    None,
)


class SteppingBars:
    """Bars that are others when ``step`` is."""

    step = 0

    def variant(self, request: RequestHead) -> str:
        return str(self.step)

    def __call__(self, request: RequestHead, url: str, rendered: object, prefix: str) -> bytes:
        return b""


def nowhere(_address: str, _port: int) -> bool:
    return False


async def test_a_plan_follows_from_the_request_and_its_setting() -> None:
    bars = SteppingBars()
    planner = Planner(FakeTransform(), bars, as_usual)
    plan = await planner(HEAD, PLACE, None)
    assert await planner(HEAD, replace(PLACE), None) == plan
    for setting in (
        replace(PLACE, policy=Policy(name="another")),
        replace(PLACE, rule=SiteRule(extractor="bte")),
        replace(PLACE, view=RequestMode.ORIGINAL),
        replace(PLACE, prefix="http://here/"),
        replace(PLACE, permit=nowhere),
    ):
        other = await planner(HEAD, setting, None)
        assert other != plan
        assert other.setting is setting
    bars.step = 1
    assert (await planner(HEAD, PLACE, None)).mark != plan.mark


ORIGINAL, EXTRACT = RequestMode.ORIGINAL, RequestMode.EXTRACT


@pytest.mark.parametrize(
    ("view", "not_navigation", "asked", "mode", "by_reader"),
    [
        (ORIGINAL, None, None, ORIGINAL, True),
        (EXTRACT, None, None, EXTRACT, True),
        (EXTRACT, Reason.SUB_RESOURCE, None, RequestMode.AUTO, False),
        (RequestMode.AUTO, None, None, RequestMode.AUTO, False),
        (ORIGINAL, None, EXTRACT, EXTRACT, False),
    ],
)
async def test_a_view_holds_where_a_person_opens_the_page_and_says_no_more(
    view: RequestMode,
    not_navigation: Reason | None,
    asked: RequestMode | None,
    mode: RequestMode,
    by_reader: bool,
) -> None:
    """What a request asks for itself, by a field, goes first."""
    setting = replace(PLACE, view=view, not_navigation=not_navigation)
    fields = (("Winnow-Mode", asked.value),) if asked else ()
    head = replace(HEAD, headers=HEAD.headers.plus(*fields))
    plan = await Planner(FakeTransform(), SteppingBars(), as_usual)(head, setting, None)
    assert (plan.preferences.mode, plan.by_reader) == (mode, by_reader)


async def test_an_original_that_a_person_asked_for_is_fetched_whole() -> None:
    """A 304 would keep a page on screen that has no line."""
    head = replace(HEAD, headers=HEAD.headers.plus(("If-None-Match", '"theirs"')))
    planner = Planner(FakeTransform(), SteppingBars(), as_usual)
    plan = await planner(head, replace(PLACE, view=ORIGINAL), None)
    assert plan.has_notice
    assert "if-none-match" not in plan.order.headers
    program = replace(head, headers=head.headers.plus(("Winnow-Mode", "original")))
    asked = await planner(program, PLACE, None)
    assert not asked.has_notice
    assert "if-none-match" in asked.order.headers
