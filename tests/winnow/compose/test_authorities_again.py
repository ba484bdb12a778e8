"""``upstream.ca_bundle`` is read again with the settings, for connections from then on."""

from __future__ import annotations

import ssl
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from tests.proxy.origins import Origin, reply, serving
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest
from winnow.proxy.http.proxy_errors import OriginCertificateError
from winnow.proxy.http.request_target import parse_url


async def fetched(proxy: Running, url: str) -> bytes:
    request = OriginRequest("GET", parse_url(url), Headers((("Host", "localhost"),)))
    response = await proxy.backend.client.send(request)
    body = await response.read()
    await response.aclose()
    return body


async def test_what_the_file_holds_now_is_trusted(tmp_path: Path) -> None:
    theirs, other, bundle = trustme.CA(), trustme.CA(), tmp_path / "bundle.pem"
    shown = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.issue_cert("localhost").configure_cert(shown)
    other.cert_pem.write_to_path(bundle)
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path / "data"),
        upstream=replace(plain.upstream, ca_bundle=bundle),
        extraction=replace(plain.extraction, processes=1, start_seconds=240),
    )
    async with (
        serving(Origin({"/": reply(b"secret")}), shown) as origin,
        running(settings) as proxy,
    ):
        url = f"https://localhost:{origin.port}/"
        with pytest.raises(OriginCertificateError):
            await fetched(proxy, url)
        theirs.cert_pem.write_to_path(bundle)
        await proxy.reload(proxy.loaded)
        assert await fetched(proxy, url) == b"secret"
        other.cert_pem.write_to_path(bundle)
        await proxy.reload(proxy.loaded)
        with pytest.raises(OriginCertificateError):
            await fetched(proxy, url)
