"""Leaf certificates of single hosts, signed by the authority (RFC 5280).

They have what browsers require by the CA/Browser Forum's baseline: SAN, at most 398 days. All
processes and instances of one authority make the same certificate of a host on the same day, bit by
bit: key and serial number are derived from the authority's key, the signature is that of RFC 6979.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import idna
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from winnow.proxy.tls.authority import CLOCK_SKEW, Authority
from winnow.proxy.tls.tls_errors import NameRefusedError

_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""SEC 2, section 2.4.2."""
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_MAX_NAME = 253
_MAX_LABEL = 63


def certificate_name(host: str) -> str | IPv4Address | IPv6Address:
    """``host`` as in a certificate: an address, or an ASCII name in lower case (RFC 5890).

    Brackets and a final dot are removed. Raises ``NameRefusedError`` for what is no host name.
    """
    bare = host.strip().removeprefix("[").removesuffix("]").removesuffix(".")
    address = _address(bare)
    return address if address is not None else _dns_name(bare)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _dns_name(text: str) -> str:
    name = text.lower() if text.isascii() else _to_ascii(text)
    labels = name.split(".")
    sizes_fit = len(name) <= _MAX_NAME and all(0 < len(label) <= _MAX_LABEL for label in labels)
    if not sizes_fit or not _ALLOWED.issuperset(name):
        raise NameRefusedError(f"{text[:80]!r} is no valid host name for a certificate.")
    return name


def _to_ascii(text: str) -> str:
    try:
        return idna.encode(text, uts46=True, transitional=False).decode("ascii").lower()
    except idna.IDNAError as error:
        raise NameRefusedError(f"{text[:80]!r} is no host name: {error}.") from error


LIFE = timedelta(days=365)
_MAX_COMMON_NAME = 64


def leaf_key(authority: Authority) -> ec.EllipticCurvePrivateKey:
    """The key of all leaves, derived from the authority's (HKDF, RFC 5869)."""
    # Of 64 bits more than the curve has, so that the remainder is uniform (FIPS 186-5, A.2.1).
    number = int.from_bytes(_derived(authority, b"winnow leaf key", 40))
    return ec.derive_private_key(1 + number % (_P256_ORDER - 1), ec.SECP256R1())


def _derived(authority: Authority, purpose: bytes, size: int) -> bytes:
    secret = authority.key.private_numbers().private_value.to_bytes(32)
    return HKDF(hashes.SHA256(), size, salt=None, info=purpose).derive(secret)


def _serial_number(authority: Authority, content: bytes) -> int:
    """Unpredictable without the authority's key, and positive in 20 octets (RFC 5280, 4.1.2.2)."""
    made = hmac.digest(_derived(authority, b"winnow leaf serial", 32), content, sha256)
    return int.from_bytes(made[:20]) >> 1 or 1


def new_leaf(
    authority: Authority, key: ec.EllipticCurvePrivateKey, host: str, now: datetime
) -> x509.Certificate:
    """A certificate of ``host`` (a name or an address) for ``key``, valid from the day of ``now``.

    Raises ``NameRefusedError`` if ``host`` is no host name.
    """
    name = certificate_name(host)
    subject = _subject(str(name))
    alternative: x509.GeneralName = (
        x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name)
    )
    signer = authority.certificate
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begin = max(day - CLOCK_SKEW, signer.not_valid_before_utc)
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer.subject)
        .public_key(key.public_key())
        .serial_number(_serial_number(authority, f"{name} {begin:%Y-%m-%dT%H:%M:%S}".encode()))
        .not_valid_before(begin)
        .not_valid_after(min(day + LIFE, signer.not_valid_after_utc))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=not list(subject))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_issuer_key(signer), critical=False)
        .sign(authority.key, hashes.SHA256(), ecdsa_deterministic=True)
    )


def leaf_chain(leaf: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> bytes:
    """Key and leaf as one PEM text for OpenSSL."""
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return secret + leaf.public_bytes(serialization.Encoding.PEM)


def _subject(name: str) -> x509.Name:
    if len(name) > _MAX_COMMON_NAME:
        return x509.Name([])
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _issuer_key(signer: x509.Certificate) -> x509.AuthorityKeyIdentifier:
    identifier = signer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier)
