"""Programs that speak HTTP/2, through intercepted TLS and in clear text: curl, nghttp, h2load."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme

from tests.clients.test_clients import run
from tests.programs import require_program
from tests.proxy.http2_peers import Http2Origin, serving_http2
from tests.proxy.names import NamedOrigins
from tests.proxy.origins import reply
from tests.proxy.proxies import proxying
from tests.proxy.worlds import world
from winnow.proxy.server.client_limits import ClientBounds
from winnow.proxy.upstream.connector import Connector
from winnow.proxy.upstream.origin_tls import OriginTls

HTTP2 = ClientBounds(http2=True)


@pytest.mark.parametrize(("asked", "spoken"), [("--http2", b"2"), ("--http1.1", b"1.1")])
async def test_curl_inside_intercepted_tls(tmp_path: Path, asked: str, spoken: bytes) -> None:
    curl = require_program("curl")
    trusted = tmp_path / "ours.pem"
    async with world(tmp_path, http2=True) as here:
        trusted.write_bytes(here.ours.pem)
        here.origin.replies["/"] = reply(b"z" * 3_000_000, "Content-Type: image/png")
        url = f"https://site.test:{here.origin.port}/"
        proxy = f"http://127.0.0.1:{here.proxy.port}"
        options = ("-sS", asked, "--cacert", trusted, "-x", proxy, "-o", tmp_path / "body")
        got = await run(curl, *options, "-w", "%{http_version} %{size_download}", url)
    assert got == spoken + b" 3000000"


async def test_nghttp_and_h2load_in_clear_text() -> None:
    nghttp, h2load = require_program("nghttp"), require_program("h2load")
    async with proxying(bounds=HTTP2) as proxy:
        url = f"http://127.0.0.1:{proxy.port}/-/health"
        assert await run(nghttp, url) == b"ok\n"
        report = await run(h2load, "-n", "500", "-c", "4", "-m", "20", url)
    assert b"500 succeeded, 0 failed, 0 errored" in report


async def test_curl_of_http1_and_an_origin_of_http2(tmp_path: Path) -> None:
    curl = require_program("curl")
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(shown)
    tls = OriginTls.trusting()
    for context in (tls.http1, tls.newest):
        authority.configure_trust(context)
    async with serving_http2(Http2Origin({"/": b"by HTTP/2"}), shown) as origin:
        connector = Connector(NamedOrigins({("site.test", 443): origin.port}), tls, 30)
        async with proxying(connector=connector) as proxy:
            target = ("--request-target", "https://site.test/")
            got = await run(curl, "-sS", *target, f"http://127.0.0.1:{proxy.port}/")
    assert got == b"by HTTP/2"
