"""What another site's page can make a browser send to our own faces: none of it arrives anywhere.

Every request here is what a browser sends: Fetch Metadata, Origin and Referer are its own words.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.origins import Answer, Origin, ask, reply
from tests.proxy.proxies import Proxy

BROWSER = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/140"
EVIL = "http://evil.example"
CROSS = ("Sec-Fetch-Site: cross-site",)
FORM = "Content-Type: application/x-www-form-urlencoded"


def request(port: int, target: str, *fields: str, method: str = "GET", body: str = "") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", BROWSER, *fields]
    if method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + f"\r\n\r\n{body}").encode()


async def response_to(
    proxy: Proxy, target: str, *fields: str, method: str = "GET", body: str = ""
) -> Answer:
    return await ask(proxy.port, request(proxy.port, target, *fields, method=method, body=body))


UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="


@pytest.mark.parametrize(
    "fields",
    [
        (f"Origin: {EVIL}", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: websocket"),
        (f"Origin: {EVIL}",),
        ("Origin: null",),
        ("Origin: http://127.0.0.1:9", "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: websocket"),
        ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: websocket"),
        (),
    ],
)
async def test_no_other_site_opens_a_websocket_through_the_gateway(
    origin: Origin, proxy: Proxy, fields: tuple[str, ...]
) -> None:
    """A local tool that refuses foreign origins would have seen its own."""
    answer = await response_to(proxy, f"/{origin.url('/ws')}", *UPGRADE, KEY, *fields)
    assert (answer.status, answer.field("winnow-reason")) == (403, "cross-site")
    assert not origin.requests


@pytest.mark.parametrize(
    "fields",
    [
        (f"Origin: {EVIL}", *CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"),
        (f"Origin: {EVIL}", f"Referer: {EVIL}/"),
        ("Origin: null",),
        ("Origin: null", *CROSS, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"),
        (f"Referer: {EVIL}/",),
    ],
)
@pytest.mark.parametrize("face", ["/{}", "/-/api/extract?url={}", "/-/small/{}"])
async def test_no_other_site_posts_through_our_faces(
    origin: Origin, proxy: Proxy, fields: tuple[str, ...], face: str
) -> None:
    target = face.format(origin.url("/buy"))
    answer = await response_to(proxy, target, FORM, *fields, method="POST", body="a=b")
    assert (answer.status, answer.field("winnow-reason")) == (403, "cross-site")
    assert not origin.requests
    assert not proxy.transform.pages


@pytest.mark.parametrize(
    ("mode", "dest"),
    [
        ("no-cors", "image"),
        ("no-cors", "script"),
        ("cors", "empty"),
        ("no-cors", "empty"),
        ("navigate", "iframe"),
        ("navigate", "object"),
        ("no-cors", "style"),
        ("cors", "font"),
        ("no-cors", "video"),
    ],
)
@pytest.mark.parametrize("face", ["/{}", "/-/read?url={}", "/-/api/extract?url={}", "/"])
async def test_no_sub_resource_of_another_site_is_answered(
    origin: Origin, proxy: Proxy, mode: str, dest: str, face: str
) -> None:
    fields = (*CROSS, f"Sec-Fetch-Mode: {mode}", f"Sec-Fetch-Dest: {dest}")
    answer = await response_to(proxy, face.format(origin.url("/x")), *fields)
    assert (answer.status, answer.field("winnow-reason")) == (403, "cross-site")
    assert not answer.field("access-control-allow-origin")
    assert not origin.requests


@pytest.mark.parametrize("face", ["/{}", "/-/api/extract?url={}", "/-/status", "/-/health"])
async def test_a_preflight_to_us_grants_nothing(origin: Origin, proxy: Proxy, face: str) -> None:
    fields = (f"Origin: {EVIL}", "Access-Control-Request-Method: POST", *CROSS)
    answer = await response_to(proxy, face.format(origin.url("/x")), *fields, method="OPTIONS")
    assert answer.status in (403, 405)
    assert b"access-control-" not in answer.head.lower()
    assert not origin.requests


async def test_the_gateway_grants_no_site_what_the_origin_grants(
    origin: Origin, proxy: Proxy
) -> None:
    fields = ("Access-Control-Allow-Origin: *", "Access-Control-Expose-Headers: *")
    origin.replies["/x"] = reply(b"x", *fields)
    answer = await response_to(proxy, f"/{origin.url('/x')}", "Sec-Fetch-Site: none")
    assert (answer.status, answer.body) == (200, b"x")
    assert b"access-control-" not in answer.head.lower()


async def test_a_websocket_of_the_same_origin_and_of_a_program_goes_through(
    origin: Origin, proxy: Proxy
) -> None:
    switched = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(switched)

    origin.replies["/ws"] = speak
    target = f"/{origin.url('/ws')}"
    own = f"http://127.0.0.1:{proxy.port}"
    fields = (f"Origin: {own}", f"Referer: {own}/{origin.url('/page')}")
    for head in (
        request(proxy.port, target, *UPGRADE, KEY, *fields),
        request(proxy.port, target, *UPGRADE, KEY).replace(BROWSER.encode(), b"User-Agent: wscat"),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(head)
        async with asyncio.timeout(60):
            assert (await reader.readline()).startswith(b"HTTP/1.1 101 ")
        writer.close()
    assert len(origin.requests) == 2
    assert f"Origin: {origin.url('')}".encode() in origin.requests[0]
    assert b"Origin" not in origin.requests[1]
