"""Generated heads of requests and replies, and where their bytes may stand on the other side.

Each line holds a mark of its own. On the other side a mark may stand in a field of its line's name
alone, and nothing there holds a line end that is not ours.
"""

from __future__ import annotations

import asyncio
import re
import resource
import sys
import time
from dataclasses import dataclass
from random import Random
from typing import Final

from aiohttp.base_protocol import BaseProtocol

from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.request_headers import outgoing
from winnow.proxy.decisions.request.routing import ForwardRoute, route
from winnow.proxy.decisions.response_headers import passed_on
from winnow.proxy.http.messages import request_head, response_head
from winnow.proxy.http.proxy_errors import ClientFaultError, MalformedResponseError
from winnow.proxy.server.requests.client_stream import ServerContext
from winnow.proxy.server.requests.http1_stream import request_head_of
from winnow.proxy.server.requests.request_parser import (
    RefusedRequestError,
    RequestMessage,
    RequestParser,
)
from winnow.proxy.upstream.response_parser import head_end, parse_head

MARK: Final = re.compile(rb"q\d{4}z")
TOKEN: Final = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
CHANGED: Final = frozenset({b"host", b"via", b"accept-encoding", b"max-forwards", b"upgrade"})
"""Fields of a request whose values we make anew or add to."""
SECONDS: Final = 1.0
"""Of CPU that one head may take."""
GROWTH: Final = 200 * 1024
"""Kilobytes by which the process may grow over a run."""
_POLICY: Final = Policy(name="winnow-fuzz")

_NAMES: Final = (
    b"Host", b"Connection", b"Via", b"Cookie", b"Set-Cookie", b"Location", b"Content-Length", b"TE",
    b"Transfer-Encoding", b"Upgrade", b"Accept-Encoding", b"Max-Forwards", b"Content-Type", b"Vary",
    b"Referer", b"Origin", b"Expect", b"Trailer", b"Proxy-Connection", b"Winnow-Level", b"ETag",
)  # fmt: skip
_VALUES: Final = (
    b"", b"chunked", b"close", b"keep-alive, x", b"0", b"5", b"9" * 5000, b"gzip", b"websocket",
    b"100-continue", b"text/html", b"a.example", b"*", b"a=b; c=d", b'"x"', b"/a", b"1.1 winnow",
)  # fmt: skip
_ODD: Final = (
    b"\r", b"\0", b"\x0b", b"\x7f", b"\x80", b"\xff", b"\xc3\xa4", b":", b": ", b" ", b"\t", b",",
    b";", b'"', b"\r ", b"\rX: y", b"%0d%0a", b"\\r\\n", b"\xe5\x98\x8a\xe5\x98\x8d", b"\x1b[0m",
)  # fmt: skip
_TARGETS: Final = (
    b"http://a.example/", b"http://a.example:81/x?", b"http://u:p@a.example/", b"https://[::1]/",
    b"http://a.example", b"/", b"*", b"a.example:443", b"http://a.example/#", b"http:///",
)  # fmt: skip


class LeakError(AssertionError):
    """A byte of one side stands on the other where it must not."""


@dataclass(frozen=True, slots=True)
class Line:
    """A field line: ``raw`` without its end, and the name under which its mark may appear."""

    raw: bytes
    name: bytes


@dataclass(frozen=True, slots=True)
class Made:
    """A head as bytes, and the name in lower case under which each mark may appear."""

    data: bytes
    places: dict[bytes, bytes]
    target: bytes = b""


def _noise(random: Random, odd: float) -> bytes:
    if random.random() < odd:
        return random.choice(_ODD) + (random.choice(_ODD) if random.random() < 0.3 else b"")
    return random.choice((b"", b"a", b"-", b"x=1", b" b"))


def _lines(random: Random, odd: float) -> list[Line]:
    found: list[Line] = []
    for number in range(random.randrange(9)):
        mark = b"q%04dz" % number
        known = random.random() < 0.6
        name = random.choice(_NAMES) if known else b"X-" + mark
        name += random.choice(_ODD) if random.random() < odd / 4 else b""
        value = _noise(random, odd) + mark + _noise(random, odd) + random.choice(_VALUES)
        if known and random.random() < 0.4:
            value = random.choice(_VALUES)  # as it is meant, so that it does something
        if found and random.random() < odd / 4:
            found.append(Line(random.choice((b" ", b"\t")) + value, found[-1].name))
            continue
        raw = name + random.choice((b": ", b":", b":  ", b" : " if odd else b": ")) + value
        found.append(Line(raw, raw.partition(b":")[0].strip(b" \t").lower()))
    if random.random() < 0.0005:
        found.append(Line(b"X-Long: " + b"v" * random.randrange(400_000), b"x-long"))
    return found


def _joined(random: Random, first: bytes, lines: list[Line], odd: float) -> Made:
    ends = [b"\n" if random.random() < odd / 6 else b"\r\n" for _ in range(len(lines) + 2)]
    data = b"".join(
        raw + end
        for raw, end in zip([first, *[each.raw for each in lines]], ends[:-1], strict=True)
    )
    places = {mark: each.name for each in lines for mark in MARK.findall(each.raw)}
    return Made(data + ends[-1], places)


def made_request(random: Random) -> Made:
    """A request's head; two of three hold nothing that HTTP forbids."""
    odd = random.choice((0.0, 0.0, 0.4))
    method = random.choice((b"GET", b"GET", b"POST", b"OPTIONS", b"CONNECT", b"PROPFIND", b"brew!"))
    target = random.choice(_TARGETS) + b"q9999z" + _noise(random, odd).replace(b" b", b"b")
    version = random.choice((b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0"))
    lines = [Line(b"Host: a.example", b"host"), *_lines(random, odd)]
    made = _joined(random, b"%b %b %b" % (method, target, version), lines, odd)
    return Made(made.data, {**made.places, b"q9999z": b"host"}, target)  # of the authority


def made_reply(random: Random) -> Made:
    """A reply's head, as lenient as origins are."""
    odd = random.choice((0.0, 0.4, 0.8))
    status = random.choice((b"200", b"301", b"404", b"999", b"204", b"20", b"0200"))
    phrase = random.choice((b" OK", b"", b" q9999z", b" a" + _noise(random, odd)))
    return _joined(random, b"HTTP/1.1 " + status + phrase, _lines(random, odd), odd)


def check(sent: bytes, made: Made) -> None:
    """Raises LeakError where a head that we made of another holds what it must not."""
    if not sent.endswith(b"\r\n\r\n"):
        raise LeakError(f"no end: {sent[:300]!r} of {made.data[:300]!r}")
    first, *fields = sent[:-4].split(b"\r\n")
    if b"\0" in sent or any(b"\r" in each or b"\n" in each or not each for each in fields):
        raise LeakError(f"a line end within: {sent[:300]!r} of {made.data[:300]!r}")
    if set(MARK.findall(first)) - {b"q9999z"}:
        raise LeakError(f"a field in the first line: {sent[:300]!r} of {made.data[:300]!r}")
    for each in fields:
        name = each.partition(b": ")[0]
        if not TOKEN.match(name):
            raise LeakError(f"no field: {each[:300]!r} of {made.data[:300]!r}")
        for mark in MARK.findall(each):
            if made.places.get(mark) != name.lower():
                raise LeakError(f"a mark elsewhere: {each[:300]!r} of {made.data[:300]!r}")


def reply_survives(made: Made) -> bool:
    """Whether the reply is passed on. Raises LeakError."""
    try:
        end = head_end(made.data)
        head = parse_head(made.data[:end]) if end > 0 else None
    except MalformedResponseError:
        return False
    if head is None:
        return False
    check(response_head(head.status, head.reason, passed_on(head, _POLICY)), made)
    return True


def request_survives(made: Made, loop: asyncio.AbstractEventLoop, random: Random) -> bool:
    """Whether the request is forwarded. Raises LeakError."""
    parser = RequestParser(BaseProtocol(loop), loop, 2**16, 100)
    cut = random.randrange(len(made.data))
    try:
        messages = [
            message
            for piece in (made.data[:cut], made.data[cut:])
            for message, _ in parser.feed_data(piece)[0]
        ]
    except RefusedRequestError:
        return False
    forwarded = False
    for message in messages:
        forwarded = _is_forwarded(message, made) or forwarded
    return forwarded


def _is_forwarded(message: RequestMessage, made: Made) -> bool:
    head = request_head_of(message, "127.0.0.1", ServerContext())
    decision = route(head, _POLICY)
    if not isinstance(decision, ForwardRoute):
        return False
    try:
        fields = outgoing(head, decision.target, "", _POLICY, page=True)
    except ClientFaultError:
        return False
    path = decision.target.path
    sent = request_head(head.method, path, fields)
    check(sent, made)
    if head.method == "OPTIONS" and path == "*":
        return True  # of an origin without a path (RFC 9112, section 3.2.4)
    if not made.target.partition(b"#")[0].strip(b" ").endswith(path.strip("/").encode("latin-1")):
        raise LeakError(f"another target: {path!r} of {made.target!r}")
    known = {value for _, value in head.headers}
    for name, value in fields:
        if name.lower().encode() not in CHANGED and value not in known | {"chunked", "Upgrade"}:
            raise LeakError(f"another value: {value[:300]!r} of {made.data[:300]!r}")
    return True


def run(count: int, seconds: float, first: int) -> tuple[int, int, int]:
    """Try ``count`` heads of each side; how many were tried of each, and how many went on.

    Raises LeakError, AssertionError for a head that took too long or memory that is not given back.
    """
    loop = asyncio.new_event_loop()
    random, begun, went_on = Random(first), time.monotonic(), [0, 0]
    grown = 0
    for number in range(count):
        request, reply = made_request(random), made_reply(random)
        start = time.thread_time()
        went_on[0] += request_survives(request, loop, random)
        went_on[1] += reply_survives(reply)
        assert time.thread_time() - start < SECONDS, (request.data[:200], reply.data[:200])
        if number == min(1000, count // 2):
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if not number % 10_000:
            sys.stdout.write(f"\r{number} heads of each side ")
            sys.stdout.flush()
            if time.monotonic() - begun > seconds:
                break
    loop.close()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown
    assert grown < GROWTH, f"{grown} kB more after {number} heads"
    return number + 1, went_on[0], went_on[1]
