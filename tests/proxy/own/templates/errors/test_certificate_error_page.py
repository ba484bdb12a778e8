"""A bad certificate is told in plain words, and what others wrote is escaped."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.proxy.own.templates.support import assert_sound, parsed, text
from tests.proxy.tls.support import shake_hands, trusting_client
from winnow.proxy.http.proxy_errors import OriginCertificateError
from winnow.proxy.own.templates.errors.error_pages import (
    CertificateFault,
    certificate_fault,
    error_page,
)
from winnow.proxy.own.templates.errors.failures import FailedRequest
from winnow.proxy.tls.authority import Authority, new_authority
from winnow.proxy.tls.leaf_certificates import leaf_chain, new_leaf
from winnow.proxy.tls.listener_context import server_context

NOW = datetime.now(UTC)
AUTHORITY = new_authority("desk", NOW - timedelta(days=900))


def _refusal(trusted: Authority, host: str, made: datetime) -> ssl.SSLCertVerificationError:
    """What a client says of a server whose leaf for example.com was made at ``made``."""
    key = ec.generate_private_key(ec.SECP256R1())
    chain = leaf_chain(new_leaf(AUTHORITY, key, "example.com", made), key)
    with pytest.raises(ssl.SSLCertVerificationError) as caught:
        shake_hands(trusting_client(trusted), server_context(chain), host)
    return caught.value


@pytest.mark.parametrize(
    ("trusted", "host", "made", "fault"),
    [
        (AUTHORITY, "example.com", NOW - timedelta(days=500), CertificateFault.EXPIRED),
        (AUTHORITY, "example.com", NOW + timedelta(days=5), CertificateFault.NOT_YET_VALID),
        (AUTHORITY, "other.example", NOW, CertificateFault.OTHER_NAME),
        (AUTHORITY, "127.0.0.1", NOW, CertificateFault.OTHER_NAME),
        (new_authority("other", NOW), "example.com", NOW, CertificateFault.UNKNOWN_AUTHORITY),
    ],
)
def test_what_openssl_finds_is_told_apart(
    trusted: Authority, host: str, made: datetime, fault: CertificateFault
) -> None:
    assert certificate_fault(_refusal(trusted, host, made).verify_code) is fault


def test_a_self_signed_certificate_is_known() -> None:
    secret = leaf_chain(AUTHORITY.certificate, AUTHORITY.key)
    client = trusting_client(new_authority("other", NOW))
    with pytest.raises(ssl.SSLCertVerificationError) as caught:
        shake_hands(client, server_context(secret), "example.com")
    assert certificate_fault(caught.value.verify_code) is CertificateFault.SELF_SIGNED


def test_what_nobody_foresaw_is_told_too() -> None:
    assert certificate_fault(0) is CertificateFault.OTHER


CODES = [9, 10, 18, 20, 23, 62, 66, 0]
"""One of each fault."""


@pytest.mark.parametrize("code", CODES)
def test_a_bad_certificate_gets_a_page_in_plain_words(code: int) -> None:
    error = OriginCertificateError("certificate verify failed", "shop.example", code)
    page = error_page(error, FailedRequest())
    assert_sound(page)
    assert page.status == 502
    assert page.headers["Proxy-Status"] == "winnow; error=tls_certificate_error"
    assert "shop.example" in text(page)
    assert certificate_fault(code).value in text(page)


def test_what_a_host_is_called_cannot_break_out() -> None:
    page = error_page(OriginCertificateError("<b>bold</b>", "<script>x</script>"), FailedRequest())
    assert not parsed(page).css("script, b")
