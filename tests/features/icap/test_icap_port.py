"""ICAP by its messages: previews, 204, pages, requests, and who may ask."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.features.icap.service import (
    BROWSER,
    HTML,
    RUNNING,
    Client,
    chunked,
    connected,
    message,
    reqmod,
    respmod,
    serving,
)
from tests.winnow.conftest import PAGE
from winnow.compose.process.service import reloaded
from winnow.config.errors import ConfigError
from winnow.feature_contract import checks
from winnow.features.icap import FEATURE
from winnow.features.icap.icap_adaptation import head_of
from winnow.features.icap.messages import parse_icap
from winnow.features.icap.settings import IcapSettings
from winnow.proxy.decisions.request.request_mode import RequestMode

CHECKS = list(checks(FEATURE))
BODY = PAGE.encode()
PREVIEW = "Preview: 1024"


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[int]:
    async with serving(tmp_path) as found:
        yield found


async def test_a_start_is_refused_that_cannot_serve(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"icap.peers: 'squid' is no network"):
        async with serving(tmp_path, peers="squid"):
            pass
    async with serving(tmp_path):
        proxy = RUNNING[0]
        port = proxy.port
        with pytest.raises(ConfigError, match=f"icap.port: cannot listen on {port}: Addr"):
            async with serving(tmp_path, port=port):
                pass


async def test_a_reload_is_refused_whose_port_is_taken(tmp_path: Path) -> None:
    async with serving(tmp_path) as port:
        proxy = RUNNING[0]
        settings, app = proxy.loaded.settings, proxy.app
        there = replace(settings.of(IcapSettings), port=proxy.port)
        taken = replace(settings, of_features=(there,))
        loaded = replace(proxy.loaded, settings=taken)
        assert "icap.port: cannot listen" in await reloaded(proxy, lambda: loaded)
        assert proxy.app is app
        assert not proxy.reloads.succeeded
        async with connected(port) as client:
            client.writer.write(b"OPTIONS icap://winnow/respmod ICAP/1.0\r\nHost: a\r\n\r\n")
            assert b" 200 " in await client.head(), "the old port serves on"


@pytest.fixture
async def client(port: int) -> AsyncIterator[Client]:
    async with connected(port) as found:
        yield found


async def test_options_say_what_it_takes(client: Client) -> None:
    for name in ("respmod", "reqmod"):
        client.writer.write(f"OPTIONS icap://winnow/{name} ICAP/1.0\r\nHost: a\r\n\r\n".encode())
        head = await client.head()
        assert head.startswith(b"ICAP/1.0 200 OK\r\n")
        assert f"Methods: {name.upper()}\r\n".encode() in head
        for field in (b"ISTag: ", b"Allow: 204\r\n", b"Transfer-Preview: *\r\n", b"null-body=0"):
            assert field in head


async def test_a_page_is_read_once_its_preview_has_shown_it(client: Client) -> None:
    client.writer.write(respmod("Allow: 204", PREVIEW) + chunked(BODY[:100]))
    assert await client.head() == b"ICAP/1.0 100 Continue\r\n\r\n"
    client.writer.write(chunked(BODY[100:]))
    icap, head, body = await client.answer()
    assert icap.startswith(b"ICAP/1.0 200 OK\r\n")
    assert b"Winnow-Action: extracted\r\n" in head
    assert b"no-cache, private\r\n" in head
    assert b"wooden shovel" in body
    assert b"winnow.internal" in body, "the bar is that of the proxy"


async def test_a_hand_over_waits_for_what_has_begun(tmp_path: Path) -> None:
    async with serving(tmp_path) as port, connected(port) as client:
        client.writer.write(respmod("Allow: 204", PREVIEW) + chunked(BODY[:100]))
        await client.head()
        (proxy,) = RUNNING
        ending = asyncio.create_task(proxy.state.handover.end(30, linger=0))
        await asyncio.sleep(0)
        assert not ending.done()
        client.writer.write(chunked(BODY[100:]))
        assert b"wooden shovel" in (await client.answer())[2]
        assert await ending
        assert await client.reader.read() == b"", "no further request on this connection"


@pytest.mark.parametrize("fields", [(PREVIEW,), ("Allow: 204",), ()])
@pytest.mark.parametrize("size", [0, 10, 5000])
async def test_a_page_in_any_form(client: Client, fields: tuple[str, ...], size: int) -> None:
    body = BODY + b" " * size
    if fields == (PREVIEW,) and size < 1000:
        client.writer.write(respmod(*fields) + chunked(body, b"0; ieof\r\n\r\n"))
    elif fields == (PREVIEW,):
        client.writer.write(respmod(*fields) + chunked(body[:1024]))
        assert b" 100 " in await client.head()
        client.writer.write(chunked(body[1024:]))
    else:
        client.writer.write(respmod(*fields) + chunked(body))
    assert b"wooden shovel" in (await client.answer())[2]


DOWNLOAD = 'Content-Type: application/zip\r\nETag: "1"\r\n'


async def test_what_is_no_page_gets_204_after_its_preview(client: Client) -> None:
    for _ in range(3):
        client.writer.write(respmod(PREVIEW, found=DOWNLOAD) + chunked(bytes(1024)))
        assert (await client.head()).startswith(b"ICAP/1.0 204 No Content\r\nISTag: ")
    client.writer.write(respmod("Allow: 204", found=DOWNLOAD) + chunked(bytes(100_000)))
    assert b" 204 " in await client.head()


async def test_without_204_it_comes_back_as_it_was(client: Client) -> None:
    client.writer.write(respmod(found=DOWNLOAD) + chunked(bytes(100_000)))
    _, head, body = await client.answer()
    assert head == f"HTTP/1.1 200 OK\r\n{DOWNLOAD}\r\n".encode()
    assert body == bytes(100_000)


async def test_a_program_gets_the_page_as_it_is(client: Client) -> None:
    wget = "Accept: */*\r\nUser-Agent: Wget/1.21\r\n"
    client.writer.write(respmod(PREVIEW, asked=wget) + chunked(BODY, b"0; ieof\r\n\r\n"))
    assert b" 204 " in await client.head()


async def test_a_choice_is_its_users_alone(client: Client) -> None:
    for name, action in (("ann", b"original"), ("bob", b"extracted")):
        wanted = BROWSER + ("Winnow-Mode: original\r\n" if name == "ann" else "")
        fields = (f"X-Client-Username: {name}", "X-Client-IP: 192.0.2.7")
        client.writer.write(respmod(*fields, asked=wanted) + chunked(BODY))
        _, head, _ = await client.answer()
        assert (b"Winnow-Action: extracted" in head) is (action == b"extracted")


async def test_a_page_that_a_person_has_clicked_is_theirs(client: Client) -> None:
    url, cached = "http://site.example/story", HTML + "Cache-Control: max-age=600\r\n"
    client.writer.write(respmod(found=cached) + chunked(BODY))
    assert b", private" in (await client.answer())[1], "its next reader may find it stored"
    request = f"GET {url} HTTP/1.1\r\nHost: site.example\r\n{BROWSER}\r\n"
    client.writer.write(reqmod(request, "Allow: 204"))
    mark = re.findall(rb"Winnow-Shown: .*\r\n", (await client.answer())[1])[0].decode()
    await RUNNING[0].state.views.switch("user:ann", url, RequestMode.EXTRACT)
    for name, wanted in (("bob", b"s-maxage=600"), ("ann", b", private")):
        person = f"X-Client-Username: {name}"
        client.writer.write(respmod(person, asked=BROWSER + mark, found=cached) + chunked(BODY))
        assert wanted in (await client.answer())[1], name


async def test_own_pages_are_answered_in_place_of_the_site(client: Client) -> None:
    own = "GET http://winnow.internal/-/health HTTP/1.1\r\nHost: winnow.internal\r\n\r\n"
    client.writer.write(reqmod(own, "Allow: 204"))
    icap, head, body = await client.answer()
    assert b"Encapsulated: res-hdr=0, res-body=" in icap
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert body == b"ok\n"


async def test_a_request_is_written_anew_where_winnow_could_not_read(client: Client) -> None:
    plain = "GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n"
    client.writer.write(reqmod(plain + "Accept-Encoding: gzip, br\r\n\r\n", "Allow: 204"))
    assert b" 204 " in await client.head()
    odd = "Winnow-Shown: a\r\n"
    odd += 'Accept-Encoding: gzip, dcb\r\nIf-None-Match: W/"winnow-e-0123456789ab-IjEi"\r\n'
    client.writer.write(reqmod(plain + odd + "\r\n", "Allow: 204"))
    icap, head, _ = await client.answer()
    assert b"req-hdr=0, null-body=" in icap
    assert head == plain.encode() + b"Accept-Encoding: gzip\r\n\r\n"


async def test_an_upload_follows_its_request(client: Client) -> None:
    request = (
        "POST http://site.example/ HTTP/1.1\r\nHost: site.example\r\nContent-Length: 4\r\n\r\n"
    )
    parts = f"req-hdr=0, req-body={len(request)}"
    client.writer.write(message("REQMOD", parts, "Preview: 0") + request.encode() + chunked(b""))
    assert b" 204 " in await client.head()
    client.writer.write(message("REQMOD", parts) + request.encode() + chunked(b"data"))
    _, head, body = await client.answer()
    assert (head, body) == (request.encode(), b"data")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"400"),
        (b"RESPMOD icap://winnow/respmod ICAP/2.0\r\nHost: a\r\n\r\n", b"505"),
        (b"RESPMOD icap://winnow/other ICAP/1.0\r\nHost: a\r\n\r\n", b"404"),
        (b"REQMOD icap://winnow/respmod ICAP/1.0\r\nHost: a\r\n\r\n", b"405"),
        (message("RESPMOD", "req-hdr=0, res-body=4, res-hdr=2"), b"400"),
        (message("RESPMOD", "req-hdr=0, res-hdr=9999990, res-body=9999999"), b"400"),
        (message("RESPMOD", "req-hdr=0, null-body=4") + b"\r\n\r\n", b"400"),
        (b"A" * 70_000, b"400"),
    ],
)
async def test_what_is_no_icap_is_refused(client: Client, sent: bytes, status: bytes) -> None:
    client.writer.write(sent)
    assert (await client.head()).startswith(b"ICAP/1.0 " + status + b" ")
    assert await client.reader.read() == b""


@pytest.mark.parametrize("bad", [b"zz\r\n", b"-1\r\n", b"fffffffff\r\n"])
async def test_a_malformed_body_ends_the_connection(client: Client, bad: bytes) -> None:
    client.writer.write(respmod() + bad)
    with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
        await client.head()


async def test_nobody_else_may_ask(tmp_path: Path) -> None:
    async with serving(tmp_path, peers="192.0.2.0/24") as port, connected(port) as client:
        client.writer.write(b"OPTIONS icap://winnow/respmod ICAP/1.0\r\nHost: a\r\n\r\n")
        assert (await client.head()).startswith(b"ICAP/1.0 403 ")


async def test_heads_count_for_the_memory_of_requests(tmp_path: Path) -> None:
    async with serving(tmp_path, memory="100") as port, connected(port) as client:
        client.writer.write(respmod(PREVIEW))
        assert (await client.head()).startswith(b"ICAP/1.0 503 ")


@pytest.mark.parametrize(
    ("named", "peer", "client"),
    [
        ("192.0.2.7", "192.0.2.1", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "127.0.0.1", "192.0.0.8"),
        ("::1", "::1", "192.0.0.8"),
        ("", "127.0.0.1", ""),
    ],
)
def test_a_client_is_never_this_computer(named: str, peer: str, client: str) -> None:
    request = b"GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n\r\n"
    block = reqmod(request.decode(), f"X-Client-IP: {named}")[: -len(request)]
    assert head_of(parse_icap(block), request, peer).client == client
