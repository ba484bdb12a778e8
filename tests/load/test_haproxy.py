"""HAProxy by the shipped files: the client is who came to it, and a site stays with its Winnow."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trustme

from benchmarks.free_ports import free_port
from benchmarks.load.local_deployment import CONFIG, balancer
from tests.programs import require_program
from tests.proxy.origins import Origin, ask, closed, get, opened, read_answer, reply, serving
from tests.proxy.proxies import proxying
from tests.proxy.server.test_balancers import behind
from tests.proxy.server.test_proxy_protocol import binary, line

pytestmark = pytest.mark.release

BY_SITE = CONFIG.with_name("haproxy-by-site.cfg")
SITES = [f"site{number}.example" for number in range(24)]
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def accepting(config: Path, folder: Path) -> Path:
    """A shipped file whose HAProxy itself stands behind one that sends PROXY headers."""
    text = config.read_text()
    bind = 'bind "${WINNOW_BIND}"'
    assert text.count(bind) == 1
    made = folder / config.name
    made.write_text(text.replace(bind, f"{bind} accept-proxy"))
    return made


@pytest.mark.parametrize("config", [CONFIG, BY_SITE])
async def test_winnow_sees_who_came_to_haproxy(config: Path, tmp_path: Path) -> None:
    require_program("haproxy")
    file = accepting(config, tmp_path)
    async with (
        serving(Origin(usual=reply(b"a"))) as origin,
        proxying() as proxy,
        behind(proxy) as here,
        balancer(here.port, here.port, config=file, variables={}) as port,
    ):
        for header in (line("198.51.100.7"), binary("198.51.100.8"), line("2001:db8::7")):
            reader, writer = await opened(port)
            for beginning in (header, b""):
                writer.write(beginning + get(origin.url("/a")))
                assert (await read_answer(reader)).body == b"a"
            await closed(writer)
        reader, writer = await opened(port)
        writer.write(line("127.0.0.1") + get(origin.url("/a")))
        assert (await read_answer(reader)).status == 407
        await closed(writer)
        assert here.refused == []  # its checks have a header too
    clients = ["198.51.100.7"] * 2 + ["198.51.100.8"] * 2 + ["2001:db8::7"] * 2
    assert here.clients == clients


@asynccontextmanager
async def named(name: str) -> AsyncIterator[int]:
    """A server behind PROXY headers that answers each request, and CONNECT, with its name."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        signature = await reader.readexactly(16)
        await reader.readexactly(int.from_bytes(signature[14:], "big"))
        while head := await reader.readuntil(b"\r\n\r\n"):
            if head.startswith(b"CONNECT"):
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + name.encode())
            else:
                writer.write(reply(name.encode()))

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


OVERFLOW = "    hash-balance-factor 150   # no Winnow gets more than half above the mean"


def without_overflow(folder: Path) -> Path:
    """The settings, by which a site stays where it is however many connections are still closing:
    with one or two in all, a single one is above any mean."""
    text = BY_SITE.read_text()
    assert text.count(OVERFLOW) == 1
    made = folder / BY_SITE.name
    made.write_text(text.replace(OVERFLOW, "    #"))
    return made


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[int]:
    """HAProxy by site before the servers ``one`` and ``two``."""
    require_program("haproxy")
    made = without_overflow(folder)
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(named("one"))
        other = await stack.enter_async_context(named("two"))
        yield await stack.enter_async_context(balancer(one, other, config=made, variables={}))


async def connected(port: int, host: str) -> str:
    """The name of the server that a CONNECT to a host reached."""
    reader, writer = await opened(port)
    writer.write(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    name = (await reader.readexactly(3)).decode()
    await closed(writer)
    return name


async def test_a_site_stays_with_its_winnow_by_every_way(tmp_path: Path) -> None:
    async with two(tmp_path) as port:
        own, places = f"127.0.0.1:{port}", {}
        for site in SITES:
            found = {
                await connected(port, site),
                await name_of(port, get(f"http://{site}/a")),
                await name_of(port, get(f"http://{site}:8080/{site}|[x]")),
                await name_of(port, own_page(f"/https://{site}/a", own)),
                await name_of(port, own_page(f"/-/read?url=https%3A%2F%2F{site}%2Fa", own)),
            }
            assert len(found) == 1, site
            places[site] = found.pop()
    share = Counter(places.values())["one"]
    assert len(SITES) / 4 < share < len(SITES) * 3 / 4


def own_page(path: str, own: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {own}\r\n\r\n".encode()


async def name_of(port: int, request: bytes) -> str:
    return (await ask(port, request)).body.decode()


async def test_by_sni_where_winnow_ends_tls() -> None:
    require_program("haproxy")
    authority, front = trustme.CA(), free_port()
    ours = ssl.create_default_context()
    authority.configure_trust(ours)
    variables = {"WINNOW_TLS_BIND": f"127.0.0.1:{front}"}
    async with (
        proxying() as proxy,
        behind(proxy, tls=keys_of(authority)) as one,
        behind(proxy, tls=keys_of(authority)) as other,
        balancer(one.port, other.port, config=BY_SITE, variables=variables),
    ):
        places = {site: [await shown(front, site, ours) for _ in range(2)] for site in SITES}
    assert all(len(set(serials)) == 1 for serials in places.values())
    assert len({serials[0] for serials in places.values()}) == 2


def keys_of(authority: trustme.CA) -> ssl.SSLContext:
    """Of one Winnow: a certificate of its own for all sites."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*SITES).configure_cert(context)
    return context


async def shown(port: int, site: str, context: ssl.SSLContext) -> str:
    """The serial number of the certificate that a site's client gets, after an answer."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=context, server_hostname=site
    )
    writer.write(b"GET /-/health HTTP/1.1\r\nHost: winnow.internal\r\n\r\n")
    assert (await read_answer(reader)).status == 200
    serial = str(writer.get_extra_info("peercert")["serialNumber"])
    writer.close()
    return serial
