"""The authorities that origins' certificates are checked against: loaded late, and once."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from winnow.proxy.http.client_context import verifying_context
from winnow.proxy.upstream.connections.origin_tls import OriginTls, SystemAuthorities


class Counting(ssl.SSLContext):
    """Counts how often the system's authorities were loaded."""

    loaded = 0

    def load_default_certs(self, purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH) -> None:
        self.loaded += 1
        super().load_default_certs(purpose)


def counting() -> Counting:
    return Counting(ssl.PROTOCOL_TLS_CLIENT)


def test_a_context_trusts_nobody_until_it_is_used_but_verifies_as_any_other() -> None:
    found, other = OriginTls.trusting().newest, verifying_context()
    assert not found.get_ca_certs()
    for name in ("verify_mode", "verify_flags", "check_hostname", "hostname_checks_common_name"):
        assert getattr(found, name) == getattr(other, name), name
    assert found.verify_mode is ssl.CERT_REQUIRED
    assert found.options == other.options


async def test_the_systems_authorities_are_loaded_once_for_all_who_wait() -> None:
    used, unused = counting(), counting()
    system = SystemAuthorities(used, unused)
    await asyncio.gather(*(system.load_into(used) for _ in range(8)))
    await system.load_into(used)
    assert (used.loaded, unused.loaded) == (1, 0)
    assert used.get_ca_certs() == verifying_context().get_ca_certs()


async def test_a_context_from_elsewhere_trusts_whom_it_trusted() -> None:
    own = counting()
    await OriginTls(own, own).system.load_into(own)
    assert own.loaded == 0


def test_authorities_of_a_file_are_read_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        OriginTls.trusting(str(tmp_path / "missing.pem"))


def test_without_http2_there_is_one_context() -> None:
    tls = OriginTls.trusting(http2=False)
    assert tls.http1 is tls.newest
