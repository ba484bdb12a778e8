"""Messages of a paired browser extension that hold what none writes: each is refused or harmless.

A page can have made what an extension sends on: the address, the document, the tags.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Final
from urllib.parse import quote

from tests.attack.attempts import Attempt
from tests.attack.families.extensions import PAIRED, by_script, paired_key
from tests.attack.web import page, request, throw
from tests.attack.worlds import PRIVATE, World

FAMILY: Final = "messages of an extension"
URL: Final = "http://m.site.example/"
"""A site of its own, since choices for a site hold for those below it."""
STRINGS: Final = (
    "", " ", "\0", "\ud800", "\udfff\ud800", "a\r\nSet-Cookie: x=1", "\u202eevil", "🙂" * 2000, "%",
    "%ff%fe", "%ed%a0%80", "<script>alert(1)</script>", "{code}", "{0.__class__}", "%(code)s",
    "__proto__", "../../etc/passwd", "' OR 1=1 --", "x" * 7000, "-1", "1e999", "null",
)  # fmt: skip
VALUES: Final[tuple[object, ...]] = (
    None, True, -1, 10**400, 1e308, [], ["never"], {}, {"never": 1}, [[[[]]]], *STRINGS,
)  # fmt: skip
URLS: Final = (
    "http://[", "http://[::1", "//[", "http://]/", "javascript:alert(1)", "data:text/html,x",
    "file:///etc/passwd", "about:blank", "moz-extension://x/", "http://", "http:///", "http://:80/",
    "http://m.site.example:99999/", "http://m.site.example:-1/", "http://a b/", "http://xn--/",
    "http://\ud800/", "http://m.site.example/\ud800", "http://m.site.example/?\r\nX: y",
    "//m.site.example", "http://user:pass@m.site.example/", "HTTP://M.SITE.EXAMPLE./",
    "http://m.site。example/", "view-source:x",
    *(f"http://[{each}]/" if ":" in each else f"http://{each}/" for each in PRIVATE),
)  # fmt: skip
BODIES: Final = {
    "no body": b"", "an array": b"[]", "a number": b"1", "cut short": b'{"url": "http://m.site.exam',
    "NaN": b'{"url": NaN}', "a number of 7,000 digits": b'{"url": %b}' % (b"9" * 7000),
    "3,900 arrays": b'{"url":' + b"[" * 3900 + b"]" * 3900 + b"}",
    "3,900 open arrays": b'{"url":' + b"[" * 3900,
    "UTF-16": json.dumps({"url": URL}).encode("utf-16"),
    "UTF-32": json.dumps({"url": URL}).encode("utf-32"), "no UTF-8": b'{"url": "\xff\xfe"}',
    "two of a name": b'{"mode": "never", "mode": "x", "url": "http://m.site.example/"}',
    "800 names": json.dumps({f"n{n}": n for n in range(700)}).encode(),
    "a form": b"url=http%3A%2F%2Fm.site.example&mode=never", "a null byte": b'{"url":"x"}\0',
    "too long": b'{"url": "' + b"x" * 20_000 + b'"}',
}  # fmt: skip
METHODS: Final = ("nosuch", "nosuch:1", "auto-", "autos:2", "Auto", "none", "a.b:c", "x-y:z=1")
TAGS: Final = ("%00", "%0d%0a", "%ed%a0%80", "%ff", "a," * 3000, "x" * 7000, "<b>", "a%2cb", ",,,,")


async def said(world: World, path: str, body: bytes, *fields: str) -> tuple[int, str]:
    """The answer's status, and what is wrong with it however it was meant."""
    key = await paired_key(world)
    sent = (f"Winnow-Pairing: {key}", *by_script(PAIRED), *fields)
    got = await throw(world.port, request(path, world.own, sent, "POST", body))
    if not 200 <= got.status < 500 and got.status != 502:  # a page that cannot be fetched
        return got.status, f"status {got.status}"
    if got.field("access-control-allow-origin") != PAIRED:
        return got.status, f"it is shared with {got.field('access-control-allow-origin')!r}"
    if "json" not in got.field("content-type"):
        return got.status, f"it is {got.field('content-type')}"
    json.loads(got.body)
    return got.status, world.broken_into()


async def harmless(world: World, body: bytes) -> str:
    """``/-/api/page``: refused, and nothing stored, or a choice that a person could make."""
    status, wrong = await said(world, "/-/api/page", body)
    if wrong or status >= 400:
        return wrong or _stored(world)
    return "" if status == 200 and len("".join(world.lasting())) < 1 << 20 else f"status {status}"


async def method_chosen(world: World, method: str) -> str:
    """A method that no form offers is not stored: all pages of a site would fail by it."""
    body = json.dumps({"url": URL, "extractor": method}).encode()
    status, wrong = await said(world, "/-/api/page", body)
    return wrong or ("" if status == 400 else f"{method!r} was chosen (status {status})")


def _stored(world: World) -> str:
    """What a refused message has left: its marks stand nowhere on the disk."""
    marks = ("etc/passwd", "OR 1=1", "alert(1)", "javascript:", "Set-Cookie")
    lasting = "".join(world.lasting())
    return next((f"{mark!r} was stored" for mark in marks if mark in lasting), "")


async def saved(world: World, query: str, body: bytes) -> str:
    """``/-/api/save``: a page of a private address is never fetched, no script is kept."""
    status, wrong = await said(world, f"/-/api/save?{query}", body, "Content-Type: text/html")
    return wrong or (_stored(world) if status >= 400 else "")


async def extracted(world: World, query: str, body: bytes) -> str:
    return (await said(world, f"/-/api/extract?{query}", body, "Content-Type: text/html"))[1]


def attempts() -> Iterator[Attempt]:
    for name, body in BODIES.items():
        yield Attempt(FAMILY, name, partial(harmless, body=body))
    for url in URLS:
        body = json.dumps({"url": url, "mode": "never", "view": "original"}).encode()
        yield Attempt(FAMILY, f"page {url[:50]!a}", partial(harmless, body=body))
        query = "url=" + quote(url.encode("utf-8", "surrogatepass"), safe="")
        yield Attempt(FAMILY, f"save {url[:50]!a}", partial(saved, query=query, body=b""))
        for run in (saved, extracted):
            name = f"{run.__name__} {url[:50]!a} with a document"
            yield Attempt(FAMILY, name, partial(run, query=query, body=page("Given")))
    for field in ("url", "mode", "view", "extractor", "code"):
        for value in VALUES:
            body = json.dumps({"url": URL, field: value}).encode()
            yield Attempt(FAMILY, f"{field} {value!a:.50}", partial(harmless, body=body))
    for method in METHODS:
        yield Attempt(FAMILY, f"method {method}", partial(method_chosen, method=method))
    for tags in TAGS:
        query = f"url={URL}&tags={tags}"
        yield Attempt(FAMILY, f"tags {tags[:50]}", partial(saved, query=query, body=page("Tags")))
