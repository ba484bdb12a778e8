"""Behind a trusted proxy: what claims to be this computer, or claims what nobody asked it for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import HTML, request, throw
from tests.attack.worlds import SECRET, World, defaults
from tests.proxy.server.test_proxy_protocol import binary, line
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, listening
from winnow.config.server_settings import ClientAddressSource
from winnow.proxy.server.proxy_protocol import PREFIX_2

LOOPBACK: Final = (
    "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
    "2002:7f00:1::", "0.0.0.0", "::", "::ffff:0.0.0.0",
)  # fmt: skip
NO_CLIENT: Final = {
    "LOCAL": binary("127.0.0.1", command=0x20),
    "UNKNOWN": b"PROXY UNKNOWN 127.0.0.1 127.0.0.1 1 2\r\n",
    "Unix socket": PREFIX_2 + b"\x21\x31\0\xd8" + b"/" * 216,
    "UDP": binary("127.0.0.1", family=0x12),
}
NO_HEADER: Final = {
    "no header": b"",
    "lower case": b"proxy TCP4 127.0.0.1 127.0.0.1 1 2\r\n",
    "cut short": binary(cut=2),
    "two lines": b"PROXY TCP4 198.51.100.7\r\nPROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n",
    "another version": binary(command=0x31),
}
OUTSIDER: Final = "198.51.100.7"
FIELDS: Final = (
    "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: ::1", "Forwarded: for=127.0.0.1",
    'Forwarded: for="[::1]"', "X-Real-IP: 127.0.0.1", "X-Client-IP: 127.0.0.1",
    "True-Client-IP: 127.0.0.1", "CF-Connecting-IP: 127.0.0.1",
)  # fmt: skip
_FAR: Final = "192.0.2.2 1 2"
ODD_HEADERS: Final = {
    "a second line behind it": line(OUTSIDER) + line("127.0.0.1"),
    "a second binary one behind it": binary(OUTSIDER) + binary("127.0.0.1"),
    "a line behind a binary one": binary(OUTSIDER) + line("127.0.0.1"),
    "a binary one behind a line": line(OUTSIDER) + binary("127.0.0.1"),
    "a line in an extension": binary(OUTSIDER, more=b"\xea\0\x2c" + line("127.0.0.1")),
    "an extension that names this computer": binary(OUTSIDER, more=b"\x02\0\x09localhost"),
    "an extension that claims a certificate": binary(
        OUTSIDER, more=b"\x20\0\x12\x07\0\0\0\0\x22\0\x09localhost"
    ),
    "an extension longer than the header": binary(OUTSIDER, more=b"\x04\xff\xff"),
    "4,000 empty extensions": binary(OUTSIDER, more=b"\x04\0\0" * 1300),
    "too many extensions": binary(OUTSIDER, more=b"\x04\0\0" * 21_000),
    "no addresses": PREFIX_2 + b"\x21\x11\0\0",
    "no family": binary("127.0.0.1", family=0x01),
    "IPv4 as IPv6": binary("127.0.0.1", family=0x21),
    "IPv6 as IPv4": binary("::1", family=0x11),
    **{
        f"line {words!r}": f"PROXY {words}\r\n".encode()
        for words in (
            f"TCP4 127.1 {_FAR}", f"TCP4 0177.0.0.1 {_FAR}", f"TCP4 2130706433 {_FAR}",
            f"TCP4 127.000.000.001 {_FAR}", f"TCP4 １２７.0.0.1 {_FAR}", f"TCP4 ::1 {_FAR}",
            f"TCP4 localhost {_FAR}", f"TCP4 [127.0.0.1] {_FAR}", f"TCP4 127.0.0.1:1 {_FAR}",
            f"TCP4\t127.0.0.1 {_FAR}", f"TCP4  127.0.0.1 {_FAR}", f"TCP4 127.0.0.1 {_FAR} ",
            f"TCP4 127.0.0.1 {_FAR} {OUTSIDER}", "TCP4 127.0.0.1 192.0.2.2 -1 2",
            "TCP4 127.0.0.1 192.0.2.2 65536 2", "TCP4 127.0.0.1 192.0.2.2 ١ ٢",
            "TCP6 ::1%lo 2001:db8::2 1 2", "TCP6 fe80::1%1 2001:db8::2 1 2",
            "TCP6 ::ffff:127.0.0.1 ::1 1 2", "TCP6 0:0:0:0:0:0:0:1 ::1 1 2",
            "TCP6 127.0.0.1 ::1 1 2", "UNKNOWN", "UNKNOWN\tTCP4 127.0.0.1", "TCP5 ::1 ::1 1 2",
            "", " TCP4 127.0.0.1 192.0.2.2 1 2", "TCP4 127.0.0.1\r 192.0.2.2 1 2",
            f"TCP4 127.0.0.1 {_FAR}\n", f"TCP4 127.0.0.1\0 {_FAR}",
        )
    },
}  # fmt: skip
WORDS: Final = (
    "", ",", ";", '"', "\\", "unknown", "_hidden", "127.0.0.1", '"127.0.0.1', '127.0.0.1"',
    '"[::1]"', '"[::1]', "[::1]", "[::1]:80", '"[::1', "127.0.0.1:80", '"127.0.0.1:80"',
    "127.0.0.1;", "127.0.0.1,", "127.0.0.1 127.0.0.1", "127.0.0.1%lo", "::ffff:127.0.0.1",
    "localhost", "0x7f.1", "127.0.0.1\\", '"\\[::1\\]"', "127.0.0.1;by=_x", "127.0.0.1;for=::1",
    "127.0.0.1, for=127.0.0.1", "127.0.0.1;host=127.0.0.1;proto=https", "127.0.0.1," * 500,
)  # fmt: skip
"""What a client says of itself, before a trusted proxy adds its address."""
_OPENINGS: Final = {"X-Forwarded-For": ("{}",), "Forwarded": ("for={}", "For = {}", "x={}")}


def added(name: str, words: str) -> Iterator[tuple[str, ...]]:
    """The fields of a request with a client's words to which a trusted proxy has added him."""
    last = OUTSIDER if name == "X-Forwarded-For" else f"for={OUTSIDER}"
    for opening in _OPENINGS[name]:
        said = f"{name}: {opening.format(words)}"
        yield (f"{said}, {last}",)
        yield said, f"{name}: {last}"


@asynccontextmanager
async def behind(
    world: World, source: ClientAddressSource, trusted: str, *open_to: str
) -> AsyncIterator[Running]:
    """A proxy that trusts the address ``trusted``; ``open_to`` are its open networks if any."""
    plain = defaults(world.folder / f"behind-{source}-{len(open_to)}")
    networks = open_to or plain.access.open_to
    settings = replace(
        plain,
        server=replace(plain.server, trusted_proxies=(trusted,), client_address=source),
        access=replace(plain.access, open_to=networks),
        extraction=UNHURRIED,
    )
    async with listening(settings) as proxy:
        yield proxy


async def gains(world: World, port: int, header: bytes, *fields: str) -> str:
    """What of a loopback client's rights such a connection has: the local tool, our settings."""
    own, tool = f"127.0.0.1:{port}", f"127.0.0.1:{world.tool.port}"
    asked = {
        "forward": request(f"http://{tool}/x", tool, (HTML, *fields)),
        "gateway": request(f"/http://{tool}/x", own, (HTML, *fields)),
        "api": request(f"/-/api/extract?url=http://{tool}/x", own, fields),
        "tunnel": request(tool, tool, fields, "CONNECT"),
    }
    for name, payload in asked.items():
        got = await throw(port, header + payload, silence=5)
        if SECRET in got.raw or got.raw.startswith(b"HTTP/1.1 200"):
            return f"{name}: {got.head[:60]!r}"
        if world.tool.requests or any(to == world.tool.port for _, to in world.network.connected):
            return f"{name}: the local tool was asked"
    return ""


async def settings_of_everybody(port: int, header: bytes, *fields: str) -> str:
    """Whether the settings page takes the client for who is at this computer."""
    asked = request("/-/settings/all", f"127.0.0.1:{port}", (HTML, *fields))
    got = await throw(port, header + asked, silence=5)
    return f"the settings: {got.head[:60]!r}" if got.status == 200 else ""


async def as_nobody(world: World, header: bytes) -> str:
    """A header that names no client, or this computer: its connection is a stranger's."""
    async with behind(world, ClientAddressSource.PROXY_PROTOCOL, "127.0.0.1") as proxy:
        gained = await gains(world, proxy.port, header)
        return gained or await settings_of_everybody(proxy.port, header)


async def as_outsider(world: World, header: bytes, field: str) -> str:
    """A claimed client whom nothing but its own words place on this computer."""
    everybody = ("0.0.0.0/0", "::/0")
    async with behind(world, ClientAddressSource.PROXY_PROTOCOL, "127.0.0.1", *everybody) as proxy:
        return await gains(world, proxy.port, header, field)


async def by_field(world: World, field: str, source: ClientAddressSource) -> str:
    """A trusted proxy's field that names this computer, or is not the one that was chosen."""
    async with behind(world, source, "127.0.0.1/32") as proxy:
        gained = await gains(world, proxy.port, b"", field)
        return gained or await settings_of_everybody(proxy.port, b"", field)


async def with_header(world: World, header: bytes) -> str:
    """A header as no proxy sends it: its connection ends, or is a stranger's."""
    opened = partial(behind, world, ClientAddressSource.PROXY_PROTOCOL, "127.0.0.1")
    proxy = await world.keep("behind by header", opened)
    gained = await gains(world, proxy.port, header)
    return gained or await settings_of_everybody(proxy.port, header)


async def with_words(world: World, fields: tuple[str, ...], source: ClientAddressSource) -> str:
    """A client's own words before those of the trusted proxy: nothing but the latter counts."""
    everybody = ("0.0.0.0/0", "::/0")
    opened = partial(behind, world, source, "127.0.0.1/32", *everybody)
    proxy = await world.keep(f"behind by {source}", opened)
    return await gains(world, proxy.port, b"", *fields)


async def unasked(world: World, header: bytes) -> str:
    """A PROXY header from a computer that is no trusted proxy."""
    async with behind(world, ClientAddressSource.PROXY_PROTOCOL, "10.0.0.2") as proxy:
        return await gains(world, proxy.port, header)


async def proof(world: World) -> str:
    """The same requests without a trusted proxy do what the others must not."""
    async with behind(world, ClientAddressSource.PROXY_PROTOCOL, "10.0.0.2") as proxy:
        gained = await gains(world, proxy.port, b"")
        return "" if gained else "a client on this computer does not reach it: nothing was shown"


def attempts() -> Iterator[Attempt]:
    family = "claimed clients"
    yield Attempt(family, "counter-proof", proof)
    for client in LOOPBACK:
        yield Attempt(family, f"line {client}", partial(as_nobody, header=line(client)))
        yield Attempt(family, f"binary {client}", partial(as_nobody, header=binary(client)))
    for name, header in (NO_CLIENT | NO_HEADER).items():
        yield Attempt(family, name, partial(as_nobody, header=header))
    for field in FIELDS:
        run = partial(as_outsider, header=line(OUTSIDER), field=field)
        yield Attempt(family, f"an outsider with {field}", run)
        for source in (ClientAddressSource.FORWARDED, ClientAddressSource.X_FORWARDED_FOR):
            chosen = partial(by_field, field=field, source=source)
            yield Attempt(family, f"{source}: {field}", chosen)
    for name, header in ODD_HEADERS.items():
        yield Attempt("odd PROXY headers", name, partial(with_header, header=header))
    for name, source in (
        ("Forwarded", ClientAddressSource.FORWARDED),
        ("X-Forwarded-For", ClientAddressSource.X_FORWARDED_FOR),
    ):
        for words in WORDS:
            for number, fields in enumerate(added(name, words)):
                run = partial(with_words, fields=fields, source=source)
                yield Attempt("words before a proxy's", f"{name} {number}: {words[:60]!r}", run)
    for name, header in (("line", line(OUTSIDER)), ("binary", binary(OUTSIDER))):
        yield Attempt(family, f"unasked, {name}", partial(unasked, header=header))
