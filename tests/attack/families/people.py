"""Several people: choices across users, computers and ports, and 304 after *never*."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import forms, path_of
from tests.attack.web import HTML, Got, fetching, page, request, throw
from tests.attack.worlds import World, defaults
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.access.credentials.passwords import hash_password

BUSY: Final = ("busy", "deadline")
SAME: Final = fetching("same-origin", "navigate", "document", HTML)
NAMES: Final = ("ann", "bob")


def basic(name: str) -> str:
    return "Basic " + b64encode(f"{name}:{name}-secret".encode()).decode()


def with_users(settings: Settings) -> Settings:
    users = tuple(f"{name}:{hash_password(f'{name}-secret')}" for name in NAMES)
    return replace(settings, access=replace(settings.access, users=users, open_to=()))


@asynccontextmanager
async def another(world: World, settings: Settings) -> AsyncIterator[Running]:
    async with running(settings) as proxy:
        yield proxy


async def seen(port: int, url: str, *fields: str, source: str = "") -> Got:
    """A page as a person sees it, asked for again while a busy machine keeps it from being made."""
    asked = request(url, url.split("/")[2], (HTML, *fields))
    async with asyncio.timeout(50):
        while True:
            got = await throw(port, asked, source=source)
            if got.field("winnow-reason") not in BUSY:
                return got


async def choose(port: int, url: str, action: str, *fields: str, source: str = "") -> Got:
    """What a person does for ``never`` and the like: the bar's link, then the confirmation."""
    shown = await seen(port, url, *fields, source=source)
    if shown.field("winnow-action") != "extracted":
        raise AssertionError(f"no bar: {shown.head!r}")
    own = "winnow.internal"
    asked = request(f"http://{own}{control(shown.body, action)}", own, (HTML, *fields))
    confirming = await throw(port, asked, source=source)
    posted = [form for form in forms(confirming.body) if form[0] == "POST"]
    if not posted:
        raise AssertionError(f"nothing to confirm: {confirming.head!r}")
    _, target, said = posted[0]
    honest = (f"Origin: http://{own}", *SAME, *fields)
    body = urlencode(said).encode()
    sent = request(f"http://{own}{path_of(target)}", own, honest, "POST", body)
    got = await throw(port, sent, source=source)
    if got.status not in (303, 503, 507):
        raise AssertionError(f"the choice was refused: {got.head!r}")
    return got


def control(markup: bytes, action: str) -> str:
    """The path and query of the bar's link or form for an action; a method is chosen beside it."""
    if action == "extractor":
        return control(markup, "never").replace("action=never", "action=extractor&value=bte")
    for node in LexborHTMLParser(markup).css("#winnow-bar a"):
        address = node.attributes.get("href") or ""
        if f"action={action}" in address:
            return path_of(address)
    for _, target, said in forms(markup):
        if said.get("action") == action:
            return f"{path_of(target)}?{urlencode(said)}"
    raise AssertionError(f"the bar has no control for {action}: {markup[:300]!r}")


async def across_users(world: World, action: str) -> str:
    """What ann chooses is ann's alone."""
    settings = with_users(defaults(world.folder / f"users-{action}"))
    async with another(world, settings) as proxy:
        ann, bob = (f"Proxy-Authorization: {basic(name)}" for name in NAMES)
        url = "http://t20.site.example/"
        before = await seen(proxy.port, url, bob)
        await choose(proxy.port, url, action, ann)
        after, hers = await seen(proxy.port, url, bob), await seen(proxy.port, url, ann)
        if before.field("winnow-action") != after.field("winnow-action"):
            return f"bob gets {after.field('winnow-action')} {after.field('winnow-reason')}"
        if action == "never" and hers.field("winnow-action") == "extracted":
            return "ann's own choice does not hold for her"
        return ""


async def across_ports(world: World) -> str:
    """A choice for a site on one port says nothing of another port."""
    first, second = "http://t21.site.example:8080/", "http://t21.site.example:8081/"
    await choose(world.port, first, "never")
    got = await seen(world.port, second)
    if got.field("winnow-action") != "extracted":
        return f"port 8081 gets {got.field('winnow-reason')}"
    return ""


async def after_never(world: World, validator: str, number: int) -> str:
    """A reload with our validator after *never* is the original, not 304."""
    path = f"/never{number}"
    world.site.replies[path] = page("Never").replace(
        b"\r\n", f"\r\n{validator}\r\n".encode() if validator else b"\r\n", 1
    )
    url = f"http://t{23 + number}.site.example{path}"
    shown = await seen(world.port, url)
    again = [f"If-None-Match: {tag}" for tag in shown.fields("etag")]
    again += [f"If-Modified-Since: {date}" for date in shown.fields("last-modified")]
    await choose(world.port, url, "never")
    got = await seen(world.port, url, *again)
    if got.status == 304 or got.field("winnow-action") == "extracted":
        return f"status {got.status}, {got.field('winnow-action')}"
    return ""


def attempts() -> Iterator[Attempt]:
    for action in ("never", "always", "extractor"):
        yield Attempt("choices across users", action, partial(across_users, action=action))
    yield Attempt("choices across users", "another port", across_ports)
    validators: Sequence[str] = (
        'ETag: "one"', 'ETag: W/"one"', "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT", "",
        'ETag: "one"\r\nCache-Control: max-age=60',
    )  # fmt: skip
    for number, validator in enumerate(validators):
        run = partial(after_never, validator=validator, number=number)
        yield Attempt("304 after never", validator or "no validator", run)
