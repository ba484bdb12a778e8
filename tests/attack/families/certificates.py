"""Certificate faults of HTTPS sites, reached through the gateway and the API of a whole proxy."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.attack.attempts import Attempt
from tests.attack.web import HTML, page, request, throw
from tests.attack.worlds import SITE, World, defaults
from tests.proxy.origins import Origin, serving
from winnow.compose.running import running

NOW: Final = datetime.now(UTC)
HOST: Final = "tls.example"
Key = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Leaf:
    """A certificate of a site, odd in one way;"""

    names: tuple[str, ...] = (HOST,)
    common: str = "x"
    begins: int = -1
    ends: int = 90
    issuer: str = "root"
    server: bool = True
    bits: int = 0
    address: str = ""


LEAVES: Final = {
    "expired": Leaf(ends=-0, begins=-90),
    "not yet valid": Leaf(begins=5),
    "another name": Leaf(names=("other.example",)),
    "common name alone": Leaf(names=(), common=HOST),
    "common name beside another": Leaf(names=("other.example",), common=HOST),
    "wildcard of all": Leaf(names=("*",)),
    "wildcard of a suffix": Leaf(names=("*.example",)),
    "wildcard within": Leaf(names=("t*.example",)),
    "wildcard of two": Leaf(names=("*.*",)),
    "name below": Leaf(names=(f"www.{HOST}",)),
    "name as suffix": Leaf(names=("example",)),
    "longer name": Leaf(names=(f"{HOST}.evil.example",)),
    "NUL in the name": Leaf(names=(f"{HOST}\0.evil.example",)),
    "blank": Leaf(names=(f" {HOST}",)),
    "no issuer we know": Leaf(issuer="stranger"),
    "self-signed": Leaf(issuer="self"),
    "signed by a leaf": Leaf(issuer="leaf"),
    "signed by an expired authority": Leaf(issuer="expired"),
    "for clients alone": Leaf(server=False),
    "a key of 1024 bits": Leaf(bits=1024),
    "an address as a name": Leaf(names=("93.184.215.14",)),
    "no names at all": Leaf(names=()),
}


@cache
def key(bits: int = 0, number: int = 0) -> Key:
    """An RSA key of so many bits, or one of the curve P-256."""
    if not bits:
        return ec.generate_private_key(ec.SECP256R1())
    return rsa.generate_private_key(public_exponent=65537, key_size=bits)


def _named(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def signed(
    subject: str, public: Key, issuer: str, signing: Key, leaf: Leaf, *, authority: bool
) -> x509.Certificate:
    """A certificate as ``leaf`` says; an authority signs others."""
    made = (
        x509.CertificateBuilder()
        .subject_name(_named(subject))
        .issuer_name(_named(issuer))
        .public_key(public.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW + timedelta(days=leaf.begins))
        .not_valid_after(NOW + timedelta(days=leaf.ends))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    names: list[x509.GeneralName] = [x509.DNSName(name) for name in leaf.names]
    if leaf.address:
        names.append(x509.IPAddress(ip_address(leaf.address)))
    if names and not authority:
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if not authority:
        purpose = (
            ExtendedKeyUsageOID.SERVER_AUTH if leaf.server else ExtendedKeyUsageOID.CLIENT_AUTH
        )
        made = made.add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
    return made.sign(signing, hashes.SHA256())


def root() -> x509.Certificate:
    return signed("root", key(), "root", key(), Leaf(begins=-400, ends=400), authority=True)


def chain(leaf: Leaf) -> tuple[list[x509.Certificate], Key]:
    """The certificates that the site shows, and its key."""
    own = key(leaf.bits, 1)
    match leaf.issuer:
        case "root":
            return [signed(leaf.common, own, "root", key(), leaf, authority=False)], own
        case "self":
            return [signed(leaf.common, own, leaf.common, own, leaf, authority=False)], own
        case "stranger":
            return [signed(leaf.common, own, "root", key(0, 2), leaf, authority=False)], own
    between = key(0, 3)
    odd = Leaf(begins=-90, ends=-1) if leaf.issuer == "expired" else Leaf()
    middle = signed("middle", between, "root", key(), odd, authority=leaf.issuer == "expired")
    return [signed(leaf.common, own, "middle", between, leaf, authority=False), middle], own


def shown(leaf: Leaf, folder: Path) -> ssl.SSLContext:
    """A server's context that shows the leaf."""
    certificates, own = chain(leaf)
    file = folder / f"leaf-{abs(hash(leaf)):x}.pem"
    pem = own.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(
        pem + b"".join(one.public_bytes(serialization.Encoding.PEM) for one in certificates)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    context.load_cert_chain(file)
    return context


async def shaken(world: World, leaf: Leaf, face: str) -> str:
    """Ask for a page of that site; nothing may have been asked of it."""
    return "the page was fetched" if await _fetched(world, leaf, face) else ""


async def counter_proof(world: World, leaf: Leaf, face: str) -> str:
    """A sound certificate is accepted, or this family shows nothing."""
    return "" if await _fetched(world, leaf, face) else "a sound certificate was refused"


async def _fetched(world: World, leaf: Leaf, face: str) -> bool:
    folder = world.folder / "tls"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "root.pem").write_bytes(root_pem())
    settings = defaults(folder / "data")
    upstream = replace(settings.upstream, ca_bundle=folder / "root.pem")
    world.network.names[HOST] = lambda: [SITE]
    site = Origin(usual=page("Secure"))
    async with AsyncExitStack() as ending:
        await ending.enter_async_context(serving(site, shown(leaf, folder)))
        world.network.routes[SITE, 443] = site.port
        proxy = await ending.enter_async_context(running(replace(settings, upstream=upstream)))
        own = f"127.0.0.1:{proxy.port}"
        got = await throw(proxy.port, request(face.format(f"https://{HOST}/"), own, (HTML,)))
        return bool(site.requests) or got.status == 200


@cache
def root_pem() -> bytes:
    return root().public_bytes(serialization.Encoding.PEM)


FACES: Final = ("/{}", "/-/api/extract?url={}", "/-/read?mode=original&url={}", "/-/small/{}")


def attempts() -> Iterator[Attempt]:
    for number, (name, leaf) in enumerate(LEAVES.items()):
        face = FACES[number % len(FACES)]
        yield Attempt("certificate faults", name, partial(shaken, leaf=leaf, face=face))
    for face in FACES:
        run = partial(counter_proof, leaf=Leaf(), face=face)
        yield Attempt("certificate faults", f"none, by {face}", run)
