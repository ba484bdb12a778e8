"""Request and response splitting: control characters by every parameter of every own page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final
from urllib.parse import quote

from tests.attack.attempts import Attempt
from tests.attack.web import LOCAL, Got, request, throw
from tests.attack.worlds import World

INJECTED: Final = "Injected: yes"
BREAKS: Final = {
    "CR LF": "%0d%0a",
    "LF": "%0a",
    "CR": "%0d",
    "NUL CR LF": "%00%0d%0a",
    "blank CR LF": "%20HTTP/1.1%0d%0a",
    "twice encoded": "%250d%250a",
    "letters that end in CR LF": "%E5%98%8D%E5%98%8A",
    "line separator": "%E2%80%A8",
    "next line": "%C2%85",
    "overlong": "%C0%8D%C0%8A",
    "vertical tab": "%0b",
    "tab": "%09",
    "unpaired surrogate": "%ED%A0%8D",
    "lower and upper": "%0D%0A%20",
}
PLACES: Final = {
    "path": "http://site.example/a{}b",
    "query": "http://site.example/a?b={}c",
    "fragment": "http://site.example/a#{}c",
    "host": "http://site.example{}/a",
    "port": "http://site.example:80{}/a",
    "user": "http://u{}:p@site.example/a",
    "scheme": "http{}://site.example/a",
    "start": "{}http://site.example/a",
    "end": "http://site.example/a{}",
}
URL_PAGES: Final = (
    "/-/read?mode=original&url=",
    "/-/read?url=",
    "/-/read?format=markdown&url=",
    "/-/read?profile=basic&url=",
    "/-/api/extract?url=",
    "/-/api/extract?format=json&url=",
    "/-/compare?url=",
    "/-/why?url=",
    "/-/why/page?url=",
    "/-/feed?url=",
    "/-/book?url=",
    "/-/small/go?url=",
    "/-/small/",
    "/-/small/w100/",
    "/",
    "/-/annotate?url=",
)
OWN_PARAMETERS: Final = (
    "/-/choose?action=never&token=x&page=",
    "/-/choose?action=",
    "/-/choose?action=never&page=http://site.example/&token=",
    "/-/choose?action=extractor&page=http://site.example/&token=x&value=",
    "/-/original?token=x&page=",
    "/-/original?page=http://site.example/&token=",
    "/-/settings/reading?back=",
    "/-/settings/learned?export=",
    "/-/settings?x=",
    "/-/small/go?url=http://site.example/",
    "/-/small/w100/go?url=http://site.example/",
    "/-/small/search?q=",
    "/-/small/options?width=",
    "/-/book?url=http://site.example/&title=",
    "/-/book?url=http://site.example/&images=",
    "/-/read?url=http://site.example/&format=",
    "/-/read?url=http://site.example/&extractor=",
    "/-/read?url=http://site.example/&level=",
    "/-/read?url=http://site.example/&part=",
    "/-/read?url=http://site.example/&mode=",
    "/-/read?url=http://site.example/&profile=",
    "/-/api/extract?url=http://site.example/&format=",
    "/-/api/extract?url=http://site.example/&extractor=",
    "/-/api/extract?url=http://site.example/&charset=",
    "/-/compare?url=http://site.example/&methods=",
    "/-/compare?url=http://site.example/&extractor=",
    "/-/why?url=http://site.example/&extractor=",
    "/-/setup?x=",
    "/-/check?x=",
    "/-/",
    "/",
    "/-/small/w100.",
)
FORMS: Final = (
    ("/-/choose", "action=never&token=x&page={}"),
    ("/-/choose", "action={}&page=http://site.example/&token=x"),
    ("/-/settings", "change={}&token=x&value=x"),
    ("/-/settings", "change=forget&token={}&value=x"),
    ("/-/settings/reading", "token=x&back={}"),
    ("/-/small/bookmark", "url={}&title=x&token=x"),
    ("/-/small/http://site.example/a{}", "q=x"),
    ("/-/keep", "do=keep&page={}&token=x"),
    ("/-/api/extract?url=http://site.example/{}", "<p>x"),
)
FIELDS: Final = (
    "Accept", "Accept-Language", "Accept-Encoding", "User-Agent", "Winnow-Extractor",
    "Winnow-Format", "Winnow-Level", "Winnow-Mode", "Winnow-Https", "Winnow-Profile", "Origin",
    "Referer", "Cookie", "If-None-Match", "If-Modified-Since", "Range", "If-Range", "Via",
    "X-Forwarded-For", "Forwarded", "Cache-Control", "Connection", "TE", "Host",
)  # fmt: skip
_SETTINGS = b"\x04\x00\x00\x00\x00\x00"
"""Type, flags and stream of the frame that HTTP/2 begins with (RFC 9113, sections 4.1 and 6.5)."""
_STATUS: Final = re.compile(rb"(?:^|\n)HTTP/1\.[01] \d\d\d ")
_OWN_LINE: Final = re.compile(rb"[\r\n\x0b\x0c]\s*(?:injected:|GET /smuggled)", re.IGNORECASE)


def requests_split(world: World) -> str:
    """What of a payload stands outside its own field at the origins."""
    for site in (world.site, world.tool):
        for head in site.requests:
            if _OWN_LINE.search(head) or head.startswith(b"GET /SMUGGLED"):
                return f"the origin read {head[:200]!r}"
            if any(byte < 32 and byte not in (9, 10, 13) for byte in head) or b"\n" in head.replace(
                b"\r\n", b""
            ):
                return f"a control character came to the origin: {head[:200]!r}"
    return ""


def response_split(got: Got) -> str:
    """What of a payload stands in the reply's head on a line of its own."""
    if got.raw[3:9] == _SETTINGS and b"Injected" not in got.raw:
        return ""  # the answer to HTTP/2's preface has frames, no lines
    head = got.head
    if len(_STATUS.findall(got.raw)) > 1 and b"Injected" in got.raw:
        return f"a second reply: {got.raw[:300]!r}"
    if _OWN_LINE.search(head) or b"\n" in head.replace(b"\r\n", b"") or b"\0" in head:
        return f"the reply's head: {head[:300]!r}"
    return f"status {got.status}: {got.body[:150]!r}" if got.status >= 500 and _ours(got) else ""


def _ours(got: Got) -> bool:
    """Whether a fault is ours rather than a site's that cannot be reached."""
    return got.status == 500


async def split(world: World, target: str, method: str = "GET", body: bytes | None = None) -> str:
    fields = () if method == "GET" else (f"Origin: http://{world.own}",)
    got = await throw(world.port, request(target, world.own, fields or LOCAL, method, body))
    return requests_split(world) or response_split(got)


async def field_split(world: World, name: str, value: bytes) -> str:
    """A raw control character within a field of a forwarded request."""
    own = b"" if name == "Host" else b"Host: site.example\r\n"
    head = b"GET http://site.example/ HTTP/1.1\r\n%b%b: %b\r\nConnection: close\r\n\r\n"
    got = await throw(world.port, head % (own, name.encode(), value), silence=0.5)
    return requests_split(world) or response_split(got)


async def target_split(world: World, target: bytes) -> str:
    """A forwarded request whose target holds odd bytes: whole and alike, or refused."""
    got = await throw(world.port, request(target, "site.example"), silence=0.5)
    return requests_split(world) or response_split(got)


def _payload(mark: str) -> str:
    return f"{mark}{quote(INJECTED)}{mark}{mark}GET%20/SMUGGLED%20HTTP/1.1{mark}{mark}"


def _urls() -> Iterator[tuple[str, str]]:
    for place, pattern in PLACES.items():
        for name, mark in BREAKS.items():
            yield f"{name} in the {place}", pattern.format(_payload(mark))


def attempts() -> Iterator[Attempt]:
    for start in URL_PAGES:
        for name, url in _urls():
            yield Attempt(
                "request splitting", f"{start} {name}", partial(split, target=start + url)
            )
    for start in OWN_PARAMETERS:
        for name, mark in BREAKS.items():
            target = f"{start}x{_payload(mark)}"
            yield Attempt("response splitting", f"{start} {name}", partial(split, target=target))
    for path, form in FORMS:
        for name, mark in BREAKS.items():
            said = _payload(mark)
            body = form.format("http://site.example/" + said).encode()
            run = partial(split, target=path.format(said), method="POST", body=body)
            yield Attempt("response splitting", f"POST {path} {form} {name}", run)
    yield from _raw()


def _raw() -> Iterator[Attempt]:
    marks = (b"\r", b"\n", b"\0", b"\r\r\n", b"\x0b", b"\x0c", b"\x7f", b"\x1b")
    for mark in marks:
        odd = mark + b"Injected: yes" + mark
        for name in FIELDS:
            run = partial(field_split, name=name, value=b"a" + odd)
            yield Attempt("request splitting", f"{mark!r} in {name}", run)
        for before in (b"http://site.example/a", b"http://site.example", b"/http://site.example/"):
            run = partial(target_split, target=before + odd + b"b")
            yield Attempt("request splitting", f"{mark!r} behind {before!r}", run)
    for letter in ("ä€", "Привет", "漢字", "\u2028", "\ufeff", "😀", "a\u0301"):
        for start in URL_PAGES:
            for said in (letter, quote(letter)):
                target = f"{start}http://site.example/{said}"
                name = f"{start} with {said!a}"
                yield Attempt("odd letters", name, partial(split, target=target))
