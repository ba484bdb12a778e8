"""SSRF: private addresses in every spelling by every face, for pages of other sites and strangers.

Rebinding: a name that leads to the internet first, and then inside.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

from tests.attack.attempts import Attempt
from tests.attack.web import CHROME, FOREIGN, HTML, request, throw
from tests.attack.worlds import PRIVATE, SECRET, SITE, World
from tests.proxy.origins import reply

FACES: Final = {
    "gateway": "/{}",
    "gateway, one slash": "/{1}",
    "read": "/-/read?mode=original&url={0}",
    "read, extracted": "/-/read?format=markdown&url={0}",
    "api": "/-/api/extract?url={0}",
    "compare": "/-/compare?url={0}",
    "why": "/-/why?url={0}",
    "why, its frame": "/-/why/page?url={0}",
    "why, a part": "/-/why/part?do=keep&selector=p&url={0}",
    "feed": "/-/feed?url={0}",
    "book": "/-/book?url={0}",
    "small": "/-/small/{}",
    "small, options": "/-/small/w100.i2/{}",
}
SPELLINGS: Final = (
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1",
    "017700000001", "0x7f.0x0.0x0.0x1", "127.000.000.001", "127.0.0.1.", "0.0.0.0", "0", "00",
    "127.127.127.127", "localhost", "LOCALHOST", "localhost.", "lOcAlHoSt", "a.localhost",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[::1%25lo]", "[::1%lo]",
    "１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "ｌｏｃａｌｈｏｓｔ", "loc\u00adalhost",
    "%31%32%37.0.0.1", "127.0.0%2e1", "site.example@127.0.0.1", "site.example:80@127.0.0.1",
    "127.0.0.1:{port}#@site.example", "127.0.0.1:{port}\\@site.example",
    "site.example\\@127.0.0.1", "127.0.0.1:{port}?@site.example", "169.254.169.254",
    "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "[fd00:ec2::254]", "[fe80::1]",
    "192.168.1.1", "10.0.0.1", "172.16.0.1", "100.64.0.1", "192.168.257", "3232235777",
    "metadata.google.internal", "winnow.internal", "router.local", "host.docker.internal",
    *(f"inside{number}.example" for number in range(len(PRIVATE))),
)  # fmt: skip
STRANGERS: Final = {
    "rebound Host": (CHROME, HTML),
    "rebound Host, no browser": (),
}


def spelled(host: str, port: int) -> str:
    """An address of the local tool with a host spelled like that."""
    if "{port}" in host:
        return f"http://{host.format(port=port)}/x"
    return f"http://{host}:{port}/x"


def target_of(face: str, url: str) -> str:
    """A face's target for an address."""
    if "{0}" in face:
        return face.format(quote(url, safe=""))
    return face.replace("{1}", url.replace("http://", "http:/")).replace("{}", url)


async def reach(world: World, face: str, host: str, fields: Sequence[str], named: str = "") -> str:
    """Ask for the local tool; ``named`` is the Host field where it is not our own."""
    port = 80 if host.startswith(("inside", "169", "0xa9", "28520", "0251")) else world.tool.port
    url = spelled(host, port)
    payload = request(target_of(face, url), named or world.own, fields)
    got = await throw(world.port, payload)
    return _verdict(world, got.raw)


def _verdict(world: World, raw: bytes) -> str:
    if SECRET in raw:
        return f"the local tool's answer was read: {raw[:80]!r}"
    if b"500 Internal" in raw[:64]:
        return "status 500"
    return world.broken_into()


async def led(world: World, face: str, fields: Sequence[str], status: str, place: str) -> str:
    """A public page leads inside by a redirect."""
    location = place.format(port=world.tool.port)
    fields_of_reply = (f"Location: {location}", f"Refresh: 0; url={location}")
    world.site.replies["/led"] = reply(b"", *fields_of_reply, status=status)
    target = target_of(face, "http://site.example/led")
    got = await throw(world.port, request(target, world.own, fields))
    return _verdict(world, got.raw)


async def rebound(world: World, face: str, fields: Sequence[str], answers: Sequence[str]) -> str:
    """A name whose address changes between look-ups."""
    following = itertools.chain(answers, itertools.repeat(answers[-1]))
    name = f"r{abs(hash((face, tuple(fields), tuple(answers)))):x}.example"
    world.network.names[name] = lambda: [next(following)]
    port = world.tool.port
    world.network.routes[SITE, port] = world.site.port
    try:
        for number in range(4):
            world.site.replies[f"/{number}"] = reply(b"", "Connection: close")
            url = f"http://{name}:{port}/{number}"
            got = await throw(world.port, request(target_of(face, url), world.own, fields))
            if through := _verdict(world, got.raw):
                return through
    finally:
        del world.network.routes[SITE, port]
    return ""


async def mixed(world: World, face: str, fields: Sequence[str], order: Sequence[str]) -> str:
    """A name with a public and a private address at once."""
    world.network.names["mixed.example"] = lambda: list(order)
    url = f"http://mixed.example:{world.tool.port}/"
    got = await throw(world.port, request(target_of(face, url), world.own, fields))
    return _verdict(world, got.raw)


async def cached(world: World, face: str, fields: Sequence[str]) -> str:
    """What this computer has read of a tool is not handed to a page of another site."""
    tool = reply(SECRET, "Content-Type: text/html", "Cache-Control: public, max-age=999")
    world.tool.replies["/cached"] = tool
    url = f"http://127.0.0.1:{world.tool.port}/cached"
    own = await throw(world.port, request(url, f"127.0.0.1:{world.tool.port}"))
    assert SECRET in own.raw
    await throw(world.port, request(target_of(FACES["why"], url), world.own))
    world.calm()
    got = await throw(world.port, request(target_of(face, url), world.own, fields))
    return _verdict(world, got.raw)


LEADS: Final = (
    "http://127.0.0.1:{port}/", "//127.0.0.1:{port}/", "http://localhost:{port}/",
    "http://[::1]:{port}/", "http://inside0.example/", "http://169.254.169.254/latest/meta-data/",
    "http://2130706433:{port}/", "HTTP://127.1:{port}/", "http:/\\127.0.0.1:{port}/",
    "http://site.example@127.0.0.1:{port}/", "file:///etc/passwd", "gopher://127.0.0.1:{port}/x",
)  # fmt: skip
REBINDINGS: Final = {
    "public, then loopback": (SITE, "127.0.0.1"),
    "public twice, then loopback": (SITE, SITE, "127.0.0.1"),
    "public, then the router": (SITE, "192.168.1.1"),
    "public, then 0.0.0.0": (SITE, "0.0.0.0"),
    "public, then mapped": (SITE, "::ffff:127.0.0.1"),
    "flapping": (SITE, "127.0.0.1", SITE, "127.0.0.1"),
}


def attempts() -> Iterator[Attempt]:
    for host in SPELLINGS:
        for face, form in FACES.items():
            for name, fields in FOREIGN.items():
                run = partial(reach, face=form, host=host, fields=fields)
                yield Attempt("SSRF spellings", f"{host} by {face}, {name}", run)
            for name, fields in STRANGERS.items():
                run = partial(reach, face=form, host=host, fields=fields, named="evil.example")
                yield Attempt("SSRF spellings", f"{host} by {face}, {name}", run)
    for face, form in FACES.items():
        for name, fields in FOREIGN.items():
            said = f"by {face}, {name}"
            for place in LEADS:
                run = partial(led, face=form, fields=fields, status="302 Found", place=place)
                yield Attempt("SSRF by redirect", f"{place} {said}", run)
            for rebinding, answers in REBINDINGS.items():
                run = partial(rebound, face=form, fields=fields, answers=answers)
                yield Attempt("DNS rebinding", f"{rebinding} {said}", run)
            for order in ((SITE, "127.0.0.1"), ("127.0.0.1", SITE), ("::1", SITE)):
                run = partial(mixed, face=form, fields=fields, order=order)
                yield Attempt("DNS rebinding", f"both at once {order} {said}", run)
            run = partial(cached, face=form, fields=fields)
            yield Attempt("SSRF by the cache", said, run)
