"""Reader pages for phones and Save-Data: images from our own route, smaller, without cookies."""

from __future__ import annotations

import io
import random
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.proxy.own.templates.support import attribute
from tests.unhurried import UNHURRIED
from tests.winnow.conftest import PAGE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

SITE = "http://news.example"
TYPE = '<meta property="og:type" content="article">'
WHOLE = tuple[Running, Origin]


def photograph() -> bytes:
    out, noise = io.BytesIO(), random.Random(1).randbytes(1000 * 700 * 3)
    Image.frombytes("RGB", (1000, 700), noise).save(out, "JPEG", quality=80)
    return out.getvalue()


@pytest.fixture
async def whole(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WHOLE]:
    monkeypatch.setattr("winnow.proxy.app.client_reach.public_only", lambda *_: True)
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin:
        names = NamedOrigins({("news.example", 80): origin.port})
        async with running(open_names(settings), names) as proxy:
            images = '<img src="/a.jpg" alt="A"> and <img src="/gone.jpg" alt="B"> too. '
            origin.replies["/page"] = html(
                PAGE.replace(
                    "<p>The wheat", f"{TYPE}<h1>Winnowing</h1><p>{images}The wheat"
                ).encode()
            )
            origin.replies["/a.jpg"] = reply(photograph(), "Content-Type: image/jpeg")
            yield proxy, origin


async def got(proxy: Running, target: str, *fields: str) -> Answer:
    host = target.split("/")[2] if target.startswith("http") else f"127.0.0.1:{proxy.port}"
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", "Accept: text/html,image/webp", *fields]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


async def sources(proxy: Running, target: str, *fields: str) -> list[str]:
    shown = await got(proxy, target, *fields)
    images = LexborHTMLParser(shown.body).css("main img")
    return [attribute(image, "src") or "" for image in images]


async def test_by_proxy_images_are_small_and_ask_without_cookies(whole: WHOLE) -> None:
    proxy, origin = whole
    small, gone = await sources(proxy, f"{SITE}/page", "Save-Data: on", "Cookie: a=1")
    assert small.startswith("http://winnow.internal/-/small/~")
    assert small.endswith(f"/w400.b14/{SITE}/a.jpg")
    led = (
        "Cookie: a=1",
        f"Referer: {SITE}/page",
        "Sec-Fetch-Dest: image",
        "Sec-Fetch-Site: cross-site",
    )
    image = await got(proxy, small, *led)
    assert (image.status, image.field("content-type")) == (200, "image/webp")
    with Image.open(io.BytesIO(image.body)) as shown:
        assert shown.width <= 400
    assert len(image.body) <= 14_000
    asked = origin.requests[-1].lower()
    assert b"/a.jpg" in asked
    assert b"cookie" not in asked
    assert b"referer" not in asked
    missing = await got(proxy, gone, *led)
    assert (missing.status, missing.field("location")) == (302, f"{SITE}/gone.jpg")
    forged = await got(proxy, small.replace("a.jpg", "b.jpg"), *led)
    assert forged.status == 403


async def test_others_get_the_sites_own_and_vary_says_why(whole: WHOLE) -> None:
    proxy, _ = whole
    assert await sources(proxy, f"{SITE}/page") == [f"{SITE}/a.jpg", f"{SITE}/gone.jpg"]
    phone = await sources(proxy, f"{SITE}/page", "Sec-CH-UA-Mobile: ?1")
    assert "/w828.b100/" in phone[0]
    one = await got(proxy, f"{SITE}/page")
    two = await got(proxy, f"{SITE}/page", "Save-Data: on")
    assert {"Save-Data", "Sec-CH-UA-Mobile"} <= {*one.field("vary").split(", ")}
    assert one.field("etag") != two.field("etag")


async def test_in_the_gateway_images_are_small_too(whole: WHOLE) -> None:
    proxy, _ = whole
    small, gone = await sources(proxy, f"/{SITE}/page", "Save-Data: on")
    base = f"http://127.0.0.1:{proxy.port}"
    assert small == f"{base}/-/small/w400.b14/{SITE}/a.jpg"
    led = ("Sec-Fetch-Dest: image", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: no-cors")
    image = await got(proxy, small.removeprefix(base), *led)
    assert image.field("content-type") == "image/webp"
    missing = await got(proxy, gone.removeprefix(base), *led)
    assert (missing.status, missing.field("location")) == (302, f"/{SITE}/gone.jpg")
