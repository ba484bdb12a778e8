"""Which trailer fields are forwarded (RFC 9110, section 6.5). Pure."""

from __future__ import annotations

from typing import Final

from winnow.proxy.http.headers import Headers, end_to_end

_NOT_TRAILERS: Final = frozenset(
    {
        *("host", "content-length", "content-encoding", "content-type", "content-range", "age"),
        *("authorization", "set-cookie", "cookie", "cache-control", "expires", "date", "vary"),
        *(
            "alt-svc",
            "location",
            "retry-after",
            "www-authenticate",
            "max-forwards",
            "range",
            "expect",
        ),
    }
)
"""Fields of framing, routing, authentication, control and content, which no trailer may be."""


def forwarded_trailers(trailers: Headers) -> Headers:
    """The trailers without those that change how a message is understood (section 6.5.1)."""
    if not trailers.fields:
        return trailers
    kept = end_to_end(trailers).without(_NOT_TRAILERS)
    ours = [name for name in kept.by_name if name.startswith("winnow-")]
    return kept.without(ours)
