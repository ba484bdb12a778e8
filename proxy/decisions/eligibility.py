"""Whether a response is a page to be extracted, decided from the two heads alone.

One table, read from the top: the first row that holds says why a response streams through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from winnow.document.values import BodyKind, Recipe
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.preferences import BY_ACCEPT, Preferences
from winnow.proxy.decisions.request.program_clients import gets_original
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.accept import preferences as media_ranges
from winnow.proxy.http.content_coding import why_undecodable
from winnow.proxy.http.headers import Headers, media_type, number
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.reasons import Reason
from winnow.proxy.stores.site_choice import SiteMode

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_PROGRAM_MARKS = ("referer", "origin", "cookie", "x-requested-with")
"""Fields that a person's first request by curl does not have, but a script's in a page has."""
_EXPLICIT = frozenset({RequestMode.EXTRACT, RequestMode.TIDY})
_PARTIAL_MARKS = ("hx-request", "x-pjax", "turbo-frame", "x-up-version")
"""Fields of libraries that fetch HTML into a page that is already there."""


@dataclass(frozen=True, slots=True)
class Extract:
    """Buffer the body and transform it by ``recipe``; ``reason`` says why."""

    recipe: Recipe
    reason: Reason = Reason.PAGE


@dataclass(frozen=True, slots=True)
class Stream:
    """Pass it on unbuffered."""

    reason: Reason


Verdict = Extract | Stream


@dataclass(frozen=True, slots=True)
class EligibilityInput:
    """All that the table looks at."""

    request: RequestHead
    response: ResponseHead
    preferences: Preferences
    rule: SiteRule
    policy: Policy
    not_navigation: Reason | None
    """The result of ``navigation`` for this request."""
    recipe: Recipe
    """The result of ``recipe_choice.recipe_for`` for this request."""


def navigation(headers: Headers, *, spares_programs: bool = False) -> Reason | None:
    """None when a person opens a page, else why that is not so.

    ``spares_programs``: what crawls, downloads or builds is no person (``gets_original``).

    Browsers send Sec-Fetch-* to HTTPS and loopback only. Without them a page is what an Accept
    that ranks HTML first asks for; ``*/*`` and our own formats count only without the marks of a
    script. A frame on plain HTTP cannot be distinguished from a link: it counts as a page.
    """
    dest, mode = headers.get("sec-fetch-dest").lower(), headers.get("sec-fetch-mode").lower()
    if dest or mode:
        if dest == "document":
            return None
        if dest or mode != "navigate":
            return Reason.SUB_RESOURCE
    elif not _accepts_page(headers):
        return Reason.NOT_NAVIGATION
    return Reason.PROGRAM if spares_programs and gets_original(headers) else None


def _accepts_page(headers: Headers) -> bool:
    if headers.get("x-requested-with").lower() == "xmlhttprequest":
        return False
    if headers.has_any(_PARTIAL_MARKS):
        return False
    wanted = media_ranges(headers.joined("accept"))
    first = wanted[0].name if wanted else "*/*"
    if first in HTML_TYPES:
        return True
    anything = first == "*/*" and len(wanted) <= 1
    marked = headers.has_any(_PROGRAM_MARKS)
    return (anything or first in BY_ACCEPT) and not marked


def _original_requested(case: EligibilityInput) -> bool:
    return case.preferences.mode is RequestMode.ORIGINAL and case.rule.mode is not SiteMode.NEVER


def _paused(case: EligibilityInput) -> bool:
    usual = case.preferences.mode not in _EXPLICIT and not case.rule.fixed
    return usual and case.policy.is_paused(case.request.owner)


def _never(case: EligibilityInput) -> bool:
    return case.rule.mode is SiteMode.NEVER and case.preferences.mode not in _EXPLICIT


def _method(case: EligibilityInput) -> bool:
    return case.request.method not in ("GET", "HEAD")


def _status(case: EligibilityInput) -> bool:
    return case.response.status not in (200, 206)


def _partial(case: EligibilityInput) -> bool:
    is_part = case.response.status == 206 or "content-range" in case.response.headers
    return is_part or "range" in case.request.headers


def _no_transform(case: EligibilityInput) -> bool:
    if case.rule.transform_anyway:
        return False
    request, response = case.request.headers, case.response.headers
    return "no-transform" in (*request.items("cache-control"), *response.items("cache-control"))


def _download(case: EligibilityInput) -> bool:
    disposition = case.response.headers.get("content-disposition")
    return disposition.split(";", 1)[0].strip().lower() == "attachment"


def _not_html(case: EligibilityInput) -> bool:
    return media_type(case.response.headers) not in HTML_TYPES


def _undecodable(case: EligibilityInput) -> bool:
    return bool(why_undecodable(case.response.headers.items("content-encoding")))


def _empty(case: EligibilityInput) -> bool:
    return case.response.headers.items("content-length")[:1] == ("0",)


def _too_large(case: EligibilityInput) -> bool:
    lengths = case.response.headers.items("content-length")
    declared = number(lengths[0], 2**63) if lengths else None
    return declared is not None and declared > case.policy.largest_body


def _sub_resource(case: EligibilityInput) -> bool:
    return case.not_navigation is Reason.SUB_RESOURCE and case.preferences.mode not in _EXPLICIT


def _not_navigation(case: EligibilityInput) -> bool:
    return case.not_navigation is Reason.NOT_NAVIGATION and case.preferences.mode not in _EXPLICIT


def _program(case: EligibilityInput) -> bool:
    return case.not_navigation is Reason.PROGRAM and case.preferences.mode not in _EXPLICIT


TABLE: tuple[tuple[Callable[[EligibilityInput], bool], Reason], ...] = (
    (_original_requested, Reason.ORIGINAL_REQUESTED),
    (_method, Reason.METHOD),
    (_partial, Reason.PARTIAL),
    (_status, Reason.STATUS),
    (_not_html, Reason.NOT_HTML),
    (_sub_resource, Reason.SUB_RESOURCE),
    (_not_navigation, Reason.NOT_NAVIGATION),
    (_program, Reason.PROGRAM),
    (_download, Reason.DOWNLOAD),
    (_paused, Reason.PAUSED),
    (_never, Reason.SITE_RULE),
    (_no_transform, Reason.NO_TRANSFORM),
    (_undecodable, Reason.CODING),
    (_empty, Reason.EMPTY),
    (_too_large, Reason.TOO_LARGE),
)


def verdict(case: EligibilityInput) -> Verdict:
    """Extract or Stream, for the first line of the table that holds."""
    for holds, reason in TABLE:
        if holds(case):
            return Stream(reason)
    if case.preferences.mode in _EXPLICIT:
        return Extract(case.recipe, Reason.REQUESTED)
    is_chosen = case.rule.mode in (SiteMode.ALWAYS, SiteMode.TIDY)
    return Extract(case.recipe, Reason.SITE_RULE if is_chosen else Reason.PAGE)


def may_be_page(
    request: RequestHead, preferences: Preferences, not_navigation: Reason | None
) -> bool:
    """Whether the response, not yet known, might be extracted."""
    if request.method not in ("GET", "HEAD") or preferences.mode is RequestMode.ORIGINAL:
        return False
    if "range" in request.headers or request.upgrade:
        return False
    return preferences.mode in _EXPLICIT or not_navigation is None


def original_by_choice(
    request: RequestHead,
    preferences: Preferences,
    rule: SiteRule,
    policy: Policy,
    not_navigation: Reason | None,
) -> bool:
    """Whether a page at this address is sent unchanged because a user chose so.

    ``preferences`` is the request's own; the choice is *never*, a pause or *show the original*.
    """
    if rule.fixed or preferences.mode in _EXPLICIT or request.method not in ("GET", "HEAD"):
        return False
    chosen = rule.mode is SiteMode.NEVER or preferences.mode is RequestMode.ORIGINAL
    chosen = chosen or policy.is_paused(request.owner)
    return chosen and not_navigation is None


def is_for_a_person(request: RequestHead) -> bool:
    """Whether a browser opens a page: a program that accepts anything gets the page's own bytes."""
    destination = request.headers.get("sec-fetch-dest").lower()
    named = "text/html" in request.headers.joined("accept").lower()
    return destination == "document" or (not destination and named)


def may_have_notice(case: EligibilityInput) -> bool:
    """Whether the original may carry a line of ours: as a page that may be extracted, by its heads.

    No rule for a site overrides ``no-transform`` here.
    """
    usual = replace(case, preferences=replace(case.preferences, mode=RequestMode.AUTO))
    if case.rule.mode is SiteMode.NEVER:  # was chosen on this very page, which says so
        usual = replace(usual, rule=SiteRule())
    if _no_transform(replace(usual, rule=SiteRule())) or case.request.method != "GET":
        return False
    return is_for_a_person(case.request) and isinstance(verdict(usual), Extract)


def shows_html(recipe: Recipe) -> bool:
    """Whether a person sees the result in a browser, with a bar."""
    return recipe.format.kind is BodyKind.PAGE
