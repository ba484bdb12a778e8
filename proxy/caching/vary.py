"""Which stored response a request selects: the fields that Vary names (RFC 9111, section 4.1)."""

from __future__ import annotations

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.http.headers import Headers


def selecting_fields(request: Headers, reply: Headers) -> tuple[tuple[str, str], ...]:
    """The request's fields that a reply's Vary names, each folded to one line."""
    names = sorted({name for name in reply.items("vary") if name})
    return tuple((name, _folded(name, request.joined(name))) for name in names)


def _folded(name: str, value: str) -> str:
    """A field without what makes no difference: blanks around members, case in languages."""
    members = ", ".join(" ".join(member.split()) for member in value.split(","))
    return members.lower() if name == "accept-language" else members


def is_selected(entry: CacheEntry, request: Headers) -> bool:
    """Whether a stored reply was selected by the same fields as this request would."""
    return selecting_fields(request, entry.headers) == entry.vary
