"""Requests for what a list of advertisements names are refused, where the reader says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.extractors.crunch.ad_matching import ad_list
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.ad_blocking import unless_listed
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.routing import RefuseRoute, route
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin
from winnow.proxy.stores.site_choice import SiteMode

LIST = """0.0.0.0 exact.example
||ads.example^
@@||ads.example/consent^
/banner/*$image,third-party
/track.js$script,domain=news.example
"""
POLICY = Policy(lists=ad_list(LIST).names, spares=lambda _: "")
NEWS = "http://news.example/story"


def refused(
    target: str, *fields: tuple[str, str], policy: Policy = POLICY, method: str = "GET"
) -> bool:
    inside = Origin("https", "ads.example", 443) if target.startswith("/-inside") else None
    head = RequestHead(method, target, Headers(fields), inside=inside)
    found = unless_listed(head, route(head, policy), policy)
    assert not isinstance(found, RefuseRoute) or (found.status, found.reason) == (403, "ad-list")
    return isinstance(found, RefuseRoute)


@pytest.mark.parametrize(
    ("target", "dest", "referer", "expected"),
    [
        ("http://exact.example/x", "image", NEWS, True),
        ("http://exact.example/x", "", "", True),
        ("http://sub.exact.example/x", "image", NEWS, False),
        ("http://sub.ads.example/x", "script", NEWS, True),
        ("http://ads.example/consent?x", "script", NEWS, False),
        ("http://ads.example/", "document", "", True),
        ("http://news.example/story", "document", "", False),
        ("http://cdn.example/banner/1", "image", NEWS, True),
        ("http://news.example/banner/1", "image", NEWS, False),
        ("http://cdn.example/banner/1", "script", NEWS, False),
        ("http://cdn.example/banner/1", "document", NEWS, False),
        ("http://cdn.example/track.js", "script", NEWS, True),
        ("http://cdn.example/track.js", "script", "http://other.example/", False),
        ("http://cdn.example/track.js", "script", f"http://127.0.0.1:8080/{NEWS}", True),
        ("/-inside", "empty", NEWS, True),
        ("/http://ads.example/x", "image", "", True),
        ("/-/settings", "document", "", False),
    ],
)
def test_what_is_refused(target: str, dest: str, referer: str, expected: bool) -> None:
    fields = (("Sec-Fetch-Dest", dest), ("Referer", referer))
    assert refused(target, *fields) is expected


def test_tunnels_are_refused_by_the_host_alone() -> None:
    assert refused("exact.example:443", method="CONNECT")
    assert refused("x.ads.example:443", method="CONNECT")
    assert not refused("news.example:443", method="CONNECT")


def test_nothing_is_refused_without_lists_in_a_pause_or_at_a_site_never_changed() -> None:
    ad = "http://exact.example/x"
    never = replace(POLICY, rule_for=lambda _, __: SiteRule(SiteMode.NEVER))
    paused = replace(POLICY, is_paused=lambda _: True)
    assert refused(ad)
    assert not any(refused(ad, policy=policy) for policy in (Policy(), never, paused))
