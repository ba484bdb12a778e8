"""TLS handshakes that never end, and certificates of ours for names that are odd."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from tests.attack.attempts import Attempt
from tests.attack.families.certificates import Leaf, chain
from tests.attack.families.redirected import hello
from tests.attack.scales import Mirror
from tests.attack.web import request, throw
from tests.attack.worlds import SITE, World, defaults
from tests.unhurried import UNHURRIED
from winnow.compose.running import running

PATIENCE: Final = 40.0
"""Twice what a handshake may take."""
CONNECT: Final = b"CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n\r\n"
WHOLE: Final = hello("site.example")
STARTS: Final = {
    "nothing": b"",
    "a byte": WHOLE[:1],
    "a record's head": WHOLE[:5],
    "half a hello": WHOLE[: len(WHOLE) // 2],
    "all but a byte": WHOLE[:-1],
    "a hello without an answer": WHOLE,
    "a record that never fills": b"\x16\x03\x01\x40\x00",
    "records of a byte": b"".join(b"\x16\x03\x01\x00\x01" + WHOLE[5:6] for _ in range(4)),
    "empty records": b"\x16\x03\x01\x00\x00" * 8,
}


@asynccontextmanager
async def secured(world: World, face: str) -> AsyncIterator[int]:
    """The port of a proxy with TLS at its listener, or which opens that of all hosts."""
    plain = defaults(world.folder / face)
    settings = replace(plain, extraction=UNHURRIED)
    if face == "listener":
        shown, own = chain(Leaf(names=("localhost",), address="127.0.0.1"))
        folder = world.folder / face
        folder.mkdir(parents=True, exist_ok=True)
        cert, key = folder / "tls.pem", folder / "tls.key"
        cert.write_bytes(b"".join(each.public_bytes(serialization.Encoding.PEM) for each in shown))
        form = serialization.PrivateFormat.PKCS8
        pem = serialization.Encoding.PEM
        key.write_bytes(own.private_bytes(pem, form, serialization.NoEncryption()))
        key.chmod(0o600)
        settings = replace(settings, server=replace(plain.server, tls_cert=cert, tls_key=key))
    else:
        opened = replace(plain.interception, hosts=("*",))
        settings = replace(settings, interception=opened)
    async with running(settings) as proxy:
        yield proxy.port


async def _begun(
    port: int, face: str, start: bytes
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    if face != "listener":
        writer.write(CONNECT)
        await reader.readuntil(b"\r\n\r\n")
    writer.write(start)
    return reader, writer


async def _lasts(port: int, face: str, name: str, drips: bool) -> str:
    """Its name where a handshake is still waited for after PATIENCE."""
    loop = asyncio.get_running_loop()
    try:
        reader, writer = await _begun(port, face, STARTS[name])
        ended = asyncio.create_task(_read(reader))
        begun = loop.time()
        while loop.time() - begun < PATIENCE and not ended.done():
            if drips:
                writer.write(b"\x16")
            await asyncio.wait((ended,), timeout=0.5)
        is_done = ended.done()
        ended.cancel()
        writer.transport.abort()
    except (ConnectionError, asyncio.IncompleteReadError):
        return ""
    return "" if is_done else name


async def _read(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read(1 << 16):
            pass


async def waited_for(world: World, face: str, drips: bool) -> str:
    """All starts at once, without another byte or with one now and then.

    Inside CONNECT what is no whole hello after 3 s is a tunnel, which may be silent.
    """
    silent = Mirror(usual=_silence)
    port = await world.keep(face, partial(secured, world, face))
    names = STARTS if face == "listener" else ("a hello without an answer",)
    async with silent.serving():
        world.network.routes[SITE, 443] = silent.port
        tried = [_lasts(port, face, name, drips) for name in names]
        kept = [name for name in await asyncio.gather(*tried) if name]
    return f"still waited for after {PATIENCE:g} s: {', '.join(kept)}" if kept else ""


async def _silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


async def crowd(world: World, face: str, name: str) -> str:
    """300 handshakes that do not go on leave room for whoever makes one."""
    port = await world.keep(face, partial(secured, world, face))
    writers = [await _begun(port, face, STARTS[name]) for _ in range(300)]
    try:
        return await asyncio.wait_for(_healthy(port, face), 20)
    except (OSError, TimeoutError) as error:
        return f"nobody else is served: {error!r}"
    finally:
        for _, writer in writers:
            writer.transport.abort()


async def _healthy(port: int, face: str) -> str:
    if face != "listener":
        got = await throw(port, request("/-/health", f"127.0.0.1:{port}"))
        return "" if got.status == 200 else f"health is {got.status}"
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(request("/-/health", f"127.0.0.1:{port}"))
    answer = await reader.read(64)
    writer.close()
    return "" if b" 200 " in answer else f"health is {answer[:40]!r}"


NAMES: Final = (
    "*", "*.example", "*.*", "a*.example", "%2a.example", "example", ".example", "site..example",
    "site.example\\0.evil.example", "site.example,DNS:evil.example", "site.example/CN=evil.example",
    "a" * 64 + ".example", ".".join(["a" * 60] * 5), "xn--", "xn--a.example", "\u0131.example",
    "site.example.", "SITE.example", "1.2.3", "0x7f.1", "[::1]", "127.0.0.1", "site.example%00",
    "winnow.internal", "localhost", "site_a.example", "-a.example", "a b.example",
)  # fmt: skip


async def _without_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.close()


async def certified(world: World, host: str, sni: str) -> str:
    """Our certificate is of one host, which the client named, and signs nothing."""
    port = await world.keep("inside", partial(secured, world, "inside"))
    async with await asyncio.start_server(_without_tls, "127.0.0.1", 0) as site:
        world.network.names[host.lower().removesuffix(".")] = lambda: [SITE]
        world.network.routes[SITE, 443] = site.sockets[0].getsockname()[1]
        try:
            shown = await asyncio.wait_for(asyncio.to_thread(leaf_of, port, host, sni), 30)
        except (OSError, ValueError, TimeoutError):
            return ""  # refused, or a tunnel to a site without TLS
    return wrong(shown, {host, sni}) or world.complaint()


def leaf_of(port: int, host: str, sni: str) -> x509.Certificate:
    """The certificate that is shown inside CONNECT. Raises OSError, ValueError."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        plain.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
        if b" 200 " not in plain.recv(4096):
            raise ValueError("refused")
        with context.wrap_socket(plain, server_hostname=sni or None) as secure:
            return x509.load_der_x509_certificate(secure.getpeercert(binary_form=True) or b"")


def wrong(leaf: x509.Certificate, named: set[str]) -> str:
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    values = [str(each.value).lower() for each in names]
    asked = {name.lower().strip("[]").removesuffix(".") for name in named}
    if len(values) != 1 or values[0] not in asked or "*" in values[0]:
        return f"a certificate of {values} for {sorted(asked)}"
    if leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
        return "a certificate that signs others"
    life = leaf.not_valid_after_utc - leaf.not_valid_before_utc
    return "" if life.days <= 398 else f"a certificate of {life.days} days"


def attempts() -> Iterator[Attempt]:
    for face in ("listener", "inside"):
        for drips in (False, True):
            run = partial(waited_for, face=face, drips=drips)
            name = f"{face}, {'a byte now and then' if drips else 'silent'}"
            yield Attempt("slow TLS handshakes", name, run, seconds=120, slow=True, beside=True)
        for name in STARTS:
            run = partial(crowd, face=face, name=name)
            yield Attempt("slow TLS handshakes", f"300 at once by {face}, {name}", run)
    for host in NAMES:
        for sni in ("", "site.example", "bank.example"):
            run = partial(certified, host=host, sni=sni)
            yield Attempt("our certificates", f"{host[:40]!r}, SNI {sni or 'none'}", run)
