"""Why's questions about parts, by selectors and forms of no page of ours; odd tidied pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final
from urllib.parse import urlencode

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import SAME, encoded, forms, path_of
from tests.attack.families.markup import mutated, workers
from tests.attack.families.wire import odd
from tests.attack.web import CHROME, HTML, SENTENCE, request, throw
from tests.attack.worlds import World
from tests.proxy.origins import html

FAMILY: Final = "parts of a page"
URL: Final = "http://parts.site.example/"
DEEP: Final = ("<div class=a>" * 60 + f"<p class=b>{SENTENCE * 6}</p>" + "</div>" * 60) * 20
SELECTORS: Final = (
    "", "p", ">>", "*", "* * * * * * * * * * i", ":has(:has(:has(p)))", "div:has(div:has(div i))",
    ":is(" * 60 + "p" + ")" * 60, ":not(" * 60 + "p" + ")" * 60, ":nth-child(99999999999999999999)",
    ":nth-child(2n+1) :nth-last-of-type(3n) i", "div div div div div div div div i", "[class*=a] i",
    "div~div~div~div~div i", "div:nth-child(n of div div div i)", "\\0", "\\110000 ", "p\0", '"',
    "p,", "," * 290, "a" * 290, "p{}", "p;x", "p/*", "<script>", "{selector}", "\ud800", "%s",
    ":lexbor-contains('a')", "::before", "svg|p", "p:hover", ":root>:root", ":is()", "@import 'x'",
)  # fmt: skip
PLACES: Final = ("0", "-1", "1", "9" * 400, "²", "0x1", "", "1e9", " 1")
CHANGES: Final = {
    "do": ("drop", "keep", "undo", "", "x"),
    "page": ("http://other.example/", "", "javascript:alert(1)", f"{URL}x", "//evil.example/"),
    "selector": ("body", "", "*", "html body", "p p"),
    "words": ("", "x", "river river", "{words}"),
    "token": ("", "x", "0.x", "1." + "A" * 24, "9" * 400),
}


async def asked(world: World, path: str, query: dict[str, str]) -> str:
    """A question about a part is answered or refused, soon."""
    world.site.replies["/"] = html(f"<h1>T</h1>{DEEP}".encode())
    world.network.names.setdefault("parts.site.example", world.network.names["site.example"])
    said = urlencode({"url": URL, **query}, errors="surrogatepass")
    got = await throw(world.port, request(f"{path}?{said}", world.own, SAME))
    if got.seconds > 15:
        return f"{got.seconds:.1f} s"
    return odd(world, got)


async def changed(world: World, field: str, value: str) -> str:
    """The form of one part, posted for another: nothing is stored."""
    world.network.names.setdefault("parts.site.example", world.network.names["site.example"])
    shown = await throw(
        world.port,
        request(f"/-/why/part?do=keep&selector=p&url={URL}", world.own, SAME),
    )
    method, target, said = next(form for form in forms(shown.body) if "selector" in form[2])
    if said[field] == value:
        return ""
    before = world.lasting()
    fields = (*SAME, f"Origin: http://{world.own}")
    body = encoded({**said, field: value})
    got = await throw(world.port, request(path_of(target), world.own, fields, method, body))
    if world.lasting() != before:
        return f"{said} was obeyed with {field} {value!r} (status {got.status})"
    return odd(world, got)


async def tidied(world: World, markup: bytes, number: int) -> str:
    """No page ends the process that tidies it, and the reply is one of ours."""
    before, path = workers(), f"/tidied{number}"
    world.site.replies[path] = html(b"<nav><a href=/>Home</a></nav>" + markup)
    fields = (CHROME, HTML, "Winnow-Mode: tidy")
    got = await throw(world.port, request(f"http://site.example{path}", "site.example", fields))
    if gone := before - workers():
        return f"worker {sorted(gone)} ended"
    if b"id=winnow-bar" in got.body and got.body.count(b"id=winnow-bar") > 1:
        return "there are two bars"
    return odd(world, got)


def attempts() -> Iterator[Attempt]:
    for selector in SELECTORS:
        for path in ("/-/why/part", "/-/why", "/-/why/page"):
            name = "selector" if path.endswith("part") else "saved"
            run = partial(asked, path=path, query={"do": "drop", name: selector})
            yield Attempt(FAMILY, f"{path} {selector[:40]!a}", run)
    for place in PLACES:
        query = {"do": "keep", "selector": "p", "place": place}
        run = partial(asked, path="/-/why/part", query=query)
        yield Attempt(FAMILY, f"place {place[:20]!a}", run)
    for field, values in CHANGES.items():
        for value in values:
            run = partial(changed, field=field, value=value)
            yield Attempt(FAMILY, f"{field} {value[:30]!r}", run)
    for number, (name, markup) in enumerate(mutated()):
        run = partial(tidied, markup=markup, number=number)
        yield Attempt("odd tidied pages", name, run)
