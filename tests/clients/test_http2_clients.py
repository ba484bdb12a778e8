"""Programs that speak HTTP/2, through intercepted TLS and in clear text: curl, nghttp, h2load."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from tests.clients.test_clients import run
from tests.programs import require_program
from tests.proxy.http2_peers import Http2Origin, serving_http2
from tests.proxy.names import NamedOrigins
from tests.proxy.origins import reply
from tests.proxy.proxies import proxying
from tests.proxy.worlds import World, world
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls

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


@pytest.mark.parametrize(
    ("status", "expect"),
    [
        (b"401 Unauthorized", "Expect:"),
        (b"401 Unauthorized", "Expect: 100-continue"),
        (b"417 Expectation Failed", "Expect:"),  # asked to expect, curl loses it without us too
    ],
)
async def test_an_upload_that_is_answered_early_has_its_answer(
    tmp_path: Path, status: bytes, expect: str
) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 %b\r\nContent-Length: 2\r\n\r\nno" % status)
        await writer.drain()
        await reader.read()

    upload = tmp_path / "upload"
    upload.write_bytes(bytes(3_000_000))
    async with through_curl(tmp_path) as (here, fetch):
        here.origin.replies["/"] = refuse
        for _ in range(3):
            got = await fetch("/", "--data-binary", f"@{upload}", "-H", expect)
            assert got == (0, b"no", status.split()[0])


async def test_what_came_of_a_page_that_ends_in_the_middle_is_shown(tmp_path: Path) -> None:
    async def cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6000\r\n\r\n"
        writer.write(head + b"z" * 3000)
        await writer.drain()

    async with through_curl(tmp_path) as (here, fetch):
        here.origin.replies["/"] = cut
        code, body, _ = await fetch("/")
    assert (code, body) == (92, b"z" * 3000)


Fetch = Callable[..., Awaitable[tuple[int, bytes, bytes]]]


@asynccontextmanager
async def through_curl(folder: Path) -> AsyncIterator[tuple[World, Fetch]]:
    """curl by HTTP/2 inside intercepted TLS: its exit code, the body and the status."""
    curl, trusted, body = require_program("curl"), folder / "ours.pem", folder / "body"
    async with world(folder, http2=True) as here:
        trusted.write_bytes(here.ours.pem)

        async def fetch(path: str, *options: str) -> tuple[int, bytes, bytes]:
            body.write_bytes(b"")
            process = await asyncio.create_subprocess_exec(
                *(str(curl), "-sS", "--http2", "-m", "30", "--cacert", str(trusted)),
                *("-x", f"http://127.0.0.1:{here.proxy.port}", "-o", str(body)),
                *("-w", "%{http_code}", *options),
                f"https://site.test:{here.origin.port}{path}",
                stdout=asyncio.subprocess.PIPE,
            )
            written, _ = await process.communicate()
            return process.returncode or 0, body.read_bytes(), written

        yield here, fetch
