"""A machine of 1995 that the owner named reads the web through Winnow; nobody else is led there."""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from PIL import Image

from tests.features.small.test_small_gateway import NEWS, picture
from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Gateway, Settings
from winnow.proxy.access import private_addresses
from winnow.proxy.decisions.request.device_profiles import OLD_MACHINES, machine_options
from winnow.proxy.http.headers import Headers

AGENTS = {
    "MSIE 2": "Mozilla/1.22 (compatible; MSIE 2.0; Windows 95)",
    "Netscape 1": "Mozilla/1.1N (Windows; I; 16bit)",
    "MacWeb": "MacWeb/2.0 libwww/2.17",
    "Lynx": "Lynx/2.8.9rel.1 libwww-FM/2.14",
    "Kindle 3": "Mozilla/5.0 (Linux; U; en-US) AppleWebKit/531.2+ (KHTML, like Gecko) Kindle/3.0+",
    "Nokia": "Nokia6230i/2.0 (03.40) Profile/MIDP-2.0 Configuration/CLDC-1.1",
    "Wii": "Opera/9.30 (Nintendo Wii; U; ; 3642; en)",
}
NAMES = tuple(AGENTS)


@pytest.fixture
async def old(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Running, Origin]]:
    monkeypatch.setattr(private_addresses, "is_public_host", lambda _host: True)
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
        gateway=replace(Gateway(), devices=("Netscape 1", "MSIE 2", "Lynx")),
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        link = f'<p><a href="https://bank.example/x">Bank</a> {"The café is open. " * 9}</p>'
        origin.replies["/news"] = html(NEWS.replace(b"<article>", b"<article>" + link.encode()))
        origin.replies["/i.jpg"] = reply(picture(), "Content-Type: image/jpeg")
        origin.replies["/set"] = html(NEWS, "Set-Cookie: id=1; Secure")
        yield proxy, origin


async def asks(proxy: Running, target: str, agent: str, *fields: str) -> Answer:
    """As HTTP/1.0 without Host."""
    lines = [f"GET {target} HTTP/1.0", f"User-Agent: {agent}", *fields]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


@pytest.mark.parametrize("name", ["Netscape 1", "MSIE 2"])
async def test_a_named_machine_reads_a_site_through_winnow(
    old: tuple[Running, Origin], name: str
) -> None:
    proxy, origin = old
    sent = await asks(proxy, origin.url("/news"), AGENTS[name])
    there = f"http://winnow.internal/-/small/{origin.url('/news')}"
    assert (sent.status, sent.field("location")) == (302, there)
    page = await asks(proxy, there, AGENTS[name], "Cookie: id=1")
    assert (page.status, page.field("content-type")) == (200, "text/html")
    assert "café" in page.body.decode("latin-1")
    assert page.body.startswith(b"<!DOCTYPE HTML PUBLIC")
    assert len(page.body) <= 30_000
    links = re.findall(rb'(?:href|src|action)="([^"]*)"', page.body)
    assert b"/-/small/https://bank.example/x" in links
    assert [link for link in links if not link.startswith((b"/-/", b"#"))] == []
    assert not re.search(
        rb"<(?:script|style|main|header|nav|section|footer|article|figure|svg|button)", page.body
    )
    shown = next(link for link in links if link.endswith(b"/i.jpg"))
    image = await asks(proxy, f"http://winnow.internal{shown.decode()}", AGENTS[name])
    assert image.field("content-type") == "image/gif"
    assert len(image.body) < 32_000
    with Image.open(io.BytesIO(image.body)) as opened:
        assert (opened.format, opened.mode) == ("GIF", "P")
        assert opened.width <= 600


async def test_its_front_page_is_small_and_its_own_charset_is_used(
    old: tuple[Running, Origin],
) -> None:
    proxy, origin = old
    front = await asks(proxy, "/", AGENTS["Netscape 1"])
    assert (front.status, front.field("content-type")) == (200, "text/html")
    assert b'action="/-/small/go"' in front.body
    went = await asks(proxy, "/-/small/go?url=a.example", AGENTS["Netscape 1"])
    assert (went.status, went.field("location")) == (302, "/-/small/https://a.example/")
    there = f"/-/small/{origin.url('/news')}"
    japanese = await asks(proxy, there, AGENTS["Netscape 1"], "Accept-Charset: shift_jis")
    assert japanese.field("content-type") == "text/html; charset=shift_jis"
    assert "The cafe is open" in japanese.body.decode("shift_jis")


async def test_no_cookie_goes_out_or_comes_back(old: tuple[Running, Origin]) -> None:
    """Whatever a site means for TLS alone never passes the plain line to the machine."""
    proxy, origin = old
    for path in (f"/-/small/{origin.url('/set')}", origin.url("/set")):
        answer = await asks(proxy, path, AGENTS["MSIE 2"], "Cookie: id=1")
        assert answer.field("set-cookie") == ""
    assert not [head for head in origin.requests if b"cookie" in head.lower()]


async def test_who_is_not_named_is_not_led_there(old: tuple[Running, Origin]) -> None:
    proxy, origin = old
    for name in ("Kindle 3", "MacWeb"):
        assert (await asks(proxy, origin.url("/news"), AGENTS[name])).status != 302
    assert (await asks(proxy, origin.url("/news"), "curl/8.5.0")).status == 200


@pytest.mark.parametrize("name", NAMES)
def test_each_machine_is_known_by_what_it_sends(name: str) -> None:
    options = {known: word for known, _, word in OLD_MACHINES}
    headers = Headers((("User-Agent", AGENTS[name]),))
    assert machine_options(headers, NAMES) == options[name]
    assert machine_options(headers, [other for other in NAMES if other != name]) == ""
    assert not machine_options(Headers((("User-Agent", "Mozilla/5.0 (X11)"),)), NAMES)
