"""What only a paired browser extension may: asked by pages, by other extensions, without a key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import SAME
from tests.attack.web import FOREIGN, fetching, page, request, throw
from tests.attack.worlds import World

PATHS: Final = (
    "/-/api/pair",
    "/-/api/page",
    "/-/api/save?url=x",
    "/-/api/extract?format=text",
)
PAIRED: Final = "moz-extension://0d5f1b9e-1f4e-4d6c-9c1e-000000000001"
KEYS: Final = ("", "x", "A" * 43, "A" * 5000, "' OR 1=1 --")
CODES: Final = ("", "AAAA-AAAA-AAAA", "A" * 5000, None, ["A"], {"code": "A"}, 3)
ORIGINS: Final = (
    PAIRED.upper(), PAIRED + ".evil.example", PAIRED + "/", PAIRED[:-1] + "2",
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "moz-extension://", "moz-extension://a@b",
    f"{PAIRED}, {PAIRED}", f"{PAIRED}, https://evil.example", "https://moz-extension.example",
    "extension://x", "file://", "null", "http://evil.example",
)  # fmt: skip
"""None of them is the paired one, which is asked with wrong keys instead."""


def by_script(origin: str) -> tuple[str, ...]:
    return fetching("cross-site", "cors", "empty", f"Origin: {origin}")


def by_extension(origin: str) -> tuple[str, ...]:
    """As Firefox has it, for an extension that may read our pages."""
    return fetching("same-origin", "cors", "empty", f"Origin: {origin}")


def asking(code: object) -> bytes:
    question = {"code": code, "url": "http://site.example/", "mode": "never", "view": "original"}
    return json.dumps(question).encode()


async def paired_key(world: World) -> str:
    """The key of PAIRED, paired as a person does."""
    shown = await throw(world.port, request("/-/extensions", world.own, SAME))
    (code,) = LexborHTMLParser(shown.body).css("#code")
    body, fields = asking(code.text()), by_script(PAIRED)
    got = await throw(world.port, request("/-/api/pair", world.own, fields, "POST", body))
    return str(json.loads(got.body)["key"])


async def refused(world: World, path: str, fields: tuple[str, ...], body: bytes) -> str:
    """Neither answered, nor readable, nor obeyed; a preflight says nothing but that one may ask."""
    before = world.lasting()
    for method in ("POST", "OPTIONS", "GET", "PUT"):
        sent = body if method in ("POST", "PUT") else None
        got = await throw(world.port, request(path, world.own, fields, method, sent))
        if got.status < 400 and method != "OPTIONS":
            return f"{method} is answered: status {got.status}"
        allowed = got.field("access-control-allow-origin")
        if allowed and (f"Origin: {allowed}" not in fields or "-extension://" not in allowed):
            return f"Access-Control-Allow-Origin: {allowed}"
    return "it was obeyed" if world.lasting() != before else world.broken_into()


async def with_the_key(world: World, path: str, origin: str) -> str:
    """Another origin that has learned the key."""
    key = await paired_key(world)
    body = page("x") if "extract" in path else asking("AAAA-AAAA-AAAA")
    fields = (f"Winnow-Pairing: {key}", *by_script(origin))
    return await refused(world, path, fields, body)


async def by_pair(world: World) -> str:
    """The counter-proof: the paired one is answered."""
    key = await paired_key(world)
    fields = (f"Winnow-Pairing: {key}", *by_script(PAIRED))
    question = json.dumps({"url": "http://site.example/"}).encode()
    got = await throw(world.port, request("/-/api/page", world.own, fields, "POST", question))
    return "" if got.status == 200 else f"status {got.status}"


def attempts() -> Iterator[Attempt]:
    family = "as the paired extension"
    for path in PATHS:
        for key in KEYS:
            fields = (f"Winnow-Pairing: {key}", *by_script(PAIRED))
            run = partial(refused, path=path, fields=fields, body=asking("AAAA-AAAA-AAAA"))
            yield Attempt(family, f"{path} with the key {key[:50]!r}", run)
            fields = (fields[0], *by_extension(PAIRED))
            run = partial(refused, path=path, fields=fields, body=asking("AAAA-AAAA-AAAA"))
            yield Attempt(family, f"{path} from Firefox with the key {key[:50]!r}", run)
            for kind, said in FOREIGN.items():
                if "img" in kind or "link" in kind or "no Referer" in kind:
                    continue  # do not say that they are of another site, or send no body
                fields = (f"Winnow-Pairing: {key}", *said)
                run = partial(refused, path=path, fields=fields, body=asking("AAAA-AAAA-AAAA"))
                yield Attempt(family, f"{path} by {kind} with the key {key[:50]!r}", run)
        for origin in ORIGINS:
            run = partial(with_the_key, path=path, origin=origin)
            yield Attempt(family, f"{path} by {origin} with the right key", run)
    for code in CODES:
        run = partial(refused, path=PATHS[0], fields=by_script(PAIRED), body=asking(code))
        yield Attempt(family, f"pairing by the code {str(code)[:50]}", run)
    yield Attempt("counter-proofs", "a paired extension asks", by_pair)
