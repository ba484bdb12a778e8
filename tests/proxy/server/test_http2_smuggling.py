"""No request of HTTP/2 reaches an origin of HTTP/1 in a form that two servers read differently."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from tests.proxy.server.test_smuggling import AmbiguousError, strictly_read
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.request_headers import outgoing
from winnow.proxy.decisions.request.routing import ForwardRoute, route
from winnow.proxy.http.messages import OriginRequest
from winnow.proxy.http.proxy_errors import MalformedHeadError
from winnow.proxy.http2.fields import MalformedFieldsError
from winnow.proxy.server.requests.client_stream import ServerContext
from winnow.proxy.server.requests.http2_stream import head_of

NAMES = [
    *(b"content-length", b"transfer-encoding", b"connection", b"host", b"te", b"upgrade", b"x"),
    *(b"Content-Length", b"content-length ", b"content\xe2length", b"a:b", b"", b":path"),
    *(b"cookie", b"expect", b"keep-alive", b"proxy-connection", b"x\0", b"x ", b":authority"),
    b"x\r\ny",
]
VALUES = [
    *(b"0", b"5", b"+5", b"5, 5", b"5\r\nTransfer-Encoding: chunked", b"chunked", b"close", b""),
    *(b" 5", b"5 ", b"5\0", b"a\nb", b"trailers", b"gzip", b"site.test", b"other.test", b"0x5"),
    *(b"h2c", b"content-length", b"\xe2\x80\xa8", b"5\t", b"\x0b5", b"100-continue", b"00"),
]
PATHS = [b"/", b"/a?b", b"*", b"", b"a", b"/ HTTP/1.1\r\nx: y", b"/\t", b"http://x/", b"/\xff"]
METHODS = [b"GET", b"POST", b"HEAD", b"OPTIONS", b"CONNECT", b"G T", b"", b"GET / HTTP/1.1\r\nx:"]
AUTHORITIES = [b"site.test", b"site.test:80", b"a@site.test", b"", b"site.test\r\nx: y", b"a b"]
POLICY = Policy(name="winnow-test")
GENERATED = 100_000


def generated(seed: int, count: int) -> Iterator[tuple[list[tuple[bytes, bytes]], bool]]:
    """Field sections, most of them malformed in some way, and whether a body follows."""
    draw = random.Random(seed)
    for _ in range(count):
        pseudo = [
            (b":method", draw.choice(METHODS) if draw.random() < 0.3 else b"POST"),
            (b":scheme", draw.choice([b"http", b"http", b"https", b"ftp"])),
            (b":authority", draw.choice(AUTHORITIES) if draw.random() < 0.3 else b"site.test"),
            (b":path", draw.choice(PATHS) if draw.random() < 0.3 else b"/"),
        ]
        if draw.random() < 0.1:
            pseudo.pop(draw.randrange(4))
        more = [(draw.choice(NAMES), draw.choice(VALUES)) for _ in range(draw.randrange(3))]
        section = pseudo + more
        if draw.random() < 0.05:
            draw.shuffle(section)
        yield section, draw.random() < 0.5


def forwarded(section: list[tuple[bytes, bytes]], ended: bool) -> bytes | None:
    """The head that an origin of HTTP/1 gets; None where the request is refused."""
    try:
        head = head_of(section, ServerContext(), "127.0.0.1", secure=False, ended=ended)
    except MalformedFieldsError:
        return None
    decision = route(head, POLICY)
    if not isinstance(decision, ForwardRoute):
        return None
    fields = outgoing(head, decision.target, "", POLICY, page=True)
    return OriginRequest(head.method, decision.target, fields).head


def test_nothing_ambiguous_is_forwarded() -> None:
    passed = 0
    for section, ended in generated(20261122, GENERATED):
        try:
            head = forwarded(section, ended)
        except MalformedHeadError:
            continue
        if head is None:
            continue
        passed += 1
        lower = head.lower()
        lengths = re.findall(rb"\r\ncontent-length: ([^\r]*)", lower)
        chunked = lower.count(b"\r\ntransfer-encoding: chunked\r\n")
        assert lower.count(b"\r\nhost: ") == 1, section
        assert len(lengths) + chunked <= 1, section
        assert not (ended and chunked), section
        if not chunked and not any(length.strip(b"0") for length in lengths):
            assert strictly_read(head) is not None, section
    assert passed > GENERATED // 20  # or the others would say little


def test_the_judge_can_tell() -> None:
    with pytest.raises(AmbiguousError):
        strictly_read(b"GET / HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n")
