"""A server is verified by its subjectAltName alone, wherever Winnow is the client of TLS."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Origin, serving
from winnow.proxy.http.client_context import verifying_context
from winnow.proxy.http.proxy_errors import OriginCertificateError
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.tls.authority import Authority, new_authority
from winnow.proxy.tls.leaf_certificates import leaf_chain
from winnow.proxy.tls.listener_context import server_context
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls

HOST = "site.test"
ROOT = Path(__file__).parents[3]


def by_common_name(authority: Authority, named: str, *names: str) -> ssl.SSLContext:
    """What a server shows whose certificate has a common name, and ``names`` as subjectAltName."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, named)]))
        .issuer_name(authority.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
    if names:
        alternative = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
        builder = builder.add_extension(alternative, critical=False)
    return server_context(leaf_chain(builder.sign(authority.key, hashes.SHA256()), key))


@pytest.fixture
def authority() -> Authority:
    return new_authority("the web", datetime.now(UTC))


async def opened(authority: Authority, shown: ssl.SSLContext, host: str = HOST) -> None:
    """Connects to an origin that shows that certificate."""
    tls = OriginTls.trusting(http2=False)
    tls.http1.load_verify_locations(cadata=authority.pem.decode())
    async with serving(Origin(), shown) as origin:
        names = NamedOrigins({(host, 443): origin.port})
        wire = await Connector(names, tls, 30).open(Address("https", host, 443))
        wire.abort()


async def test_a_common_name_alone_is_no_host_name(authority: Authority) -> None:
    with pytest.raises(OriginCertificateError):
        await opened(authority, by_common_name(authority, HOST))


async def test_an_address_as_common_name_is_none_either(authority: Authority) -> None:
    with pytest.raises(OriginCertificateError):
        await opened(authority, by_common_name(authority, "127.0.0.1"), "127.0.0.1")


async def test_the_alternative_name_counts_and_the_common_name_beside_it_does_not(
    authority: Authority,
) -> None:
    await opened(authority, by_common_name(authority, "other.test", HOST))
    with pytest.raises(OriginCertificateError):
        await opened(authority, by_common_name(authority, HOST, "other.test"))


def test_nowhere_else_a_context_of_a_client_is_made() -> None:
    """The guard stands in one module, and nobody goes round it."""
    assert not verifying_context().hostname_checks_common_name
    made = ("create_default_context(", "PROTOCOL_TLS_CLIENT", "Redis.from_url(", "TCPConnector(")
    found = {
        str(path.relative_to(ROOT)): word
        for folder in ("proxy", "winnow", "features", "config", "document", "extractors")
        for path in (ROOT / folder).rglob("*.py")
        for word in made
        if word in path.read_text("utf-8")
    }
    assert found == {"proxy/http/client_context.py": "create_default_context("}
