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


@asynccontextmanager
async def behind(
    world: World, source: ClientAddressSource, trusted: str, *open_to: str
) -> AsyncIterator[Running]:
    """A proxy that trusts the address ``trusted``; ``open_to`` are its open networks if any."""
    plain = defaults(world.folder / "behind")
    networks = open_to or plain.access.open_to
    settings = replace(
        plain,
        server=replace(plain.server, trusted_proxies=(trusted,), client_address=source),
        access=replace(plain.access, open_to=networks),
        extraction=replace(plain.extraction, processes=1),
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
    for name, header in (("line", line(OUTSIDER)), ("binary", binary(OUTSIDER))):
        yield Attempt(family, f"unasked, {name}", partial(unasked, header=header))
