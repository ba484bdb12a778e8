"""What a cache used by several people must not pass between them (RFC 9111, sections 3.5 and 7.3).

Stricter than the RFC, which lets a shared cache store Set-Cookie and guess a lifetime for replies
to requests with cookies: origins rely on neither. Pure.
"""

from __future__ import annotations

from typing import Final

from winnow.proxy.caching.directives import Directives
from winnow.proxy.http.headers import Headers

CREDENTIALS: Final = ("authorization", "cookie")
"""Request fields that say who asks."""
SET_COOKIE: Final = ("set-cookie", "set-cookie2")


def may_share(request: Headers, reply: Headers) -> bool:
    """Whether a shared cache may store the reply to a request (sections 3, 3.5 and 5.2.2.7)."""
    directives = Directives.of(reply)
    if "private" in directives:
        return False
    return "authorization" not in request or _is_public(directives, "must-revalidate")


def is_for_one_user(request: Headers, reply: Headers) -> bool:
    """Whether a reply looks as if it were made for whoever asked, though RFC 9111 lets it pass."""
    sets_cookie = any(name in reply for name in SET_COOKIE)
    if sets_cookie and not _is_public(Directives.of(reply)):
        return True
    return not may_answer(request, reply)


def may_answer(request: Headers, stored: Headers) -> bool:
    """Whether a stored reply may answer this request as far as credentials go.

    A reply without an explicit lifetime says nothing about whom it is for: it neither comes from
    a request with credentials nor answers one.
    """
    return not _has_credentials(request) or _has_lifetime(stored)


def shareable_fields(reply: Headers) -> Headers:
    """The fields of a reply that may be stored for other users."""
    return reply.without(SET_COOKIE)


def _has_credentials(request: Headers) -> bool:
    return any(name in request for name in CREDENTIALS)


def _has_lifetime(reply: Headers) -> bool:
    directives = Directives.of(reply)
    return "expires" in reply or "max-age" in directives or "s-maxage" in directives


def _is_public(directives: Directives, *more: str) -> bool:
    return any(name in directives for name in ("public", "s-maxage", *more))
