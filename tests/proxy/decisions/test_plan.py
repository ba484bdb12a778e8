"""What is decided of a request before anything is fetched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.proxies import FakeTransform
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.plan import Planner, RequestPlan
from winnow.proxy.decisions.policy import BarLook, Policy, SiteRule, as_usual
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.decisions.request.routing import ForwardRoute
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import anywhere
from winnow.proxy.http.reasons import Reason
from winnow.proxy.http.request_target import parse_url

HEAD = RequestHead("GET", "http://a.test/", Headers((("Accept", "text/html"),)))
FORWARD = ForwardRoute(parse_url("http://a.test/"))
POLICY = Policy()


class SteppingBars:
    """Bars that are others when ``step`` is."""

    step = 0

    def variant(self, request: RequestHead) -> str:
        return str(self.step)

    def __call__(
        self, request: RequestHead, url: str, rendered: object, prefix: str, *, look: BarLook
    ) -> bytes:
        return b""


async def test_a_plan_follows_from_the_request_and_what_is_in_force() -> None:
    bars = SteppingBars()
    planner = Planner(FakeTransform(), bars, as_usual)

    async def planned(policy: Policy = POLICY, prefix: str = "") -> RequestPlan:
        return await planner(HEAD, FORWARD, policy, prefix)

    plan = await planned()
    assert await planned(replace(POLICY)) == plan
    requested = replace(POLICY, view_of=lambda _owner, _url: RequestMode.ORIGINAL)
    for policy in (
        Policy(name="another"),
        replace(POLICY, rule_for=lambda _origin, _owner: SiteRule(extractor="bte")),
        requested,
    ):
        assert await planned(policy) != plan
    assert (await planned(prefix="http://here/")).recipe.link_prefix == "http://here/"
    assert (await planned(requested)).preferences.mode is RequestMode.ORIGINAL
    bars.step = 1
    assert (await planned()).mark != plan.mark


async def test_the_origin_gets_the_request_with_the_permit_of_its_client() -> None:
    plan = await Planner(FakeTransform(), SteppingBars(), as_usual)(HEAD, FORWARD, POLICY)
    request = plan.request_to(FORWARD.target, anywhere, None)
    assert (request.target, request.permit, request.body) == (FORWARD.target, anywhere, None)


ORIGINAL, EXTRACT = RequestMode.ORIGINAL, RequestMode.EXTRACT


@pytest.mark.parametrize(
    ("view", "not_navigation", "requested", "mode", "by_reader"),
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
    requested: RequestMode | None,
    mode: RequestMode,
    by_reader: bool,
) -> None:
    """What a request asks for itself, by a field, goes first."""
    fields = (("Winnow-Mode", requested.value),) if requested else ()
    if not_navigation:
        fields = (*fields, ("Sec-Fetch-Dest", "empty"))
    head = replace(HEAD, headers=HEAD.headers.plus(*fields))
    policy = replace(POLICY, view_of=lambda _owner, _url: view)
    plan = await Planner(FakeTransform(), SteppingBars(), as_usual)(head, FORWARD, policy)
    assert plan.not_navigation is not_navigation
    assert (plan.preferences.mode, plan.by_reader) == (mode, by_reader)


async def test_an_original_that_a_person_requested_for_is_fetched_whole() -> None:
    """A 304 would keep a page on screen that has no line."""
    head = replace(HEAD, headers=HEAD.headers.plus(("If-None-Match", '"theirs"')))
    planner = Planner(FakeTransform(), SteppingBars(), as_usual)
    clicked = replace(POLICY, view_of=lambda _owner, _url: ORIGINAL)
    plan = await planner(head, FORWARD, clicked)
    assert plan.has_notice
    assert "if-none-match" not in plan.request_to(FORWARD.target, anywhere, None).headers
    program = replace(head, headers=head.headers.plus(("Winnow-Mode", "original")))
    requested = await planner(program, FORWARD, POLICY)
    assert not requested.has_notice
    assert "if-none-match" in requested.request_to(FORWARD.target, anywhere, None).headers
