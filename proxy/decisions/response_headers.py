"""The fields of the response to the client: passed on, or those of a transformed body. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.document.addresses import host_of
from winnow.proxy.access.own_faces import REDIRECTED_COOKIE
from winnow.proxy.access.private_addresses import may_lead
from winnow.proxy.access.referrers import UNKNOWN, origin_of
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import FIELDS
from winnow.proxy.decisions.request.request_headers import via_field
from winnow.proxy.http.headers import Field, Headers, cached_by_text, end_to_end, hop_by_hop
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.request_target import absolute_url

_ALWAYS_GONE = frozenset(
    ("alt-svc", "content-length", *(f"winnow-{name}" for name in ("action", "reason")))
)
"""Alt-Svc would have the browser bypass the proxy by QUIC; the length is written with the body."""

OF_THE_BYTES: Final = frozenset(
    (
        "content-encoding",
        "content-md5",
        "digest",
        "content-digest",
        "repr-digest",
        "signature",
        "signature-input",
        "etag",
        "last-modified",
        "accept-ranges",
        "content-range",
    )
)
"""Fields that describe the origin's bytes."""

_OF_THE_ORIGINAL = OF_THE_BYTES | frozenset(
    (
        "content-type",
        "content-disposition",
        "content-security-policy",
        "content-security-policy-report-only",
        "x-content-security-policy",
        "x-webkit-csp",
        "link",
        "sourcemap",
        "x-sourcemap",
    )
)
"""Fields of the origin's page, and those that have the browser load what was left out."""

_REPLACED: Final = _ALWAYS_GONE | _OF_THE_ORIGINAL
_POLICIES: Final = frozenset({"content-security-policy", "content-security-policy-report-only"})
HTML: Final = "text/html; charset=utf-8"

VARY = (
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Save-Data",
    "Sec-CH-UA-Mobile",
    "Sec-Fetch-Dest",
    "User-Agent",
    *(name.title() for name in FIELDS),
)
"""What may decide how a page is shown (RFC 9110, section 12.5.5)."""

PAGE_POLICY = (
    "default-src 'none'; img-src * data: blob:; media-src * data: blob:; font-src * data:; "
    "style-src 'self' 'unsafe-inline'; frame-src http: https:; form-action *; base-uri 'none'"
)
"""Our pages hold no script; whatever the sanitiser might miss does not run either."""
PRUNED_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src *")
"""For the origin's own look: its style sheets load."""

_OF_A_HOST = frozenset(
    (
        "set-cookie",
        "set-cookie2",
        "www-authenticate",
        "authentication-info",
        "strict-transport-security",
        "clear-site-data",
        "service-worker-allowed",
        "access-control-allow-origin",
        "access-control-allow-credentials",
        "access-control-allow-headers",
        "access-control-allow-methods",
        "access-control-allow-private-network",
        "access-control-expose-headers",
        "access-control-max-age",
        "report-to",
        "reporting-endpoints",
        "nel",
        "content-security-policy-report-only",
    )
)
"""Fields that hold for a site's whole host, which in the gateway would be ours."""
SANDBOX = (
    "sandbox allow-same-origin allow-forms allow-popups allow-downloads "
    "allow-top-navigation-by-user-activation; frame-ancestors 'self'"
)
"""What a site's own page gets in the gateway: no scripts (CSP 3, section 6.3.2).

To a browser all sites there are one, ours, so none may run a script in our name. An origin of its
own for each would allow scripts, but its pictures and style sheets would then lose their Referer,
by which addresses such as ``/style.css`` are found again.
"""


@dataclass(frozen=True, slots=True)
class RepresentationShape:
    """What a transformed page is: its media type, whether it keeps the origin's look, and scripts.

    A page that keeps its own scripts keeps its origin's policy for them.
    """

    media_type: str = HTML
    keeps_look: bool = False
    keeps_scripts: bool = False


def interim_fields(headers: Headers) -> Headers:
    """The fields of an interim response that are passed on."""
    return end_to_end(headers).without(_ALWAYS_GONE)


def passed_on(reply: ResponseHead, policy: Policy, extra: tuple[Field, ...] = ()) -> Headers:
    """The origin's fields less those of its connection, with Via and ours added."""
    via = via_field(reply.headers, reply.version, policy)
    return reply.headers.edited(hop_by_hop(reply.headers) | _ALWAYS_GONE, via, *extra)


def transformed(
    reply: ResponseHead,
    policy: Policy,
    shown: RepresentationShape,
    etag: str,
    extra: tuple[Field, ...] = (),
) -> Headers:
    """The fields of our representation of the origin's page."""
    headers = end_to_end(reply.headers)
    fields: tuple[Field, ...] = (
        via_field(reply.headers, reply.version, policy),
        ("Content-Type", shown.media_type),
        ("Accept-Ranges", "none"),
        ("X-Content-Type-Options", "nosniff"),
        *_revalidated(headers, etag),
    )
    is_page = shown.media_type.startswith(("text/html", "application/xhtml"))
    if is_page and not shown.keeps_scripts:
        rules = PRUNED_POLICY if shown.keeps_look else PAGE_POLICY
        fields += (("Content-Security-Policy", page_policy(reply.headers, rules)),)
    removed = _REPLACED - _POLICIES if shown.keeps_scripts else _REPLACED
    return headers.edited(removed, *fields, *extra)


def not_modified(
    reply: ResponseHead, policy: Policy, etag: str, extra: tuple[Field, ...]
) -> Headers:
    """The fields of a 304 for our representation (RFC 9110, section 15.4.5)."""
    headers = passed_on(reply, policy).without(_OF_THE_ORIGINAL)
    return headers.replaced(*_revalidated(headers, etag), *extra)


def _revalidated(headers: Headers, etag: str) -> tuple[Field, ...]:
    """Freshness of our page: validated each time, since a choice may change it."""
    fields: tuple[Field, ...] = (_no_cache(headers), ("Vary", varied(headers)))
    return (("ETag", etag), *fields) if etag else fields


def revalidated(headers: Headers) -> Headers:
    """The fields of an original that a choice may change: validated each time."""
    return headers.replaced(_no_cache(headers))


def _no_cache(headers: Headers) -> Field:
    """Cache-Control with no-cache (RFC 9111, section 5.2.2.4)."""
    control = headers.joined("cache-control")
    if {"no-cache", "no-store"}.isdisjoint(headers.items("cache-control")):
        control = f"{control}, no-cache".lstrip(", ")
    return "Cache-Control", control


def page_policy(headers: Headers, rules: str = PAGE_POLICY) -> str:
    """Our own policy, with the origin's ``frame-ancestors``."""
    for field in headers.every("content-security-policy"):
        for directive in field.split(";"):
            if directive.strip().lower().startswith("frame-ancestors"):
                return f"{rules}; {directive.strip()}"
    return rules


def varied(headers: Headers) -> str:
    """The origin's Vary and ours, each name once."""
    return _varied(headers.joined("vary"))


@cached_by_text
def _varied(text: str) -> str:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if "*" in names:
        return "*"
    present = {name.lower() for name in names}
    return ", ".join([*names, *(name for name in VARY if name.lower() not in present)])


def outcome_fields(
    action: WinnowAction | None, reason: str, extractor: str = "", timing: str = ""
) -> tuple[Field, ...]:
    """Winnow-Action, Winnow-Reason, Winnow-Extractor (a public name) and Server-Timing.

    ``action``: None where it depends on a body that nobody requested.
    """
    fields: tuple[Field, ...] = (("Winnow-Reason", reason),)
    if action:
        fields = (("Winnow-Action", action), *fields)
    if extractor:
        fields += (("Winnow-Extractor", extractor),)
    return fields + ((("Server-Timing", timing),) if timing else ())


def in_gateway(headers: Headers, url: str, prefix: str, ours: bool) -> Headers:
    """A reply as it may be shown under our own host; ``ours``: a page made here, without scripts.

    Redirects lead through the gateway again; ``url`` is the address they are relative to.
    """
    shown = _redirected(headers.without(_OF_A_HOST), url, prefix)
    shown = shown.replaced(("Referrer-Policy", "same-origin"))
    if not ours:
        return shown.replaced(("Content-Security-Policy", SANDBOX))
    own = shown.get("content-security-policy")
    if own:
        sandboxed = f"{own}; {SANDBOX.partition(';')[0]}"
        shown = shown.replaced(("Content-Security-Policy", sandboxed))
    return shown.plus(("Vary", "Cookie"))  # the reader's style is in a cookie


def _redirected(headers: Headers, url: str, prefix: str) -> Headers:
    location = headers.get("location")
    if not location:
        return headers
    try:
        absolute = absolute_url(url, location)
    except ClientFaultError:  # no address: a browser might read it as one of ours
        return headers.without(("location",))
    if not absolute.startswith(("http://", "https://")):
        return headers
    redirected = headers.replaced(("Location", prefix + absolute))
    if may_lead(host_of(url), host_of(absolute)):
        return redirected
    cookie = f"{REDIRECTED_COOKIE}={origin_of(absolute) or UNKNOWN}; Path=/; Max-Age=30; HttpOnly"
    return redirected.plus(("Set-Cookie", f"{cookie}; SameSite=Lax"))
