"""Markup of a page: scripts and forms in what we show, spoofed bars, trees that end a worker."""

from __future__ import annotations

import itertools
import os
import random
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from benchmarks.load.programs import children
from tests.attack.attempts import Attempt
from tests.attack.families.wire import odd
from tests.attack.web import CHROME, HTML, SENTENCE, request, throw
from tests.attack.worlds import SECRET, World
from tests.document.render.pages import dangers
from tests.payloads import PAYLOADS
from tests.proxy.origins import html, reply

CRASH: Final = "<svg ><style><!--</style></svg></body></html>"
FACES: Final = {
    "proxy": ("http://site.example{}", (HTML,)),
    "pruned": ("http://site.example{}", (HTML, "Winnow-Format: pruned")),
    "voice": ("http://site.example{}", (HTML, "Winnow-Profile: voice")),
    "gateway, level 12": ("/-/read?level=12&url=http://site.example{}", (HTML,)),
    "gateway": ("/http://site.example{}", (HTML,)),
    "read": ("/-/read?format=pruned&url=http://site.example{}", (HTML,)),
    "small": ("/-/small/http://site.example{}", (HTML,)),
    "compare": ("/-/compare?url=http://site.example{}", (HTML,)),
    "why": ("/-/why?url=http://site.example{}", (HTML,)),
    "why, its frame": ("/-/why/page?url=http://site.example{}", (HTML,)),
}
OUTER: Final = (
    "svg", "math", "svg><foreignObject", "math><mtext", "math><annotation-xml encoding=text/html",
    "svg><desc", "table", "select", "template", "p",
)  # fmt: skip
RAW: Final = (
    "style", "title", "xmp", "noscript", "iframe", "noembed", "noframes", "textarea", "plaintext",
    "script",
)  # fmt: skip
INNER: Final = (
    "<!--</{0}><img src=x onerror=alert(1)>-->",
    "</{0}><img src=x onerror=alert(1)>",
    "<a title='</{0}><img src=x onerror=alert(1)>'>",
    "<![CDATA[</{0}><img src=x onerror=alert(1)>]]>",
    "&lt;/{0}&gt;&lt;img src=x onerror=alert(1)&gt;",
    "<!--</{0}>",
    "<{0}></{0}></p><a href='javascript:alert(1)'>a</a>",
)
KEEPING_STYLES: Final = {"pruned", "read", "gateway, level 12"}
"""Where a page keeps its own styles, which may hide our bar (docs/security.md says so)."""
FRAUDS: Final = {
    "a bar of its own": "<div id=winnow-bar><a href=http://evil.example/>Original</a></div>",
    "a bar by its mark": "<!--winnow:bar--><div id=winnow-bar>ours</div>",
    "a form to us": "<form method=post action=/-/choose><input type=hidden name=action "
    "value=never><button>Read on</button></form>",
    "a form to our name": "<form method=post action=http://winnow.internal/-/settings>"
    "<button name=change value=forget-all>Read on</button></form>",
    "a base": "<base href=http://evil.example/>",
    "a refresh": "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "a policy": '<meta http-equiv=Content-Security-Policy content="script-src *">',
    "a style over the bar": "<style>#winnow-bar{display:none}</style>",
    "a fixed cover": "<div style='position:fixed;inset:0;z-index:2147483647'>cover</div>",
    "a manifest": "<link rel=manifest href=/m.json><link rel=import href=/x>",
    "a prefetch of our pages": "<link rel=prefetch href=http://winnow.internal/-/settings>",
    "a picture of our pages": "<img src=http://winnow.internal/-/choose?action=never>",
    "a frame": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "an object": "<object data=/x></object><embed src=/x>",
    "a clobbered document": "<form id=document><input name=cookie></form><a id=location></a>",
}


def shown_as(markup: str) -> bytes:
    text = f"<p>{SENTENCE * 4}</p>" * 3
    return html(
        f"<!doctype html><html lang=en><head><title>T</title></head><body><h1>T</h1>{text}{markup}"
        f"{text}</body></html>".encode()
    )


async def run_in(world: World, markup: str, face: str) -> str:
    """Nothing of a page runs in what we make of it, whichever way a browser reads it."""
    target, fields = FACES[face]
    path = f"/markup{abs(hash(markup)):x}"
    world.site.replies[path] = shown_as(markup)
    host = world.own if target.startswith("/") else "site.example"
    got = await throw(world.port, request(target.format(path), host, fields))
    if through := odd(world, got):
        return through
    if not target.startswith("/-/") and got.field("winnow-action") != "extracted":
        return ""
    if "level" in target:  # what is left of the page itself: its own policy has to hold it
        return policy(got.field("content-security-policy"))
    return running(got.body.decode("utf-8", "replace")) or policy(
        got.field("content-security-policy")
    )


def running(markup: str) -> str:
    """What in a page of ours could run, in its own bytes and as a browser writes it again."""
    tree = LexborHTMLParser(markup)
    for reading in (markup, tree.html or ""):
        found = [danger for danger in dangers(reading) if "winnow" not in danger]
        if found:
            return f"it runs: {found[0][:160]}"
    if len(tree.css("#winnow-bar")) > 1:
        return "there are two bars"
    for form in tree.css("form"):
        if "evil" in (form.attributes.get("action") or ""):
            return "a form leads away"
    if tree.css("base"):
        return "a base is left"
    return ""


def policy(said: str) -> str:
    """Whether a Content-Security-Policy lets a script run."""
    if not said:
        return "no Content-Security-Policy"
    allowed = re.search(r"script-src ([^;]*)", said) or re.search(r"default-src ([^;]*)", said)
    ok = allowed and allowed[1].strip() in ("'none'", "")
    return "" if ok or "sandbox" in said else f"scripts are allowed: {said[:160]}"


async def frauded(world: World, markup: str, face: str) -> str:
    """The one bar is ours, and no form or link of a page passes for it."""
    before = world.lasting()
    target, fields = FACES[face]
    path = f"/fraud{abs(hash(markup)):x}"
    world.site.replies[path] = shown_as(markup)
    host = world.own if target.startswith("/") else "site.example"
    got = await throw(world.port, request(target.format(path), host, fields))
    if target.startswith("/-/small") or got.field("winnow-action") == "extracted":
        tree = LexborHTMLParser(got.body)
        ours = [form.attributes.get("action") or "" for form in tree.css("main form, article form")]
        if any("/-/" in action for action in ours) and not target.startswith("/-/small"):
            return f"a page's form leads to us: {ours}"
        if b"<style>#winnow-bar{display:none}" in got.body:
            return "the bar is hidden"
        if through := running(got.body.decode("utf-8", "replace")):
            return through
    if "small" not in target and world.lasting() != before:
        return "showing the page changed what lasts"
    return ""


def workers() -> frozenset[int]:
    return frozenset(children(os.getpid(), "winnow.engine.worker"))


async def crashed(world: World, markup: bytes, form: str, extractor: str) -> str:
    """No page ends the process that extracts it."""
    before = workers()
    query = f"/-/api/extract?format={form}&extractor={extractor}"
    got = await throw(world.port, request(query, world.own, ("Content-Type: text/html",), "POST",
                                          markup))  # fmt: skip
    if gone := before - workers():
        return f"worker {sorted(gone)} ended"
    return odd(world, got)


def mutated() -> Iterator[tuple[str, bytes]]:
    """Pages like the one that ended a worker once, cut and mixed."""
    words = (
        "<!-- --> </svg> </math> </style> </html> </body> <td> <![CDATA[ ]]> text <p> </p> <b> "
        "</table> <head> <frameset> \0 &#0; <a> </title> <li> <body> <html> </template> "
        "<style><!-- <br/>"
    )
    scraps = [CRASH, *words.split(" "), *(f"<{name}>" for name in (*OUTER, *RAW))]
    chance = random.Random(1848)
    for number in range(300):
        chosen = "".join(chance.choice(scraps) for _ in range(chance.randint(2, 30)))
        yield f"mutated {number}", chosen.encode()


FEEDS: Final = {
    "billion laughs": "<!DOCTYPE rss [<!ENTITY a 'aaaaaaaaaa'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1 or str()};' * 10}'>" for n in range(1, 10))
    + "]><rss version='2.0'><channel><title>&a9;</title><item><link>http://site.example/i</link>"
    "<title>&a9;</title></item></channel></rss>",
    "quadratic": f"<!DOCTYPE rss [<!ENTITY a '{'a' * 50_000}'>]><rss version='2.0'><channel>"
    f"<title>{'&a;' * 50_000}</title></channel></rss>",
    "a file": "<!DOCTYPE rss [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss version='2.0'>"
    "<channel><title>&a;</title></channel></rss>",
    "a tool": "<!DOCTYPE rss [<!ENTITY a SYSTEM 'http://127.0.0.1:{port}/'>]><rss version='2.0'>"
    "<channel><title>&a;</title></channel></rss>",
    "a DTD": "<!DOCTYPE rss SYSTEM 'http://127.0.0.1:{port}/x.dtd'><rss version='2.0'><channel>"
    "<title>a</title></channel></rss>",
    "parameter entities": "<!DOCTYPE rss [<!ENTITY % a SYSTEM 'http://127.0.0.1:{port}/'>%a;]>"
    "<rss version='2.0'><channel><title>a</title></channel></rss>",
    "XInclude": "<rss xmlns:xi='http://www.w3.org/2001/XInclude' version='2.0'><channel><title>"
    "<xi:include href='file:///etc/passwd' parse='text'/></title></channel></rss>",
    "items inside": "<rss version='2.0'><channel><title>a</title>"
    + "<item><link>http://127.0.0.1:{port}/</link><title>i</title></item>" * 3
    + "</channel></rss>",
    "a style sheet": "<?xml-stylesheet href='http://127.0.0.1:{port}/'?><rss version='2.0'>"
    "<channel><title>a</title></channel></rss>",
    "deep": "<rss version='2.0'>" + "<a>" * 50_000 + "</a>" * 50_000 + "</rss>",
    "many attributes": "<rss " + " ".join(f"a{n}=''" for n in range(50_000)) + "/>",
}


async def fed(world: World, body: str, name: str) -> str:
    """No entity is followed, nothing is loaded, in bounded time."""
    path = f"/feed-{name.replace(' ', '-')}"
    said = body.replace("{port}", str(world.tool.port)).encode()
    world.site.replies[path] = reply(said, "Content-Type: application/rss+xml")
    fields = (CHROME, HTML, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate")
    target = f"/-/feed?url=http://site.example{path}"
    got = await throw(world.port, request(target, world.own, fields))
    if b"root:" in got.raw or SECRET in got.raw:
        return "a file or a local tool was read"
    if name != "items inside" and (through := world.broken_into()):
        return through
    if got.seconds > 15 or len(got.raw) > 5_000_000:
        return f"{got.seconds:.1f} s, {len(got.raw)} bytes"
    return odd(world, got)


def attempts() -> Iterator[Attempt]:
    payloads = [
        (f"{kind} {number}", payload)
        for kind, listed in PAYLOADS.items()
        for number, payload in enumerate(listed)
    ]
    for outer, raw, inner in itertools.product(OUTER, RAW, INNER):
        name = f"<{outer}><{raw}>{inner}"
        payloads.append((name, f"<{outer}><{raw}>{inner.format(raw)}text"))
    for number, (name, payload) in enumerate(payloads):
        for face in FACES if number % 4 == 0 else ("proxy", "pruned"):
            run = partial(run_in, markup=payload, face=face)
            yield Attempt("page markup", f"{name} by {face}", run)
    for name, markup in FRAUDS.items():
        for face in sorted(FACES.keys() - KEEPING_STYLES):
            run = partial(frauded, markup=markup, face=face)
            yield Attempt("spoofed bars and forms", f"{name} by {face}", run)
    pages = [("the page of 45 bytes", CRASH.encode()), *mutated()]
    pages += [
        (escape(name), payload.encode("utf-8", "surrogatepass")) for name, payload in payloads
    ]
    for number, (name, odd_page) in enumerate(pages):
        extractor = (
            ("auto", "mss", "crunch:12", "lqf", "dsc", "bte")[number % 6] if number else "auto"
        )
        form = ("text", "html", "json", "pruned", "spans")[number % 5]
        run = partial(crashed, markup=odd_page, form=form, extractor=extractor)
        yield Attempt("crashes by odd pages", f"{name}, {extractor}, {form}", run)
    for name, body in FEEDS.items():
        yield Attempt("entity bombs in feeds", name, partial(fed, body=body, name=name))
