"""Values that no address, number, path, expression or document is, at every own page and field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final
from urllib.parse import quote

from tests.attack.attempts import Attempt
from tests.attack.families.wire import answered, odd
from tests.attack.web import request, throw
from tests.attack.worlds import SECRET, World
from tests.proxy.origins import reply

MALFORMED: Final = (
    "http://[",
    "http://[::1",
    "http://]/",
    "//[",
    "http://[.]/",
    "http://[::::]/",
    "http://a:99999/",
    "http://a\u2100b/",
    "http:///",
    "http://@:@/",
    "\ud7ff",
    "http://[v1.x]/",
    "https://%5b/",
)
FIELDS: Final = ("Referer", "Origin", "Host", "Forwarded", "Winnow-Extractor", "Cookie", "Via")
FOUND_BY_ADDRESS: Final = (
    "/-/read",
    "/-/why",
    "/-/why/part",
    "/-/compare",
    "/-/annotate",
    "/-/book",
    "/-/feed",
    "/-/print",
    "/-/listen",
    "/-/save",
    "/-/original",
    "/-/keep",
    "/-/choose",
    "/-/api/extract",
    "/-/check",
    "/-/render",
    "/-/extract",
)
SURFACES: Final = {
    "catalogues and books": ("/-/opds", "/-/opds/search", "/-/opml", "/-/book", "/-/saved/export"),
    "audio": ("/-/audio", "/-/listen"),
    "rules editor": ("/-/settings/rules",),
    "pairing": ("/-/api/pair", "/-/extensions", "/-/api/page"),
}
NAMES: Final = ("url", "number", "rule", "tag", "format", "page", "q", "id", "code", "part", "at")
VALUES: Final = (
    "",
    "-1",
    "1e999",
    "9" * 400,
    "\u0661",
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "/etc/passwd",
    "file:///etc/passwd",
    "(a+)+$",
    "(" * 500,
    "[" * 500,
    "\\",
    "%00",
    "\u202e",
    "' OR 1=1 --",
    "]]>",
    "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>",
    "&a;",
    "*" * 2000,
    "a\r\nSet-Cookie: b=c",
    *MALFORMED,
)
ENTITY: Final = (
    '<!DOCTYPE rss [<!ENTITY a {}>]><rss version="2.0"><channel><title>&a;</title><item>'
)
FEEDS: Final = {
    "a file": ENTITY.format("SYSTEM 'file:///etc/passwd'"),
    "the local tool": ENTITY.format("SYSTEM 'http://127.0.0.1/'"),
    "a parameter": "<!DOCTYPE rss [<!ENTITY % a SYSTEM 'http://10.0.0.1/'> %a;]><rss><channel>",
    "a style sheet": "<?xml-stylesheet href='http://10.0.0.1/'?><rss><channel>",
    "XInclude": "<rss xmlns:x='http://www.w3.org/2001/XInclude'><x:include href='/etc/passwd'/>",
    "laughs": "<!DOCTYPE rss ["
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10 if n else 'ha'}'>" for n in range(12))
    + "]><rss version='2.0'><channel><title>&a11;</title>",
    "depth": "<rss version='2.0'><channel>" + "<item>" * 20_000,
}


async def fed(world: World, feed: str, target: str) -> str:
    """A document of XML reads no file, asks nobody and unpacks to nothing."""
    world.site.replies["/feed"] = reply(feed.encode(), "Content-Type: application/rss+xml")
    got = await throw(world.port, request(target, world.own), silence=15)
    if b"root:" in got.raw or SECRET in got.raw:
        return f"a file or the local tool was read: {got.raw[:200]!r}"
    return odd(world, got) or world.broken_into()


def attempts() -> Iterator[Attempt]:
    for page in (*FOUND_BY_ADDRESS, "http://site.example/", "/http://site.example/"):
        for value in MALFORMED:
            target = f"{page}?url={quote(value)}" if page.startswith("/-/") else page
            for name in FIELDS:
                line = f"{name}: {value}".encode().decode("latin-1")
                run = partial(answered, target=target, fields=(line,))
                yield Attempt("malformed addresses", f"{value!r} in {name} at {page}", run)
    for family, pages in SURFACES.items():
        for page in pages:
            for name in NAMES:
                for value in VALUES:
                    run = partial(answered, target=f"{page}?{name}={quote(value)}", fields=())
                    yield Attempt(family, f"{name}={value[:20]!r} at {page}", run)
    for name, feed in FEEDS.items():
        for view in ("/-/feed", "/-/read", "/-/book", "/-/api/extract"):
            target = f"{view}?url=http://site.example/feed"
            yield Attempt(
                "documents of XML", f"{name} at {view}", partial(fed, feed=feed, target=target)
            )
