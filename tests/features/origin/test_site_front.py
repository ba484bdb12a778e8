"""Winnow before one site: its name, its own paths, its redirects, cookies and WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.unhurried import IN_ENVIRONMENT
from tests.winnow.conftest import PAGE
from tests.winnow.test_health_command import health
from winnow.commands.serve import before_site
from winnow.compose.running import Running, running
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load
from winnow.feature_contract import checks
from winnow.feature_list import sections_of
from winnow.features.origin import FEATURE
from winnow.features.origin.inner_names import PageOfPublicNames
from winnow.features.origin.origin_sender import renamed
from winnow.features.origin.site_views import SiteView, site_view
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.request_target import Origin as Address

CHECKS = list(checks(FEATURE))
BEHIND, PUBLIC = Address("https", "in.example", 443), Address("http", "site.example", 80)


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check) -> None:  # type: ignore[no-untyped-def]  # as a package's
    check()


def before(folder: Path, url: str, **more: str) -> Settings:
    given = {
        **IN_ENVIRONMENT,
        "WINNOW_FEATURES__ENABLED": "origin",
        "WINNOW_ORIGIN__URL": url,
        "WINNOW_ORIGIN__NAMES": "site.example",
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    settings = load(environment=given | more, of_features=sections_of).settings
    return replace(settings, server=replace(settings.server, port=0))


@pytest.fixture
async def site() -> AsyncIterator[Origin]:
    async with serving(Origin()) as origin:
        origin.replies["/story?a=1"] = origin.replies["/story"] = html(PAGE.encode(), 'ETag: "1"')
        yield origin


@pytest.fixture
async def proxy(tmp_path: Path, site: Origin) -> AsyncIterator[Running]:
    async with running(before(tmp_path, site.url())) as found:
        yield found


async def get(proxy: Running, path: str, *fields: str, host: str = "site.example") -> Answer:
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", *(fields or ("Accept: text/html",))]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


async def test_its_pages_are_read_under_its_own_name(proxy: Running, site: Origin) -> None:
    answer = await get(proxy, "/story")
    assert answer.field("winnow-action") == "extracted"
    assert b'href="/-/original/story"' in answer.body
    for unwanted in (b"winnow.internal", b"/-/settings", b"/-/why", str(site.port).encode()):
        assert unwanted not in answer.body
    sent = site.requests[0].lower()
    assert b"host: site.example\r\n" in sent
    assert b'forwarded: for="127.0.0.1";host="site.example";proto=http\r\n' in sent
    known = await get(
        proxy, "/story", f"If-None-Match: {answer.field('etag')}", "Accept: text/html"
    )
    assert known.status == 304


@pytest.mark.parametrize(
    ("view", "media_type"),
    [("read", "text/html"), ("print", "text/html"), ("markdown", "text/markdown")],
)
async def test_a_view_is_a_path_before_the_pages_own(
    proxy: Running, view: str, media_type: str
) -> None:
    answer = await get(proxy, f"/-/{view}/story?a=1", "Accept: */*")
    assert answer.field("content-type").startswith(media_type)
    assert answer.field("winnow-action") == "extracted"
    assert (b'id="winnow-bar"' in answer.body) is (view == "read")


async def test_the_original_is_one_click_away(proxy: Running) -> None:
    answer = await get(proxy, "/-/original//evil.example/story")
    assert answer.field("location") == "http://site.example//evil.example/story"
    answer = await get(proxy, "/-/original/story?a=1")
    assert (answer.status, answer.field("location")) == (303, "http://site.example/story?a=1")
    cookie = f"Cookie: {answer.field('set-cookie').partition(';')[0]}"
    original = await get(proxy, "/story?a=1", cookie, "Accept: text/html")
    assert original.field("winnow-action") == "original"
    assert b'href="/-/read/story?a=1"' in original.body


async def test_other_paths_of_the_prefix_are_the_sites(proxy: Running, site: Origin) -> None:
    site.replies["/-/readiness"] = reply(b"of GitLab")
    assert (await get(proxy, "/-/readiness")).body == b"of GitLab"
    assert site_view("/-/read/a?b", "/-/") == SiteView("read", "/a?b")
    assert site_view("/-/readers/a", "/-/") == SiteView("", "/-/readers/a")
    assert site_view("/-/read/a", "/reader/") == SiteView("", "/-/read/a")


@pytest.mark.parametrize("prefix", ["/-/", "/reader/"])
async def test_its_health_is_below_the_prefix(tmp_path: Path, site: Origin, prefix: str) -> None:
    site.replies["/-/live"] = reply(b"of GitLab")
    given = {"WINNOW_ORIGIN__PREFIX": prefix}
    async with running(before(tmp_path, site.url(), **given)) as proxy:
        here = {**given, "WINNOW_FEATURES__ENABLED": "origin", "WINNOW_ORIGIN__URL": site.url()}
        assert await health(proxy.port, **here) == (0, "ok\n")
        assert await health(proxy.port, "--ready", **here) == (0, "ready\n")
        assert (await get(proxy, f"{prefix}health", host="10.0.0.1")).body == b"ok\n"
        assert (await get(proxy, "/-/live")).body == (b"ok\n" if prefix == "/-/" else b"of GitLab")


@pytest.mark.parametrize("target", ["http://127.0.0.1:9/", "http://site.example/story", "*"])
async def test_it_is_no_proxy(proxy: Running, site: Origin, target: str) -> None:
    assert (await get(proxy, target)).status == 421
    assert (await get(proxy, "/story", host="evil.example")).status == 421
    connect = b"CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: site.example\r\n\r\n"
    assert (await ask(proxy.port, connect)).status == 421
    assert not site.requests


async def test_a_websocket_goes_through(proxy: Running, site: Origin) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        writer.write(await reader.readexactly(4))
        await writer.drain()

    site.replies["/socket"] = echo
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    fields = b"Host: site.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    writer.write(b"GET /socket HTTP/1.1\r\n" + fields + b"\r\n")
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    writer.write(b"ping")
    assert await reader.readexactly(4) == b"ping"
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    ("field", "seen"),
    [
        (("Location", "https://in.example/a?b"), "http://site.example/a?b"),
        (("Location", "https://in.example"), "http://site.example"),
        (("Location", "https://in.example.evil.example/"), "https://in.example.evil.example/"),
        (("Location", "https://other.example/"), "https://other.example/"),
        (("Location", "/a"), "/a"),
        (("Set-Cookie", "a=1; Domain=in.example; Path=/; HttpOnly"), "a=1; Path=/; HttpOnly"),
        (("Set-Cookie", "a=1; Domain=.example"), "a=1"),
        (("Set-Cookie", "a=1; Domain=other.example"), "a=1; Domain=other.example"),
    ],
)
def test_redirects_and_cookies_keep_its_name(field: tuple[str, str], seen: str) -> None:
    head = renamed(ResponseHead(302, "Found", Headers((field,))), BEHIND, PUBLIC)
    assert head.headers.fields == ((field[0], seen),)


async def test_a_redirect_and_a_cookie_of_the_site(proxy: Running, site: Origin) -> None:
    there = site.url("/story")
    fields = (f"Location: {there}", "Set-Cookie: a=1; Domain=127.0.0.1")
    site.replies["/moved"] = reply(b"", *fields, status="302 Found")
    answer = await get(proxy, "/moved")
    assert answer.field("location") == "http://site.example/story"
    assert answer.field("set-cookie") == "a=1"


@dataclass
class Pieces:
    """An OriginResponse that comes in pieces of a size."""

    body: bytes
    size: int
    head: ResponseHead = field(default_factory=lambda: ResponseHead(200, "OK", Headers()))
    length: int | None = None
    trailers: Headers = field(default_factory=Headers)

    async def read(self) -> bytes:
        piece, self.body = self.body[: self.size], self.body[self.size :]
        return piece

    async def aclose(self) -> None:
        """There is nothing to close."""


@pytest.mark.parametrize("size", [1, 2, 7, 20, 31, 1000])
async def test_the_names_in_a_page_are_those_of_readers(size: int) -> None:
    inner = b'<a href="https://in.example/a">, //in.example, http:\\/\\/IN.example\\/b, https://in.example'
    public = inner.replace(b"https:", b"http:").replace(b"in.example", b"site.example")
    public = public.replace(b"IN.example", b"site.example")
    others = b" https://in.example.evil.example/ https://in.example:8443/ https://a-in.example/ "
    reply = Pieces(others + inner + others + inner, size)
    page, got = PageOfPublicNames(reply, reply.head, BEHIND, PUBLIC), []
    while piece := await page.read():
        got.append(piece)
    assert b"".join(got) == others + public + others + public


async def test_links_to_the_inner_name_lead_through_winnow(proxy: Running, site: Origin) -> None:
    link = f'<a href="{site.url("/next")}">wooden shovel</a>'
    body = PAGE.replace("wooden shovel", link).encode()
    site.replies["/story"] = html(body, 'ETag: "1"', "Accept-Ranges: bytes")
    for path in ("/story", "/-/original/story"):
        answer = await get(proxy, path)
        if path != "/story":
            cookie = answer.field("set-cookie").partition(";")[0]
            answer = await get(proxy, "/story", f"Cookie: {cookie}", "Accept: text/html")
            assert answer.field("winnow-action") == "original"
            assert answer.field("accept-ranges") != "bytes"
        assert b'href="http://site.example/next"' in answer.body, path
        assert str(site.port).encode() not in answer.body
    assert b"accept-encoding: identity" in site.requests[0].lower()
    plain = await get(proxy, "/story", "Accept: */*")
    assert b"accept-encoding: identity" not in site.requests[-1].lower()
    assert b"site.example/next" in plain.body


async def test_a_password_is_the_sites(proxy: Running, site: Origin) -> None:
    await get(proxy, "/story", "Authorization: Basic YTpi", "Accept: text/html")
    assert b"authorization: basic ytpi" in site.requests[0].lower()


async def test_without_a_site_it_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"origin\.url"):
        async with running(before(tmp_path, "")):
            pass


def test_the_flag_names_it_beside_the_other_features(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "winnow.toml"
    file.write_text('[features]\nenabled = ["socks"]\n[origin]\nnames = ["site.example"]\n')
    flags = before_site(file, "http://in.example")
    assert flags == {"origin.url": "http://in.example", "features.enabled": "socks,origin"}
    assert not caplog.records
