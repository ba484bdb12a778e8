"""Leaf certificates of single hosts, signed by the authority (RFC 5280).

They have what browsers require by the CA/Browser Forum's baseline: SAN, at most 398 days.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address

import idna
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from winnow.proxy.tls.authority import CLOCK_SKEW, Authority
from winnow.proxy.tls.tls_errors import NameRefusedError

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


def new_leaf(
    authority: Authority, key: ec.EllipticCurvePrivateKey, host: str, now: datetime
) -> x509.Certificate:
    """A certificate of ``host`` (a name or an address) for ``key``, valid from ``now`` on.

    Raises ``NameRefusedError`` if ``host`` is no host name.
    """
    name = certificate_name(host)
    subject = _subject(str(name))
    alternative: x509.GeneralName = (
        x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name)
    )
    signer = authority.certificate
    usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(max(now - CLOCK_SKEW, signer.not_valid_before_utc))
        .not_valid_after(min(now + LIFE, signer.not_valid_after_utc))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=not list(subject))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_issuer_key(signer), critical=False)
        .sign(authority.key, hashes.SHA256())
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
