"""Other settings, while what began by the old ones goes on."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from tests.proxy.http2_peers import Exchanged, Http2Origin, Peer, serving_http2
from winnow.compose import running as running_module
from winnow.compose.running import running
from winnow.config.settings import Settings

HALF = b"x" * 30_000
FIELDS = [(":status", "200"), ("content-length", "60000"), ("content-type", "font/woff2")]


async def test_a_download_by_http2_outlives_the_workers_of_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_module, "RETIRED_SECONDS", 0.01)
    go_on, ended = asyncio.Event(), asyncio.Event()

    async def slow(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, FIELDS)
        await peer.data(stream.number, HALF, end=False)
        await go_on.wait()
        await peer.data(stream.number, HALF)

    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(shown)
    authority.cert_pem.write_to_path(tmp_path / "bundle.pem")
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path / "data"),
        upstream=replace(plain.upstream, ca_bundle=tmp_path / "bundle.pem"),
        extraction=replace(plain.extraction, processes=1, start_seconds=240),
    )
    async with (
        serving_http2(Http2Origin({"/": slow}), shown) as origin,
        running(settings) as proxy,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        at = f"127.0.0.1:{proxy.port}"
        writer.write(
            f"GET /https://localhost:{origin.port}/ HTTP/1.1\r\nHost: {at}\r\n\r\n".encode()
        )
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(len(HALF))
        close = proxy.backend.pool.aclose

        async def noted() -> None:
            await close()
            ended.set()

        monkeypatch.setattr(proxy.backend.pool, "aclose", noted)
        await proxy.reload(proxy.loaded)
        await asyncio.wait_for(ended.wait(), 60)
        go_on.set()
        assert await reader.readexactly(len(HALF)) == HALF
        await asyncio.wait_for(asyncio.gather(*proxy._retired), 60)
        assert await asyncio.wait_for(asyncio.shield(origin.peers[0].lost), 60) is None
        writer.close()
