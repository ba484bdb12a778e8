"""Conditional and range requests (RFC 9110, sections 13 and 14) on a stored response. Pure."""

from __future__ import annotations

import re
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import date_of
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead

CONDITIONS: Final = (
    "if-none-match",
    "if-modified-since",
    "if-match",
    "if-unmodified-since",
    "if-range",
)
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_RANGE: Final = re.compile(r"bytes\s*=\s*([0-9]{0,18})-([0-9]{0,18})\s*\Z", re.IGNORECASE)
_OF_THE_BODY: Final = (
    "content-type", "content-encoding", "content-language", "content-length", "content-range",
    "content-md5", "digest", "content-digest", "repr-digest", "accept-ranges", "transfer-encoding",
)  # fmt: skip


def validating(request: Headers, entry: CacheEntry) -> Headers:
    """The request with the entry's validators in place of its own conditions and range."""
    conditional = request.without((*CONDITIONS, "range"))
    if tag := entry.headers.get("etag"):
        conditional = conditional.plus(("If-None-Match", tag))
    if changed := entry.headers.get("last-modified"):
        conditional = conditional.plus(("If-Modified-Since", changed))
    return conditional


def has_validator(entry: CacheEntry) -> bool:
    """Whether the origin can be sent a conditional request for it."""
    return "etag" in entry.headers or "last-modified" in entry.headers


def is_unchanged(request: Headers, reply: Headers) -> bool:
    """Whether the client has the reply with these fields (RFC 9110, 13.2.2, steps 3 and 4)."""
    if "if-none-match" in request:
        listed = request.joined("if-none-match")
        own = _TAG.search(reply.get("etag"))
        return listed.strip() == "*" or (own is not None and own[1] in _TAG.findall(listed))
    since = date_of(request.get("if-modified-since"))
    if since is None:
        return False
    changed = date_of(reply.get("last-modified")) or date_of(reply.get("date"))
    return changed is not None and changed <= since


def answer(request: Headers, entry: CacheEntry, headers: Headers) -> tuple[ResponseHead, bytes]:
    """What a GET with these conditions gets: 304, 206, 416 or the whole entry.

    ``headers``: the entry's fields as they are sent, Age and others included.
    """
    if entry.status == 200 and is_unchanged(request, entry.headers):
        return ResponseHead(304, "Not Modified", of_304(headers)), b""
    if entry.status == 200 and "range" in request and range_holds(request, entry):
        return _part(request.get("range"), entry, headers)
    return entry.head(headers), entry.body


def of_304(headers: Headers) -> Headers:
    """All fields but those of the body (RFC 9110, section 15.4.5): the client freshens its own."""
    return headers.without(_OF_THE_BODY)


def range_holds(request: Headers, entry: CacheEntry) -> bool:
    """If-Range: strong comparison, or the exact date (RFC 9110, section 13.1.5)."""
    condition = request.get("if-range").strip()
    if not condition:
        return True
    validators = (entry.headers.get("etag"), entry.headers.get("last-modified"))
    return condition in validators and not condition.startswith("W/")


def wanted_range(field: str, size: int) -> tuple[int, int] | None:
    """First and last byte of the one range that a Range field names, of so many bytes.

    None for a field that is to be ignored; the last lies before the first where there are none.
    """
    match = _RANGE.match(field.strip())
    if not match or not (match[1] or match[2]):
        return None
    if match[1] and match[2] and int(match[2]) < int(match[1]):
        return None
    first = int(match[1]) if match[1] else max(size - int(match[2]), 0)
    last = min(int(match[2]), size - 1) if match[1] and match[2] else size - 1
    return first, last


def _part(wanted: str, entry: CacheEntry, headers: Headers) -> tuple[ResponseHead, bytes]:
    found, size = wanted_range(wanted, len(entry.body)), len(entry.body)
    if found is None:
        return entry.head(headers), entry.body
    first, last = found
    if first > last:
        fields = headers.replaced(("Content-Range", f"bytes */{size}"))
        return ResponseHead(416, "Range Not Satisfiable", fields), b""
    fields = headers.replaced(("Content-Range", f"bytes {first}-{last}/{size}"))
    return ResponseHead(206, "Partial Content", fields), entry.body[first : last + 1]
