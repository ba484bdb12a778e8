"""What of a response may be stored (RFC 9111, section 3), and shared by several people. Pure.

For several people stricter than the RFC (sections 3.5 and 7.3), which lets a shared cache store
Set-Cookie, use heuristic freshness for requests with cookies, and share a page that was made for a
cookie by its max-age: origins rely on none of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import Directives
from winnow.proxy.http.headers import Headers, end_to_end, media_type
from winnow.proxy.http.messages import ResponseHead

CREDENTIALS: Final = ("authorization", "cookie")
"""Request fields that identify the user."""
SET_COOKIE: Final = ("set-cookie", "set-cookie2")
_KINDS_OF_PARTS: Final = frozenset({"image", "font", "audio", "video"})
_PARTS: Final = frozenset(
    {
        *("text/css", "text/javascript", "application/javascript", "application/x-javascript"),
        *("application/font-woff", "application/vnd.ms-fontobject", "application/wasm"),
    }
)
"""Media types of what pages are made of; pages, JSON and files may be made for who asks."""


def may_share(request: Headers, reply: Headers) -> bool:
    """Whether a shared cache may store the reply to a request (sections 3, 3.5 and 5.2.2.7)."""
    directives = Directives.of(reply)
    if "private" in directives.values:
        return False
    return "authorization" not in request or _is_public(directives, "must-revalidate")


def is_for_one_user(request: Headers, reply: Headers) -> bool:
    """Whether a response looks personal, though RFC 9111 lets a shared cache store it."""
    sets_cookie = reply.has_any(SET_COOKIE)
    made_by_cookie = "cookie" in request and not _is_part_of_pages(reply)
    if (sets_cookie or made_by_cookie) and not _is_public(Directives.of(reply)):
        return True
    return not may_answer(request, reply)


def may_answer(request: Headers, stored: Headers) -> bool:
    """Whether a stored response may answer this request as far as credentials go.

    One without an explicit lifetime is neither stored from a request with credentials nor answers
    one.
    """
    return not _has_credentials(request) or _has_lifetime(stored)


def shareable_fields(reply: Headers) -> Headers:
    """The fields of a response that may be stored for other users."""
    return reply.without(SET_COOKIE)


def _has_credentials(request: Headers) -> bool:
    return request.has_any(CREDENTIALS)


def _has_lifetime(reply: Headers) -> bool:
    directives = Directives.of(reply)
    return "expires" in reply or "max-age" in directives.values or "s-maxage" in directives.values


def _is_part_of_pages(reply: Headers) -> bool:
    """Whether it is a picture, a style or the like, which is the same for all who get the page."""
    found = media_type(reply)
    return found in _PARTS or found.partition("/")[0] in _KINDS_OF_PARTS


def _is_public(directives: Directives, *more: str) -> bool:
    return directives.has_any(("public", "s-maxage", *more))


HEURISTIC: Final = frozenset({200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501})
"""Statuses that are cacheable without being directives so (RFC 9110, section 15.1), less 206."""
UNDERSTOOD: Final = HEURISTIC | {302, 303, 307, 400, 403, 421, 451, 500, 502, 503, 504}
"""Statuses whose caching rules are implemented here (``must-understand``)."""
NEVER: Final = frozenset({206, 304, 416})
"""Responses that are parts of something else."""
MOST_VARYING: Final = 32
"""Names in Vary; more are treated like ``Vary: *``, since each look-up reads them."""


@dataclass(frozen=True, slots=True)
class StoreMode:
    """``shared``: several people use this cache (RFC 9111, section 3.5 and others).

    ``household``: they trust each other, so that section 7.3 is read as the RFC has it: Set-Cookie
    is stored, and requests with cookies are treated like others.
    """

    shared: bool = True
    household: bool = False

    @property
    def isolates_users(self) -> bool:
        """Whether the stricter rules of this module hold."""
        return self.shared and not self.household


def may_store(request: Headers, reply: ResponseHead, mode: StoreMode) -> bool:
    """Whether the response to a GET may be stored (section 3)."""
    directives = Directives.of(reply.headers)
    if reply.status < 200 or reply.status in NEVER or _varies_by_too_much(reply.headers):
        return False
    if "no-store" in Directives.of(request).values or _forbids(directives, reply.status):
        return False
    if mode.shared and not may_share(request, reply.headers):
        return False
    if mode.isolates_users and is_for_one_user(request, reply.headers):
        return False
    if _is_explicit(reply.headers, directives, mode):
        return True
    return reply.status in HEURISTIC and _is_worth_it(reply.headers, mode)


def _varies_by_too_much(reply: Headers) -> bool:
    """Whether no other request can be known to select this reply (section 4.1)."""
    names = reply.items("vary")
    return len(names) > MOST_VARYING or "*" in names


def _forbids(directives: Directives, status: int) -> bool:
    """``must-understand`` goes before ``no-store`` (section 5.2.2.3)."""
    if "must-understand" in directives.values:
        return status not in UNDERSTOOD
    return "no-store" in directives.values


def _is_worth_it(headers: Headers, mode: StoreMode) -> bool:
    """Whether a response without an explicit lifetime can be used again, and by anybody.

    A cookie that is set without one is meant for its recipient alone (section 7.3).
    """
    if mode.shared and "set-cookie" in headers:
        return False
    return headers.has_any(("etag", "last-modified"))


def _is_explicit(headers: Headers, directives: Directives, mode: StoreMode) -> bool:
    names = ["public", "max-age", "s-maxage"] if mode.shared else ["public", "private", "max-age"]
    return "expires" in headers or directives.has_any(names)


def stored_headers(reply: ResponseHead) -> Headers:
    """The fields that are stored (section 3.1): none of the connection, none of the framing."""
    return end_to_end(reply.headers).without(("content-length", "cache-status", "alt-svc"))


def shareable(entry: CacheEntry, mode: StoreMode) -> CacheEntry:
    """The entry as it is stored: without the cookies of the client that fetched it."""
    if not mode.isolates_users:
        return entry
    return replace(entry, headers=shareable_fields(entry.headers))
