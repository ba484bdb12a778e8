"""A field section of HTTP/2: lower case, and nothing that belongs to one HTTP/1 connection."""

from __future__ import annotations

import pytest

from winnow.proxy.http.headers import Headers
from winnow.proxy.http2.fields import section


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ((("Accept", " text/html\t"), ("X-Mark", "a")), [("accept", "text/html"), ("x-mark", "a")]),
        ((("Keep-Alive", "5"), ("Transfer-Encoding", "chunked"), ("Vary", "a")), [("vary", "a")]),
        ((("Connection", "X-Hop, close"), ("X-Hop", "1"), ("X-End", "2")), [("x-end", "2")]),
    ],
)
def test_what_is_of_one_connection_is_not_sent(
    fields: tuple[tuple[str, str], ...], sent: list[tuple[str, str]]
) -> None:
    made = [(each[0], each[1]) for each in section([(":status", "200")], Headers(fields))]
    texts = [tuple(p.decode() if isinstance(p, bytes) else p for p in pair) for pair in made]
    assert texts == [(":status", "200"), *sent]
