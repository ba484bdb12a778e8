"""Pages of other sites: cross-site requests, framing, CORS and WebSockets against our own faces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final
from urllib.parse import unquote, urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.attack.attempts import Attempt
from tests.attack.families.splitting import BREAKS, INJECTED, requests_split, response_split
from tests.attack.web import CHROME, FOREIGN, HTML, fetching, request, throw
from tests.attack.worlds import World

OWN_PAGES: Final = (
    "/", "/-/setup", "/-/activity", "/-/settings", "/-/settings/all", "/-/settings/saved",
    "/-/settings/reading", "/-/settings/learned", "/-/settings/rules", "/-/settings/rules/edit",
    "/-/settings/rules/import", "/-/settings/rules/export", "/-/settings/crunch", "/-/status",
    "/-/metrics", "/-/small/",
    "/-/compare", "/-/why", "/-/annotate", "/-/book", "/-/feed", "/-/read",
    "/-/api/extract", "/-/compare?url=http://site.example/", "/-/why?url=http://site.example/",
    "/-/why/page?url=http://site.example/", "/-/why/part?do=drop&selector=p&url=http://site.example/",
    "/-/choose?action=never&page=http://site.example/", "/-/small/http://site.example/",
    "/-/book?url=http://site.example/", "/-/api/extract?url=http://site.example/",
    "/http://site.example/", "/-/read?mode=original&url=http://site.example/",
    "/-/options?url=http://site.example/", "/-/show", "/-/extensions",
    "/-/keep", "/-/original", "/-/nothing", "/-/check", "/-/history", "/-/events",
)  # fmt: skip
SECRETS: Final = ("/-/activity", "/-/settings", "/-/settings/all", "/-/settings/saved",
                  "/-/settings/learned", "/-/settings/rules/export", "/-/status",
                  "/-/metrics", "/-/small/", "/-/extensions")  # fmt: skip
POSTS: Final = tuple(name for name in FOREIGN if name != "img")
SAME: Final = fetching("same-origin", "navigate", "document", HTML)


def forms(markup: bytes) -> list[tuple[str, str, dict[str, str]]]:
    """Method, target and fields of every form."""
    found = []
    for node in LexborHTMLParser(markup).css("form"):
        method = (node.attributes.get("method") or "get").upper()
        found.append((method, node.attributes.get("action") or "", _fields(node)))
    return found


def _fields(node: LexborNode) -> dict[str, str]:
    named = node.css("input[name], button[name], textarea[name], select[name]")
    return {str(one.attributes["name"]): one.attributes.get("value") or "" for one in named}


def encoded(fields: dict[str, str]) -> bytes:
    return urlencode(fields).encode()


def path_of(target: str) -> str:
    """The path and query of a form's target at our own host."""
    return re.sub(r"\Ahttps?://[^/]+", "", target).partition("#")[0] or "/"


async def forge(world: World, path: str, fields: Sequence[str]) -> str:
    """Post every form of one of our pages as another site would, its tokens known.

    Where nothing else tells that it was another site, they are not.
    """
    shown = await throw(world.port, request(path, world.own, SAME))
    before = world.lasting()
    proofless = not any(line.startswith(("Origin", "Referer", "Sec-Fetch")) for line in fields)
    for method, target, said in forms(shown.body):
        if method != "POST":
            continue
        if proofless:
            said["token"] = "1." + "A" * 24  # nothing but the token tells such a request from ours
        payload = request(path_of(target), world.own, fields, "POST", encoded(said))
        got = await throw(world.port, payload)
        if world.lasting() != before:
            return f"{path_of(target)} with {said} was obeyed (status {got.status})"
    return ""


async def by_get(world: World, path: str, fields: Sequence[str]) -> str:
    """The same forms and all links of the page by GET: nothing changes."""
    shown = await throw(world.port, request(path, world.own, SAME))
    before = world.lasting()
    for _, target, said in forms(shown.body):
        sep = "&" if "?" in target else "?"
        where = path_of(target) + sep + encoded(said).decode()
        await throw(world.port, request(where, world.own, fields))
        if world.lasting() != before:
            return f"GET {where} was obeyed"
    return ""


HARMLESS: Final = ("/-/setup", "/-/check")
LEADING_HERE: Final = (
    "form",
    "window.open",
    "link",
    "old browser, no Referer",
    "old browser, link",
)
"""Foreign requests by which a person may have come, or that do not tell that they are foreign."""


async def read_by_other(world: World, path: str, fields: Sequence[str], kind: str) -> str:
    """Whether a page answers another site's sub-resource, or lets a script or frame have it."""
    got = await throw(world.port, request(path, world.own, fields))
    leads = kind.startswith(LEADING_HERE) or kind == "old browser, img"
    if not leads and got.status < 400 and path not in HARMLESS:
        return f"it is answered: status {got.status}"
    if got.fields("access-control-allow-origin"):
        return f"Access-Control-Allow-Origin: {got.field('access-control-allow-origin')}"
    framed = "frame-ancestors" in got.field("content-security-policy") or got.field(
        "x-frame-options"
    )
    ours = not path.startswith("/http")  # a site's page says itself by whom it may be framed
    if ours and got.status == 200 and "html" in got.field("content-type") and not framed:
        return "it may be framed"
    return ""


async def preflight(world: World, path: str) -> str:
    asked = (
        CHROME,
        "Origin: http://evil.example",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Private-Network: true",
        "Access-Control-Request-Headers: winnow-mode",
        "Sec-Fetch-Mode: cors",
    )
    got = await throw(world.port, request(path, world.own, asked, "OPTIONS"))
    names = [line.split(":")[0] for line in got.head.decode("latin-1").split("\r\n")]
    allowed = [name for name in names if name.lower().startswith("access-control-allow")]
    return f"a preflight is granted: {allowed}" if allowed else ""


async def secret_page(world: World, path: str, fields: Sequence[str], named: str) -> str:
    """Own pages with something to tell are not for who calls us by another name."""
    got = await throw(world.port, request(path, named, fields))
    return f"status {got.status} under Host {named}" if got.status == 200 else ""


async def resume(world: World) -> None:
    """End a pause that the suite itself has made."""
    shown = await throw(world.port, request("/-/settings", world.own, SAME))
    honest = (*SAME, f"Origin: http://{world.own}")
    for _, target, said in forms(shown.body):
        if said.get("change") == "resume":
            body = encoded(said)
            await throw(world.port, request(path_of(target), world.own, honest, "POST", body))


async def altered(world: World, path: str, mark: str) -> str:
    """Our own forms, honestly sent but for one field with a line break: no reply is split."""
    try:
        return await _altered(world, path, mark)
    finally:
        await resume(world)


async def _altered(world: World, path: str, mark: str) -> str:
    shown = await throw(world.port, request(path, world.own, SAME))
    if path.startswith("http"):
        shown = await throw(world.port, request(path, "site.example", (HTML,)))
    for method, target, said in forms(shown.body):
        for name in said:
            if name == "token":
                continue
            odd = {**said, name: f"{said[name]}{mark}{INJECTED}{mark}{mark}x"}
            body = encoded(odd) if method == "POST" else None
            where = path_of(target)
            where += "" if body is not None else "?" + encoded(odd).decode()
            for start, host in (("", world.own), ("http://winnow.internal", "winnow.internal")):
                honest = [f"Origin: http://{host}"]
                asked = request(start + where, host, (*SAME, *honest), method, body)
                got = await throw(world.port, asked)
                if through := response_split(got) or requests_split(world):
                    return f"{name} of {where[:60]}: {through}"
    return ""


FORM_PAGES: Final = (
    "/-/settings", "/-/settings/reading", "/-/settings/saved", "/-/settings/learned",
    "/-/settings/rules", "/-/settings/rules/edit?url=http://site.example/",
    "/-/settings/rules/import", "/-/settings/crunch", "/-/settings/all", "/-/small/",
    "/-/small/http://site.example/kept", "/",
    "/-/why?url=http://site.example/why", "/http://site.example/bar", "http://site.example/bar",
)  # fmt: skip


def attempts() -> Iterator[Attempt]:
    yield from _forged()
    for path in OWN_PAGES:
        for name, fields in FOREIGN.items():
            run = partial(read_by_other, path=path, fields=fields, kind=name)
            yield Attempt("framing and CORS", f"{path} by {name}", run)
        yield Attempt("framing and CORS", f"preflight of {path}", partial(preflight, path=path))
    for path in SECRETS:
        for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:80", "a.b"):
            for name, fields in (("browser", (CHROME, HTML)), ("script", FOREIGN["fetch"])):
                run = partial(secret_page, path=path, fields=fields, named=host)
                yield Attempt("own pages by a foreign Host", f"{path} {host} {name}", run)


def _forged() -> Iterator[Attempt]:
    for path in FORM_PAGES:
        for name in POSTS:
            fields = FOREIGN[name]
            if not path.startswith("http"):
                run = partial(forge, path=path, fields=fields)
                yield Attempt("CSRF", f"{path} by {name}", run)
                run = partial(by_get, path=path, fields=fields)
                yield Attempt("CSRF", f"{path} by GET, {name}", run)
        for name, mark in BREAKS.items():
            run = partial(altered, path=path, mark=_decoded(mark))
            yield Attempt("response splitting by forms", f"{path} {name}", run)


def _decoded(mark: str) -> str:
    return unquote(mark, errors="surrogateescape").encode("utf-8", "replace").decode()
