"""Each problem is told in plain words, with the right status, and escapes what others wrote."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from proxy.pages.problems import (
    Certificate,
    Problem,
    certificate_fault,
    certificate_page,
    looped,
    password_needed,
    private_address,
    problem_page,
    too_slow,
    unknown_host,
    unreachable,
)
from proxy.tls.authority import Authority, new_authority
from proxy.tls.contexts import server_context
from proxy.tls.leaves import leaf_chain, new_leaf
from tests.proxy.pages.support import assert_sound, parsed, text
from tests.proxy.tls.support import shake_hands, trusting_client

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
        (AUTHORITY, "example.com", NOW - timedelta(days=500), Certificate.EXPIRED),
        (AUTHORITY, "example.com", NOW + timedelta(days=5), Certificate.NOT_YET_VALID),
        (AUTHORITY, "other.example", NOW, Certificate.OTHER_NAME),
        (AUTHORITY, "127.0.0.1", NOW, Certificate.OTHER_NAME),
        (new_authority("other", NOW), "example.com", NOW, Certificate.UNKNOWN_AUTHORITY),
    ],
)
def test_what_openssl_finds_is_told_apart(
    trusted: Authority, host: str, made: datetime, fault: Certificate
) -> None:
    assert certificate_fault(_refusal(trusted, host, made)) is fault


def test_a_self_signed_certificate_is_known() -> None:
    secret = leaf_chain(AUTHORITY.certificate, AUTHORITY.key)
    client = trusting_client(new_authority("other", NOW))
    with pytest.raises(ssl.SSLCertVerificationError) as caught:
        shake_hands(client, server_context(secret), "example.com")
    assert certificate_fault(caught.value) is Certificate.SELF_SIGNED


def test_what_nobody_foresaw_is_told_too() -> None:
    assert certificate_fault(ssl.SSLCertVerificationError("odd")) is Certificate.OTHER


@pytest.mark.parametrize("fault", Certificate)
def test_a_bad_certificate_gets_a_page_in_plain_words(fault: Certificate) -> None:
    page = certificate_page("shop.example", fault, "certificate verify failed")
    assert_sound(page)
    assert page.status == 502
    assert page.headers["Proxy-Status"] == "winnow; error=tls_certificate_error"
    assert "shop.example" in text(page)
    assert fault.value in text(page)


@pytest.mark.parametrize(
    ("make", "status"),
    [(unreachable, 502), (unknown_host, 502), (too_slow, 504), (private_address, 403)],
)
def test_each_problem_names_the_host_and_its_status(
    make: Callable[[str], Problem], status: int
) -> None:
    page = problem_page(make("printer.example"))
    assert_sound(page)
    assert page.status == status
    assert "printer.example" in text(page)
    assert page.headers["Proxy-Status"].startswith("winnow; error=")


def test_a_loop_is_told() -> None:
    assert problem_page(looped()).status == 508


@pytest.mark.parametrize(("wait", "status"), [(0, 407), (300, 429)])
def test_a_password_is_asked_for_or_slowed_down(wait: int, status: int) -> None:
    page = problem_page(password_needed(wait))
    assert_sound(page)
    assert page.status == status
    assert ("5 minutes" in text(page)) is bool(wait)


def test_what_a_host_is_called_cannot_break_out() -> None:
    page = certificate_page("<script>x</script>", Certificate.OTHER, "<b>bold</b>")
    assert not parsed(page).css("script, b")
