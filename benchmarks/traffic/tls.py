"""Intercepted TLS: new connections, and requests on persistent ones; CPU of the proxy for each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from benchmarks.traffic.async_client import ask, trusting, tunnelled
from benchmarks.traffic.processes import Server
from benchmarks.traffic.request_cost import Spread
from benchmarks.traffic.workloads import WITHIN

NEW, KEPT = "new connection, 2 kB", "kept connection, 100 kB"
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Handshakes:
    """One way of asking through one proxy: rate a second, microseconds of its CPU for each."""

    proxy: str
    load: str
    rate: Spread
    cpu: Spread


def measured(
    proxies: Mapping[str, Server], origin: str, rounds: int, count: int
) -> list[Handshakes]:
    """Each proxy in turn, in rounds; ``origin`` is ``host:port``; ``count`` requests a time."""
    ways = {NEW: _new, KEPT: _kept}
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for turn in range(rounds + 1):
        for load, way in ways.items():
            for name, server in proxies.items():
                shot = _shot(server, way, origin, count)
                if turn:  # the first is for certificates that are made once
                    found.setdefault((name, load), []).append(shot)
    return [
        Handshakes(name, load, Spread.of([a for a, _ in shots]), Spread.of([b for _, b in shots]))
        for (name, load), shots in found.items()
    ]


Way = Callable[[int, str, int], Awaitable[None]]


def _shot(server: Server, way: Way, origin: str, count: int) -> tuple[float, float]:
    async def run() -> None:
        share = count // _AT_ONCE
        await asyncio.gather(*(way(server.port, origin, share) for _ in range(_AT_ONCE)))

    before, begun = server.cpu(), time.perf_counter()
    asyncio.run(run())
    spent, seconds = server.cpu() - before, time.perf_counter() - begun
    return count / seconds, 1e6 * spent / count


async def _new(proxy: int, origin: str, count: int) -> None:
    context = trusting()
    for _ in range(count):
        async with tunnelled(proxy, origin, context) as streams:
            await ask(streams, "/small.html", {"Host": origin, **WITHIN})


async def _kept(proxy: int, origin: str, count: int) -> None:
    async with tunnelled(proxy, origin, trusting()) as streams:
        for _ in range(count):
            await ask(streams, "/page.html", {"Host": origin, **WITHIN})


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that vouches for itself, and its key; the files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / "origin.pem", folder / "origin.key"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return chain, secret
