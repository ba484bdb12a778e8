"""An entry updated by a 304 or a response to HEAD (RFC 9111, sections 4.3.4 and 4.3.5). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.http.headers import end_to_end
from winnow.proxy.http.messages import ResponseHead

_OWN: Final = (
    "content-length",
    "content-encoding",
    "content-range",
    "content-md5",
    "content-digest",
    "repr-digest",
    "etag",
    "cache-status",
)


def freshened(
    entry: CacheEntry, reply: ResponseHead, requested: float, received: float
) -> CacheEntry:
    """An entry updated by a 304 or the response to a HEAD (sections 3.2 and 4.3.4).

    A 304 answers the one tag that was sent, whatever tag stands in it: Apache's mod_deflate, for
    one, names another there than in the response that it confirms.
    """
    news = end_to_end(reply.headers).without(_OWN)
    # An old Date or Age would make the updated entry as old as the first response was.
    old = entry.headers if "date" in news else entry.headers.without(("date",))
    headers = old.without(("age",)).replaced(*news.fields)
    return replace(entry, headers=headers, requested=requested, received=received, doubtful=False)


def is_same(entry: CacheEntry, head: ResponseHead) -> bool:
    """Whether the response to a HEAD describes the stored one (section 4.3.5)."""
    for name in ("etag", "last-modified"):
        if name in head.headers and head.headers.get(name) != entry.headers.get(name):
            return False
    length = head.headers.get("content-length")
    return not length or length == str(len(entry.body))
