"""A world of HTTPS hosts on loopback: their authority, the proxy's, and clients between them."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme

from tests.proxy.origins import Answer, Origin, read_answer, serving
from tests.proxy.proxies import Proxy, proxying
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.forwarding.interceptor import Interceptor
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import PassThrough
from winnow.proxy.tls.authority import Authority, new_authority
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.leaf_cache import ContextCache
from winnow.proxy.tls.pinning import PinningDetector
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.origin_tls import OriginTls
from winnow.proxy.upstream.connections.resolver import Resolver
from winnow.proxy.upstream.origin_client import OriginClient


class Loopback(Resolver):
    """Every name is on this computer."""

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))]


class Noting(NotifyingChoices):
    """Says when something was learned."""

    def __init__(self) -> None:
        super().__init__()
        self.learned = asyncio.Event()

    async def learn(self, entry: PassThrough) -> None:
        await super().learn(entry)
        self.learned.set()


@dataclass
class World:
    """What a test of interception needs; ``origin`` answers for every host."""

    proxy: Proxy
    origin: Origin
    store: Noting
    keys: LazyAuthority
    ours: Authority
    theirs: Authority
    people: trustme.CA

    def client(self, *trusted: Authority, protocols: Sequence[str] = ()) -> ssl.SSLContext:
        """A client's context that trusts ``trusted``."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        for authority in trusted:
            context.load_verify_locations(cadata=authority.pem.decode())
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context

    async def connect(self, authority: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which CONNECT has been granted."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port, limit=1 << 20)
        writer.write(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in answer.split(b"\r\n", 1)[0], answer
        return reader, writer

    async def secured(
        self, host: str, context: ssl.SSLContext, port: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """TLS with ``host`` through the proxy. Raises ssl.SSLError if it is refused."""
        reader, writer = await self.connect(f"{host}:{port or self.origin.port}")
        try:
            await writer.start_tls(context, server_hostname=host)
        except BaseException:
            writer.close()
            raise
        return reader, writer

    async def shake_hands(self, host: str, context: ssl.SSLContext, cut: int = 1 << 16) -> None:
        """A handshake by a client that sends its alert when it refuses; the hello cut in two."""
        reader, writer = await self.connect(f"{host}:{self.origin.port}")
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = context.wrap_bio(incoming, outgoing, server_hostname=host)
        try:
            while not _done(client):
                data = outgoing.read()
                writer.write(data[:cut])
                await writer.drain()
                await asyncio.sleep(0.02 if cut < len(data) else 0)  # or the pieces travel as one
                writer.write(data[cut:])
                incoming.write(await reader.read(65536))
        finally:
            writer.write(outgoing.read())
            writer.close()
            await writer.wait_closed()

    async def fetch(
        self, host: str, context: ssl.SSLContext, path: str = "/", *fields: str, port: int = 0
    ) -> tuple[Answer, Authority]:
        """One page over HTTPS, and the authority whose certificate was shown."""
        reader, writer = await self.secured(host, context, port)
        shown = writer.get_extra_info("ssl_object").getpeercert()
        named = port or self.origin.port
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{named}", *fields, "", ""]
        writer.write("\r\n".join(lines).encode())
        answer = await read_answer(reader)
        writer.close()
        issuer = dict(pair for part in shown["issuer"] for pair in part)["commonName"]
        return answer, self.ours if issuer == self.ours.name else self.theirs


def _done(client: ssl.SSLObject) -> bool:
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True


@asynccontextmanager
async def world(
    folder: Path,
    opened: Sequence[str] = ("*",),
    never: Sequence[str] = (),
    *,
    learn: bool = True,
    age: timedelta = timedelta(0),
    asks: ssl.VerifyMode = ssl.CERT_NONE,
    named: str | None = None,
    newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    http2: bool = False,
) -> AsyncIterator[World]:
    """Open interception of ``opened`` but ``never``; the origin's leaves are made ``age`` ago."""
    made = datetime.now(UTC) - age
    theirs = new_authority("the web", made)
    store, keys = Noting(), LazyAuthority(folder, "test", http2=http2)
    tls = OriginTls.trusting(http2=False)
    tls.http1.load_verify_locations(cadata=theirs.pem.decode())
    policy = InterceptionPolicy(Hosts.of(opened), Hosts.of(never), http2)
    contexts = ContextCache(theirs, now=lambda: made)
    people = trustme.CA()
    server = origin_context(contexts, people, asks, named)
    server.maximum_version = newest

    def change(old: Policy) -> Policy:
        return replace(old, spares=lambda host: policy.spares(host) or "")

    def interceptor(client: OriginClient) -> Interceptor:
        return Interceptor(keys, policy, PinningDetector(store, learn), client)

    connector = Connector(Loopback(), tls, timeout=60)
    async with (
        serving(Origin(), server) as origin,
        proxying(
            change=change,
            connector=connector,
            intercept=interceptor,
            bounds=ClientBounds(http2=http2),
        ) as proxy,
    ):
        yield World(proxy, origin, store, keys, await keys.authority(), theirs, people)
    contexts.close()
    keys.close()


def origin_context(
    contexts: ContextCache, people: trustme.CA, asks: ssl.VerifyMode, named: str | None
) -> ssl.SSLContext:
    """A server's context that shows each host its own leaf, or everybody that of ``named``.

    ``people`` signs the certificates of clients, which it ``asks`` for.
    """
    base = contexts.create(named or "127.0.0.1")

    def choose(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
        if name and not named:
            context = contexts.create(name)
            people.configure_trust(context)
            connection.context = context

    base.sni_callback = choose
    people.configure_trust(base)
    base.verify_mode = asks
    return base
