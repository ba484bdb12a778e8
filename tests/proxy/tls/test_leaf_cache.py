"""A context is made once a host, off the loop, within bounds, and clients accept it."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator

import pytest

from tests.proxy.tls.support import authority_now, shake_hands, trusting_client
from winnow.proxy.tls.authority import Authority
from winnow.proxy.tls.leaf_cache import ContextCache
from winnow.proxy.tls.tls_errors import NameRefusedError


class Counting(ContextCache):
    """Counts what it mints, and where."""

    def __init__(self, authority: Authority, capacity: int = 1024) -> None:
        super().__init__(authority, capacity)
        self.minted: list[str] = []
        self.threads: set[int] = set()

    def create(self, name: str) -> ssl.SSLContext:
        self.minted.append(name)
        self.threads.add(threading.get_ident())
        return super().create(name)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return authority_now()


@pytest.fixture
def contexts(authority: Authority) -> Iterator[Counting]:
    made = Counting(authority, capacity=3)
    yield made
    made.close()


@pytest.mark.parametrize("host", ["example.com", "xn--bcher-kva.example", "127.0.0.1", "::1"])
async def test_a_client_that_trusts_the_authority_accepts(
    authority: Authority, contexts: Counting, host: str
) -> None:
    server = await contexts.for_host(host)
    done = shake_hands(trusting_client(authority), server, host)
    assert done.version() == "TLSv1.3"


async def test_a_client_that_does_not_trust_it_refuses(contexts: Counting) -> None:
    server = await contexts.for_host("example.com")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(trusting_client(authority_now()), server, "example.com")


async def test_another_host_is_not_covered(authority: Authority, contexts: Counting) -> None:
    server = await contexts.for_host("example.com")
    with pytest.raises(ssl.SSLCertVerificationError, match=r"not valid for 'www.example.com'"):
        shake_hands(trusting_client(authority), server, "www.example.com")


async def test_http_1_1_is_all_that_is_offered(authority: Authority, contexts: Counting) -> None:
    server = await contexts.for_host("example.com")
    client = trusting_client(authority, ["h2", "http/1.1"])
    assert shake_hands(client, server, "example.com").selected_alpn_protocol() == "http/1.1"


async def test_a_hundred_at_once_mint_one(contexts: Counting) -> None:
    requests = [contexts.for_host("new.example") for _ in range(100)]
    assert len(set(await asyncio.gather(*requests))) == 1
    assert contexts.minted == ["new.example"]


async def test_minting_happens_off_the_loop(contexts: Counting) -> None:
    await contexts.for_host("new.example")
    assert threading.get_ident() not in contexts.threads


async def test_spellings_of_a_host_share_one(contexts: Counting) -> None:
    spellings = ["Bücher.example", "BÜCHER.example.", "xn--bcher-kva.example"]
    assert len({await contexts.for_host(host) for host in spellings}) == 1


async def test_the_least_recently_used_is_forgotten(contexts: Counting) -> None:
    for host in ("a.example", "b.example", "c.example", "a.example", "d.example", "a.example"):
        await contexts.for_host(host)
    assert contexts.minted == ["a.example", "b.example", "c.example", "d.example"]
    await contexts.for_host("b.example")
    assert contexts.minted[-1] == "b.example"


async def test_a_client_that_goes_away_does_not_fail_the_others(contexts: Counting) -> None:
    leaving = asyncio.ensure_future(contexts.for_host("new.example"))
    staying = asyncio.ensure_future(contexts.for_host("new.example"))
    await asyncio.sleep(0)
    leaving.cancel()
    assert isinstance(await staying, ssl.SSLContext)
    assert contexts.minted == ["new.example"]


async def test_what_is_no_host_is_refused(contexts: Counting) -> None:
    with pytest.raises(NameRefusedError):
        await contexts.for_host("*.example.com")
    assert not contexts.minted
