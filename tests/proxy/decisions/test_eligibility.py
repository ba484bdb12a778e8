"""What is a page: the table, one row changed at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from winnow.document.values import (
    Format,
    MethodOptions,
    Purpose,
    Recipe,
    Treatment,
    Treatments,
    treated,
)
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.eligibility import (
    EligibilityInput,
    Extract,
    Stream,
    Verdict,
    may_be_page,
    navigation,
    original_by_choice,
    verdict,
)
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.preferences import Preferences, from_headers
from winnow.proxy.decisions.request.recipe_choice import recipe_for
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.stores.site_choice import SiteMode

FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PAGE = ResponseHead(200, "OK", Headers((("Content-Type", "text/html; charset=utf-8"),)))
POLICY = Policy(largest_body=1000)


def request(*fields: Field, method: str = "GET", accept: str | None = FIREFOX) -> RequestHead:
    accepting = (("Accept", accept),) if accept is not None else ()
    return RequestHead(method, "http://a.example/", Headers(accepting + fields))


def reply(*fields: Field, status: int = 200) -> ResponseHead:
    return replace(PAGE, status=status, headers=PAGE.headers.replaced(*fields))


def judged(head: RequestHead, answer: ResponseHead = PAGE, policy: Policy = POLICY) -> Verdict:
    preferences = from_headers(head.headers, policy.recipe)
    rule = policy.rule_at("http://a.example/", "")
    recipe, opened = recipe_for(preferences, rule, policy), navigation(head.headers)
    return verdict(EligibilityInput(head, answer, preferences, rule, policy, opened, recipe))


def test_a_page_that_a_person_opens_is_extracted() -> None:
    assert judged(request()) == Extract(Recipe(), Reason.PAGE)


REPLIES: list[tuple[ResponseHead, Reason]] = [
    (reply(("Content-Type", "image/png")), Reason.NOT_HTML),
    (reply(("Content-Type", "")), Reason.NOT_HTML),
    (reply(("Content-Type", "application/json")), Reason.NOT_HTML),
    (reply(status=404), Reason.STATUS),
    (reply(status=203), Reason.STATUS),
    (reply(status=304), Reason.STATUS),
    (reply(status=206), Reason.PARTIAL),
    (reply(("Content-Range", "bytes 0-1/2")), Reason.PARTIAL),
    (reply(("Cache-Control", "private, No-Transform")), Reason.NO_TRANSFORM),
    (reply(("Content-Disposition", "attachment; filename=a.html")), Reason.DOWNLOAD),
    (reply(("Content-Encoding", "sdch")), Reason.CODING),
    (reply(("Content-Encoding", "gzip, exi")), Reason.CODING),
    (reply(("Content-Length", "0")), Reason.EMPTY),
    (reply(("Content-Length", "1001")), Reason.TOO_LARGE),
]


@pytest.mark.parametrize(("answer", "reason"), REPLIES)
def test_a_reply_that_may_not_be_transformed_streams(answer: ResponseHead, reason: Reason) -> None:
    assert judged(request(), answer) == Stream(reason)


@pytest.mark.parametrize(
    "field",
    [
        ("Content-Type", "TEXT/HTML"),
        ("Content-Type", "application/xhtml+xml"),
        ("Content-Encoding", "gzip"),
        ("Content-Encoding", "identity, BR"),
        ("Content-Disposition", "inline; filename=a.html"),
        ("Content-Length", "1000"),
        ("Cache-Control", "no-store"),
    ],
)
def test_a_reply_that_may_be_transformed_is(field: Field) -> None:
    assert isinstance(judged(request(), reply(field)), Extract)


REQUESTS: list[tuple[RequestHead, Reason]] = [
    (request(method="POST"), Reason.METHOD),
    (request(("Range", "bytes=0-")), Reason.PARTIAL),
    (request(("Cache-Control", "no-transform")), Reason.NO_TRANSFORM),
    (request(("Sec-Fetch-Dest", "iframe")), Reason.SUB_RESOURCE),
    (request(("Sec-Fetch-Dest", "empty"), ("Sec-Fetch-Mode", "cors")), Reason.SUB_RESOURCE),
    (request(("Sec-Fetch-Mode", "no-cors")), Reason.SUB_RESOURCE),
    (request(("X-Requested-With", "XMLHttpRequest")), Reason.NOT_NAVIGATION),
    (request(("HX-Request", "true")), Reason.NOT_NAVIGATION),
    (request(("Referer", "http://a.example/"), accept="*/*"), Reason.NOT_NAVIGATION),
    (request(("Origin", "http://a.example"), accept="*/*"), Reason.NOT_NAVIGATION),
    (request(("Cookie", "a=b"), accept="*/*"), Reason.NOT_NAVIGATION),
    (request(("Cookie", "a=b"), accept=None), Reason.NOT_NAVIGATION),
    (request(("Cookie", "a=b"), accept="application/json, */*"), Reason.NOT_NAVIGATION),
    (request(accept="image/avif,image/webp,*/*;q=0.8"), Reason.NOT_NAVIGATION),
    (request(accept="application/vnd.pypi.v1+json, text/html; q=0.01"), Reason.NOT_NAVIGATION),
    (request(("Winnow-Mode", "original")), Reason.ORIGINAL_REQUESTED),
]  # fmt: skip


@pytest.mark.parametrize(("head", "reason"), REQUESTS)
def test_a_request_for_no_page_streams(head: RequestHead, reason: Reason) -> None:
    assert judged(head) == Stream(reason)


@pytest.mark.parametrize(
    "head",
    [
        request(accept="*/*"),
        request(accept=None),
        request(accept="application/xhtml+xml"),
        request(("Referer", "http://b.example/"), ("Cookie", "a=b")),
        request(("Sec-Fetch-Dest", "document"), ("Sec-Fetch-Mode", "navigate")),
        request(("Sec-Fetch-Mode", "navigate")),
        request(("X-Requested-With", "com.android.browser")),
        request(accept="text/markdown"),
    ],
)
def test_a_request_for_a_page_is_served_one(head: RequestHead) -> None:
    assert navigation(head.headers) is None
    assert isinstance(judged(head), Extract)


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/markdown", Format.MARKDOWN),
        ("application/epub+zip", Format.EPUB),
        ("text/plain;q=0.9, text/html;q=0.5", Format.TEXT),
        ("application/json", Format.JSON),
        ("text/html, text/markdown;q=0.9", Format.HTML),
    ],
)
def test_accept_chooses_the_format(accept: str, wanted: Format) -> None:
    decision = judged(request(accept=accept))
    assert isinstance(decision, Extract)
    assert decision.recipe.format is wanted


def test_who_asks_gets_even_what_is_no_navigation() -> None:
    head = request(("Winnow-Mode", "extract"), ("Cookie", "a=b"), accept="*/*")
    assert judged(head) == Extract(Recipe(), Reason.REQUESTED)
    assert judged(head, reply(status=404)) == Stream(Reason.STATUS)
    assert judged(head, reply(("Cache-Control", "no-transform"))) == Stream(Reason.NO_TRANSFORM)


def ruled(rule: SiteRule) -> Policy:
    return replace(POLICY, rule_for=lambda at, _: rule if at.host == "a.example" else SiteRule())


def test_a_rule_for_the_site_decides() -> None:
    never = ruled(SiteRule(SiteMode.NEVER))
    assert judged(request(), policy=never) == Stream(Reason.SITE_RULE)
    assert isinstance(judged(request(("Winnow-Mode", "extract")), policy=never), Extract)
    rule = never.rule_at("http://b.example/", "")
    case = EligibilityInput(request(), PAGE, Preferences(Recipe()), rule, never, None, Recipe())
    other = verdict(case)
    assert isinstance(other, Extract)


def test_a_rule_names_extractor_and_level_unless_the_request_does() -> None:
    rule = ruled(SiteRule(SiteMode.ALWAYS, "crunch", 5))
    by_level = Recipe("crunch", Format.PRUNED, options=MethodOptions(5))
    assert judged(request(), policy=rule) == Extract(by_level, Reason.SITE_RULE)
    named = judged(request(("Winnow-Extractor", "bte")), policy=rule)
    assert isinstance(named, Extract)
    assert named.recipe.extractor == "bte"


def test_filters_of_a_site_count_at_its_level_and_keep_the_pages_look() -> None:
    rule = ruled(SiteRule(SiteMode.ALWAYS, "crunch:keep=forms", 5))
    shown = Recipe("crunch:keep=forms", Format.PRUNED, options=MethodOptions(5))
    assert judged(request(), policy=rule) == Extract(shown, Reason.SITE_RULE)
    own = judged(request(), policy=ruled(SiteRule(SiteMode.ALWAYS, "crunch:2", 5)))
    assert isinstance(own, Extract)
    assert own.recipe.ladder_level is None  # a level among the parameters counts alone


def test_no_transform_yields_to_the_user_of_that_site_only() -> None:
    forbidding = reply(("Cache-Control", "no-transform"))
    allowed = ruled(SiteRule(transform_anyway=True))
    assert isinstance(judged(request(), forbidding, allowed), Extract)


def test_a_pause_pauses_everything_but_an_explicit_wish() -> None:
    paused = replace(POLICY, is_paused=lambda _owner: True)
    assert judged(request(), policy=paused) == Stream(Reason.PAUSED)
    assert isinstance(judged(request(("Winnow-Mode", "extract")), policy=paused), Extract)


@pytest.mark.parametrize(
    ("head", "rule", "paused", "expected"),
    [
        (request(), SiteRule(), False, False),
        (request(), SiteRule(mode=SiteMode.NEVER), False, True),
        (request(), SiteRule(mode=SiteMode.ALWAYS), False, False),
        (request(), SiteRule(), True, True),
        (request(("Winnow-Mode", "original")), SiteRule(), False, True),
        (request(("Winnow-Mode", "extract")), SiteRule(mode=SiteMode.NEVER), True, False),
        (request(method="POST"), SiteRule(mode=SiteMode.NEVER), True, False),
    ],
)
def test_an_original_is_sent_by_choice_of_a_site_a_pause_or_a_wish(
    head: RequestHead, rule: SiteRule, paused: bool, expected: bool
) -> None:
    preferences = from_headers(head.headers, POLICY.recipe)
    policy = replace(POLICY, is_paused=lambda _owner: paused)
    assert original_by_choice(head, preferences, rule, policy, None) is expected
    assert not original_by_choice(head, preferences, rule, policy, Reason.NOT_NAVIGATION)


@pytest.mark.parametrize(
    ("head", "mode", "expected"),
    [
        (request(), RequestMode.AUTO, True),
        (request(method="HEAD"), RequestMode.AUTO, True),
        (request(method="POST"), RequestMode.EXTRACT, False),
        (request(), RequestMode.ORIGINAL, False),
        (request(accept="image/png"), RequestMode.AUTO, False),
        (request(accept="image/png"), RequestMode.EXTRACT, True),
    ],
)
def test_before_the_reply_it_is_known_what_may_be_a_page(
    head: RequestHead, mode: RequestMode, expected: bool
) -> None:
    assert may_be_page(head, Preferences(Recipe(), mode), navigation(head.headers)) is expected


BY_PURPOSE = ((Purpose.FORM, Treatment.ORIGINAL), (Purpose.PRODUCT, Treatment.TIDY))


def treatments(*fields: Field, mode: SiteMode | None = None) -> Treatments:
    """What is done with a page at a site with this rule, for a request with these fields."""
    policy = replace(ruled(SiteRule(mode)), treatments=BY_PURPOSE)
    decision = judged(request(*fields), policy=policy)
    assert isinstance(decision, Extract)
    return decision.recipe.treatments


def test_purpose_decides_what_nobody_requested_for() -> None:
    assert treatments() == BY_PURPOSE
    assert treatments(("Winnow-Mode", "extract")) == ()
    assert treatments(("Winnow-Extractor", "bte")) == ()
    assert treatments(("Winnow-Mode", "tidy")) == treated(Treatment.TIDY)


def test_a_site_that_is_always_extracted_can_still_be_logged_in_to() -> None:
    assert treatments(mode=SiteMode.ALWAYS) == (
        (Purpose.FORM, Treatment.ORIGINAL),
        (Purpose.PRODUCT, Treatment.EXTRACT_ANYWAY),
    )


def test_what_the_reader_chose_for_a_kind_or_a_site_goes_before_the_settings() -> None:
    by_kind = ((Purpose.PRODUCT, Treatment.ORIGINAL), (Purpose.FORM, Treatment.TIDY))
    policy = replace(ruled(SiteRule(treatments=by_kind)), treatments=BY_PURPOSE)
    decision = judged(request(), policy=policy)
    assert isinstance(decision, Extract)
    assert dict(decision.recipe.treatments) == dict(by_kind)
    assert treatments(mode=SiteMode.TIDY) == BY_PURPOSE
    policy = replace(policy, rule_for=lambda *_: SiteRule(SiteMode.TIDY, treatments=by_kind))
    decision = judged(request(), policy=policy)
    assert isinstance(decision, Extract)
    assert decision.reason is Reason.SITE_RULE
    assert dict(decision.recipe.treatments) == {
        Purpose.FORM: Treatment.TIDY,
        Purpose.PRODUCT: Treatment.TIDY,
    }
