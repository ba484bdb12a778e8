"""h2spec (docs/http.md says how it is built) against the TLS listener and inside interception.

It is in no package registry, so where it is absent this file is not collected (conftest.py):
test_http2_conformance.py has the same sections' cases written anew.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from tests.clients.conftest import H2SPEC
from tests.clients.test_http2_libraries import intercepting
from tests.proxy.origins import Origin, reply, serving
from winnow.compose.running import running
from winnow.config.settings import Settings

pytestmark = pytest.mark.release
ALL_PASSED = re.compile(rb"^(146) tests, \1 passed, 0 skipped, 0 failed$", re.MULTILINE)


async def report(port: int) -> bytes:
    """What h2spec prints of the server at ``port`` that speaks TLS."""
    process = await asyncio.create_subprocess_exec(
        *(str(H2SPEC), "-h", "127.0.0.1", "-p", str(port), "-t", "-k", "-o", "10"),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    return output


async def test_the_tls_listener(tmp_path: Path) -> None:
    leaf, plain = trustme.CA().issue_cert("127.0.0.1"), Settings()
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    leaf.cert_chain_pems[0].write_to_path(str(chain))
    leaf.private_key_pem.write_to_path(str(key))
    server = replace(plain.server, port=0, tls_cert=chain, tls_key=key)
    async with running(replace(plain, server=server)) as proxy:
        output = await report(proxy.port)
    assert ALL_PASSED.search(output), output.decode()


async def test_interception(tmp_path: Path) -> None:
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(shown)
    async with (
        serving(Origin(usual=reply(b"z" * 5000, "Content-Type: image/png")), shown) as origin,
        tunnelled() as way,
        intercepting(tmp_path, authority, origin.port, ("127.0.0.1", way.port)) as opened,
    ):
        way.proxy = opened.proxy.port
        output = await report(way.port)
        assert origin.requests
    assert ALL_PASSED.search(output), output.decode()


class Way:
    """A port whose connections are tunnelled by CONNECT to itself: the proxy knows better."""

    port = proxy = 0

    async def lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_connection("127.0.0.1", self.proxy)
        onward.write(f"CONNECT 127.0.0.1:{self.port} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        await there.readuntil(b"\r\n\r\n")
        await asyncio.gather(_copied(reader, onward), _copied(there, writer))


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass  # either side may reset: the other is closed then
    finally:
        writer.close()


@asynccontextmanager
async def tunnelled() -> AsyncIterator[Way]:
    way = Way()
    async with await asyncio.start_server(way.lead, "127.0.0.1", 0) as server:
        way.port = server.sockets[0].getsockname()[1]
        yield way
