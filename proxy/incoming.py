"""The fields of the reply that goes to the client: passed on, or true of a transformed body."""

from __future__ import annotations

from urllib.parse import urljoin

from proxy.headers import Field, Headers, end_to_end
from proxy.outgoing import via_field
from proxy.reasons import Action
from proxy.upstream.replies import ReplyHead
from proxy.values import Policy
from proxy.wishes import FIELDS

_ALWAYS_GONE = ("alt-svc", "content-length", *(f"winnow-{name}" for name in ("action", "reason")))
"""Alt-Svc would lead the browser round us by QUIC; the length is written anew."""

_OF_THE_ORIGINAL = (
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
"""Fields that describe the origin's bytes, or that tell the browser to load what we left out."""

VARY = (
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Sec-Fetch-Dest",
    *(name.title() for name in FIELDS),
)
"""What may decide how a page is shown (RFC 9110, section 12.5.5)."""

PAGE_POLICY = (
    "default-src 'none'; img-src * data: blob:; media-src * data: blob:; font-src * data:; "
    "style-src 'unsafe-inline'; frame-src http: https:; form-action *; base-uri 'none'"
)
"""Our pages hold no script; whatever the sanitiser might miss does not run either."""


def passed_on(reply: ReplyHead, policy: Policy, extra: tuple[Field, ...] = ()) -> Headers:
    """The origin's fields less those of its connection, with Via and ours added."""
    headers = end_to_end(reply.headers).without(_ALWAYS_GONE)
    via = via_field(headers, reply.version, policy)
    return headers.replaced(via, *extra)


def transformed(
    reply: ReplyHead, policy: Policy, media_type: str, etag: str, extra: tuple[Field, ...] = ()
) -> Headers:
    """The fields of our representation of the origin's page: none says what is true of his only."""
    headers = passed_on(reply, policy).without(_OF_THE_ORIGINAL)
    fields: tuple[Field, ...] = (
        ("Content-Type", media_type),
        ("Accept-Ranges", "none"),
        ("X-Content-Type-Options", "nosniff"),
        *_revalidated(headers, etag),
    )
    if media_type.startswith(("text/html", "application/xhtml")):
        fields += (("Content-Security-Policy", page_policy(reply.headers)),)
    return headers.replaced(*fields, *extra)


def not_modified(reply: ReplyHead, policy: Policy, etag: str, extra: tuple[Field, ...]) -> Headers:
    """The fields of a 304 for our representation (RFC 9110, section 15.4.5)."""
    headers = passed_on(reply, policy).without(_OF_THE_ORIGINAL)
    return headers.replaced(*_revalidated(headers, etag), *extra)


def _revalidated(headers: Headers, etag: str) -> tuple[Field, ...]:
    """How long our page holds: it is asked after each time, since a choice may change it."""
    control = headers.joined("cache-control")
    known = {"no-cache", "no-store"} & set(headers.items("cache-control"))
    fresh = control if known else f"{control}, no-cache".lstrip(", ")
    fields: tuple[Field, ...] = (("Cache-Control", fresh), ("Vary", varied(headers)))
    return (("ETag", etag), *fields) if etag else fields


def page_policy(headers: Headers) -> str:
    """Our own policy, with the origin's say about who may frame the page."""
    for field in headers.every("content-security-policy"):
        for directive in field.split(";"):
            if directive.strip().lower().startswith("frame-ancestors"):
                return f"{PAGE_POLICY}; {directive.strip()}"
    return PAGE_POLICY


def varied(headers: Headers) -> str:
    """The origin's Vary and ours, each name once."""
    names = [name.strip() for name in headers.joined("vary").split(",") if name.strip()]
    if "*" in names:
        return "*"
    known = {name.lower() for name in names}
    return ", ".join([*names, *(name for name in VARY if name.lower() not in known)])


def said(action: Action, reason: str, extractor: str = "", timing: str = "") -> tuple[Field, ...]:
    """What happened, for whoever looks."""
    fields: tuple[Field, ...] = (("Winnow-Action", action), ("Winnow-Reason", reason))
    if extractor:
        fields += (("Winnow-Extractor", extractor),)
    return fields + ((("Server-Timing", timing),) if timing else ())


GATEWAY_POLICY = "sandbox allow-forms allow-popups allow-scripts allow-downloads"
"""Scripts of a page run in an origin of their own (CSP 3, section 6.3.2)."""
_OF_THE_HOST = (
    "set-cookie",
    "clear-site-data",
    "strict-transport-security",
    "service-worker-allowed",
)
"""Fields by which a site would steer what a browser keeps for the whole host, which is ours."""


def kept_in_gateway(headers: Headers, url: str, prefix: str) -> Headers:
    """Redirects lead through the gateway again; ``url`` is the one they are relative to.

    A page there has our own address, but must not act in our name: it is shown in a sandbox.
    """
    headers = headers.without(_OF_THE_HOST).plus(("Content-Security-Policy", GATEWAY_POLICY))
    location = headers.get("location")
    if not location:
        return headers
    absolute = urljoin(url, location)
    if not absolute.lower().startswith(("http://", "https://")):
        return headers
    return headers.replaced(("Location", prefix + absolute))
