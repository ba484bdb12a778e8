"""What is decided of a request before anything is fetched."""

from __future__ import annotations

from dataclasses import replace

from tests.proxy.proxies import FakeTransform
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions.plan import PlanContext, Planner
from winnow.proxy.decisions.policy import Policy, SiteRule, as_usual
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.decisions.routing import ForwardRoute
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.origins import parse_url

HEAD = RequestHead("GET", "http://a.test/", Headers((("Accept", "text/html"),)))
PLACE = PlanContext(
    ForwardRoute(parse_url("http://a.test/")), Policy(), anywhere, SiteRule(), False, "", None
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
        replace(PLACE, asked=True),
        replace(PLACE, prefix="http://here/"),
        replace(PLACE, permit=nowhere),
    ):
        other = await planner(HEAD, setting, None)
        assert other != plan
        assert other.setting is setting
    assert (
        await planner(HEAD, replace(PLACE, asked=True), None)
    ).preferences.mode is RequestMode.ORIGINAL
    bars.step = 1
    assert (await planner(HEAD, PLACE, None)).mark != plan.mark
