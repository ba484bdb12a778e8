"""SOCKS5 out (``upstream.proxy = "socks5h://..."``): names are resolved there alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Origin, ask, closed, get, html, opened, serving
from tests.winnow.conftest import PAGE
from winnow.compose.running import running
from winnow.config.server_settings import Server
from winnow.config.settings import Settings, StorageSettings
from winnow.proxy.upstream.connections import parent_proxy
from winnow.proxy.upstream.connections.parent_proxy import ParentError, parse_parent


@asynccontextmanager
async def far_proxy(origin: Origin, asked: list[bytes]) -> AsyncIterator[int]:
    """A SOCKS5 server that leads every name to the origin, with the password b."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        writer.write(b"\5\2" if 2 in methods else b"\5\0")
        if 2 in methods:
            assert await reader.readexactly(5) == b"\1\1a\1b"
            writer.write(b"\1\0")
        _, _, _, kind, length = await reader.readexactly(5)
        assert kind == 3, "a name, not an address"
        asked.append(await reader.readexactly(length + 2))
        if asked[-1].startswith(b"gone"):
            writer.write(b"\5\4\0\1" + bytes(6))
            return writer.close()
        writer.write(b"\5\0\0\1" + bytes(6))
        await origin.serve(reader, writer)
        return None

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize("password", ["", "a:b@"])
async def test_no_name_is_looked_up_here(tmp_path: Path, password: str) -> None:
    asked: list[bytes] = []
    async with serving(Origin()) as origin, far_proxy(origin, asked) as far:
        origin.replies["/story"] = html(PAGE.encode())
        upstream = replace(Settings().upstream, proxy=f"socks5h://{password}127.0.0.1:{far}")
        settings = replace(
            Settings(),
            server=Server(port=0),
            storage=StorageSettings(folder=tmp_path),
            upstream=upstream,
        )
        async with running(settings, NamedOrigins({})) as proxy:
            page = get("http://site.example/story", "Accept: text/html")
            answer = await ask(proxy.port, page)
            assert answer.field("winnow-action") == "extracted"
            for url in ("http://192.168.1.1/", "http://nas.local/", "http://10.0.0.1/"):
                assert (await ask(proxy.port, get(url))).status == 403, url
            assert (await ask(proxy.port, get("http://gone.example/"))).status == 502
            reader, writer = await opened(proxy.port)
            writer.write(b"CONNECT site.example:443 HTTP/1.1\r\nHost: site.example:443\r\n\r\n")
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            await closed(writer)
        names = [each[:-2] for each in asked]
        assert names == [b"site.example", b"gone.example", b"site.example"]
        assert b"GET /story HTTP/1.1" in origin.requests[0], "in origin form: nobody between"


def test_its_package_is_named_where_it_is_missing() -> None:
    assert parse_parent("socks5h://127.0.0.1:9050", ()) is not None
    with (
        patch.object(parent_proxy, "find_spec", lambda _: None),
        pytest.raises(ParentError, match="python-socks"),
    ):
        parse_parent("socks5h://127.0.0.1:9050", ())
    with pytest.raises(ParentError, match="socks5h://HOST:PORT"):
        parse_parent("socks5://127.0.0.1:9050", ())
