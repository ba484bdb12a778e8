"""TLS is intercepted only where the settings say so, and never at a bank."""

from __future__ import annotations

import pytest

from winnow.proxy.tls.client_hello import ClientHello
from winnow.proxy.tls.interception_policy import (
    Hosts,
    InterceptionPolicy,
    SparedReason,
    spared_banks,
    spared_by_hello,
)

ALL_BUT_BANKS = InterceptionPolicy(Hosts.of(["*"]), Hosts.of(["bank.example", "*.bank.example"]))


@pytest.mark.parametrize(
    ("pattern", "host", "held"),
    [
        ("example.com", "example.com", True),
        ("example.com", "EXAMPLE.com.", True),
        ("Example.com.", "example.com", True),
        ("example.com", "www.example.com", False),
        ("*.example.com", "www.example.com", True),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "notexample.com", False),
        ("*", "anything", True),
        ("", "", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
    ],
)
def test_patterns_hold_for_hosts(pattern: str, host: str, held: bool) -> None:
    assert (host in Hosts.of([pattern])) is held


def test_sets_join() -> None:
    joined = Hosts.of(["a.example"]) | Hosts.of(["*.b.example"])
    assert "a.example" in joined
    assert "x.b.example" in joined
    assert "c.example" not in joined


def test_nothing_is_intercepted_by_default() -> None:
    assert InterceptionPolicy().spares("example.com") is SparedReason.NOT_ASKED


def test_our_own_name_is_always_opened() -> None:
    assert InterceptionPolicy(never=Hosts.of(["*"])).spares("Winnow.internal.") is None


def test_never_wins() -> None:
    assert ALL_BUT_BANKS.spares("example.com") is None
    assert ALL_BUT_BANKS.spares("www.bank.example") is SparedReason.NEVER


@pytest.mark.parametrize(
    ("hello", "spared"),
    [
        (ClientHello("example.com", ("h2", "http/1.1")), None),
        (ClientHello(None, ()), None),
        (ClientHello("example.com", ("h2",)), SparedReason.OTHER_HTTP),
        (ClientHello("bank.example", ()), SparedReason.NEVER),
    ],
)
def test_a_hello_may_spare_itself(hello: ClientHello, spared: SparedReason | None) -> None:
    assert spared_by_hello(hello, ALL_BUT_BANKS) is spared


def test_the_offered_list_holds_banks_and_nothing_wide() -> None:
    banks = spared_banks()
    assert "www.paypal.com" in banks
    assert "sparkasse.de" in banks
    assert not banks.every
    assert all("." in host and host == host.strip() for host in banks.exact | banks.below)
    assert "www.bbc.co.uk" not in banks
