"""A second connection resumes the first one's TLS session; each context has its own sessions."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trustme

from tests.proxy.names import NamedOrigins
from winnow.proxy.http.request_target import Origin
from winnow.proxy.upstream.connections import tls_sessions
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls
from winnow.proxy.upstream.connections.tls_sessions import TICKET_SECONDS, TlsSessions

pytestmark = pytest.mark.usefixtures("virtual_time")
HERE = Origin("https", "site.test", 443)


@asynccontextmanager
async def far(version: ssl.TLSVersion) -> AsyncIterator[tuple[int, trustme.CA, list[bool]]]:
    """A server that notes of each connection whether its session was resumed."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = version
    authority.issue_cert("site.test").configure_cert(context)
    resumed: list[bool] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        resumed.append(writer.get_extra_info("ssl_object").session_reused)
        await reader.read(1)
        writer.write(b"x")
        await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1], authority, resumed
    finally:
        server.close()
        await server.wait_closed()


def connector(port: int, authority: trustme.CA) -> Connector:
    tls = OriginTls.trusting(http2=False)
    authority.configure_trust(tls.http1)
    return Connector(NamedOrigins({("site.test", 443): port}), tls, 30)


async def visit(by: Connector) -> None:
    connection = await by.open(HERE)
    await connection.send(b"?")
    assert await connection.receive() == b"x"
    await asyncio.sleep(TICKET_SECONDS + 0.2)
    connection.close()
    await connection.closed


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_the_second_connection_resumes_the_first_ones_session(
    version: ssl.TLSVersion,
) -> None:
    async with far(version) as (port, authority, resumed):
        by = connector(port, authority)
        await visit(by)
        await visit(by)
        await visit(connector(port, authority))  # after a reload: whom to trust may have changed
    assert resumed == [False, True, False]


async def test_a_handshake_that_goes_on_has_no_session_to_keep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An origin that stalls or ends within it: "Exception in callback" was in the log."""
    monkeypatch.setattr(tls_sessions, "TICKET_SECONDS", 0)
    context, raised = ssl.create_default_context(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, what: raised.append(what))
    TlsSessions(context)
    begun = context.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="site.test")
    with pytest.raises(ssl.SSLWantReadError):
        begun.do_handshake()
    await asyncio.sleep(0.01)
    assert raised == []
