"""A TLS client and server that talk in memory, for these tests."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from datetime import UTC, datetime

from winnow.proxy.tls.authority import Authority, new_authority

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def authority_now() -> Authority:
    """An authority whose leaves OpenSSL's clock accepts."""
    return new_authority("test", datetime.now(UTC))


def trusting_client(authority: Authority, protocols: Sequence[str] = ()) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=authority.pem.decode())
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


def client_hello(context: ssl.SSLContext, host: str | None) -> bytes:
    """The bytes that a client of ``context`` sends first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname=host)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("a handshake needs an answer")


def shake_hands(client: ssl.SSLContext, server: ssl.SSLContext, host: str) -> ssl.SSLObject:
    """The client's side after a whole handshake; raises what the client raises."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    left = client.wrap_bio(to_client, to_server, server_hostname=host)
    right = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        _step(left)
        _step(right)
    return left


def _step(side: ssl.SSLObject) -> None:
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return
