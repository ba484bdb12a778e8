"""What the other proxy may store: pages planned as for a nobody, for as long as origins let it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from winnow.features.icap.shared_pages import SharedPages, seconds_stored
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.plan import RequestPlan
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead

NOTHING: Any = None
ANN = RequestHead(
    "GET", "http://a.example/", Headers((("Cookie", "a=b"),)), "192.0.2.7", user="ann"
)
USUAL = RequestPlan(ANN, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, may_be_page=True, mark="m")


@pytest.mark.parametrize(
    ("plan", "mark"),
    [
        (USUAL, "settings-m"),
        (replace(USUAL, may_be_page=False), ""),
        (replace(USUAL, by_reader=True), ""),
        (replace(USUAL, style=b"large"), ""),
    ],
)
async def test_only_a_page_planned_as_for_a_nobody_has_a_mark(plan: RequestPlan, mark: str) -> None:
    async def planner(head: RequestHead, *_: object) -> RequestPlan:
        assert (head.user, head.client, head.headers.fields) == ("", "", ())
        return replace(USUAL, head=head)

    forward = SimpleNamespace(planner=planner)
    app: Any = SimpleNamespace(own=SimpleNamespace(forward=forward), language=lambda _: "en")
    assert await SharedPages("settings of now").mark(app, plan) == mark


@pytest.mark.parametrize(
    ("action", "seconds", "is_stored"),
    [
        ("extracted", 60, True),
        ("tidied", 60, True),
        ("original", 60, False),
        ("extracted", -1, False),
    ],
)
async def test_what_may_be_stored_is_known_until_it_is_stale(
    action: str, seconds: int, is_stored: bool
) -> None:
    async def planner(head: RequestHead, *_: object) -> RequestPlan:
        return replace(plan, head=head)

    forward = SimpleNamespace(planner=planner)
    app: Any = SimpleNamespace(own=SimpleNamespace(forward=forward), language=lambda _: "en")
    there: Any = SimpleNamespace(target=SimpleNamespace(url="http://a.example/"))
    plan, pages = replace(USUAL, forward=there), SharedPages("settings of now")
    fields = Headers((("Winnow-Action", action),))
    shown: Any = SimpleNamespace(response_headers=fields, purpose="", words=9, page="", head=ANN)
    shown.record = lambda *_: None
    assert not await pages.asked(app, shown, plan), "nothing is known of it yet"
    pages.learn(plan, "settings-m", shown, seconds)
    assert await pages.asked(app, shown, plan) == ("settings-m" if is_stored else "")


@pytest.mark.parametrize(
    ("field", "seconds"),
    [
        (("Cache-Control", "max-age=60"), 60),
        (("Cache-Control", "max-age=60, s-maxage=5"), 5),
        (("Cache-Control", "max-age=60, no-cache"), 0),
        (("Cache-Control", "private, max-age=60"), 0),
        (("Set-Cookie", "a=b"), 0),
    ],
)
def test_a_page_is_stored_for_as_long_as_its_origin_says(
    field: tuple[str, str], seconds: int
) -> None:
    html = ("Content-Type", "text/html")
    assert seconds_stored(Headers(), ResponseHead(200, "OK", Headers((html, field)))) == seconds
