"""What pages of other sites reach through us in a real browser, and that people still read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from playwright.async_api import Page

from tests.browser.browsers import chromium, picture
from tests.proxy.names import open_names
from tests.proxy.origins import Origin, html, reply, serving
from tests.sweeps import rest_in_release
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver

PUBLIC, PRIVATE = "127.0.0.1", "127.0.0.2"
"""Which of this computer's addresses stands for the internet, and which for one's own network."""
TEXT = "<p>The river rose overnight, and by morning the whole village stood on the bridge.</p>" * 9
PNG = reply(picture(4, 4, (9, 9, 9)), "Content-Type: image/png")


class TwoNetworks(Resolver):
    """``router`` and ``*.internal`` names are private, all others public; all are one origin."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        address = PRIVATE if "router" in host or host == PRIVATE else PUBLIC
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, self.port))]


@dataclass
class Here:
    """A tab, Winnow's address as this browser names it, and all sites in one."""

    tab: Page
    own: str
    port: int
    origin: Origin

    def asked(self, host: str) -> list[bytes]:
        """The requests that a site got."""
        field = f"\r\nHost: {host}".encode()
        return [request for request in self.origin.requests if field in request]


@asynccontextmanager
async def here(name: str) -> AsyncIterator[Here]:
    """Winnow reached as ``name``; on plain HTTP under other names than loopback's a browser sends
    no Fetch Metadata."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    flags = (f"--host-resolver-rules=MAP {name} 127.0.0.1, MAP evil.example 127.0.0.1",)
    async with (
        serving(Origin(), host="0.0.0.0") as origin,  # two of this computer's addresses
        running(open_names(settings), TwoNetworks(origin.port)) as proxy,
        chromium(arguments=flags) as browser,
    ):
        yield Here(await browser.new_page(), f"http://{name}:{proxy.port}", proxy.port, origin)


@pytest.fixture(autouse=True)
def two_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is public is told by this computer's addresses."""

    def public(address: str, port: int) -> bool:
        return address == PUBLIC and port > 0

    for module in ("winnow.proxy.access.private_addresses", "winnow.proxy.app.client_reach"):
        monkeypatch.setattr(f"{module}.public_only", public)


@pytest.mark.parametrize("name", ["127.0.0.1", "reader"])
async def test_people_read_follow_links_and_send_forms(name: str) -> None:
    async with here(name) as opened:
        origin, tab = opened.origin, opened.tab
        story = TEXT.replace("<p>", "<p><a href=/next>Next</a> ", 2)
        origin.replies["/story"] = html(f"<title>S</title>{story}".encode())
        form = "<form action=/found {}><input name=q value=hay><button>{}</button></form>"
        forms = form.format("", "Search") + form.format("method=post", "Send")
        origin.replies["/next"] = html(f"<title>N</title>{forms}<img src=/i.png>".encode())
        origin.replies["/i.png"] = PNG
        for path in ("/found?q=hay", "/found"):
            origin.replies[path] = html(b"<title>Found</title>Hay")
        await tab.goto(f"{opened.own}/http://news.example/story")
        await tab.click("main a:has-text('Next')")
        await tab.wait_for_url("**/next")
        assert await tab.evaluate("document.images[0].naturalWidth") == 4
        for button, address in (("Search", "**/found?q=hay"), ("Send", "**/found")):
            await tab.goto(f"{opened.own}/http://news.example/next")
            await tab.click(f"button:has-text('{button}')")
            await tab.wait_for_url(address)
            assert "Hay" in await tab.inner_text("body")
        assert origin.bodies[-1] == b"q=hay"
        assert b"\r\nOrigin: http://news.example\r\n" in origin.requests[-1]


LED = (
    "/http://router/a", "/-/read?url=http://router/a&mode=original",
    "/-/api/extract?url=http://router/a", "/-/small/http://router/a",
    "/-/why?url=http://router/a", "/http://news.example/led",
)  # fmt: skip


@pytest.mark.parametrize("name", rest_in_release(["127.0.0.1", "reader"], ["reader"]))
async def test_a_page_in_the_gateway_reaches_no_private_address(name: str) -> None:
    """By its images and by links that its reader follows, whatever it says of its Referer."""
    async with here(name) as opened:
        origin, tab = opened.origin, opened.tab
        images = "".join(f"<img src='{opened.own}{one}'>" for one in LED)
        links = "".join(f"<p><a href='{opened.own}{one}'>{one}</a>" for one in LED)
        for policy in ("same-origin", "no-referrer", "origin", "unsafe-url"):
            page = f"<title>E</title><meta name=referrer content={policy}>{images}{links}"
            passed = reply(page.encode(), "Content-Type: text/html", status="404 Not Found")
            origin.replies[f"/{policy}"] = passed
        origin.replies["/led"] = reply(b"", "Location: http://router/a", status="302 Found")
        origin.replies["/a"] = html(TEXT.encode())
        for policy in ("same-origin", "no-referrer", "origin", "unsafe-url"):
            for number in range(len(LED)):
                await tab.goto(f"{opened.own}/http://news.example/{policy}")
                assert await tab.title() == "E"
                async with tab.expect_navigation():
                    await tab.locator("a").nth(number).click()
        assert len(opened.asked("news.example")) > len(LED)
        assert opened.asked("router") == []


async def test_a_typed_private_address_opens_here_and_by_the_front_page_elsewhere() -> None:
    async with here("127.0.0.1") as opened:
        opened.origin.replies["/a"] = html(f"<title>R</title>{TEXT}".encode())
        await opened.tab.goto(f"{opened.own}/http://router/a")
        assert opened.asked("router")
    async with here("reader") as opened:
        opened.origin.replies["/a"] = html(f"<title>R</title>{TEXT}<a href=/a>A</a>".encode())
        answer = await opened.tab.goto(f"{opened.own}/http://router/a")
        assert answer
        assert answer.status == 403
        await opened.tab.goto(opened.own)
        await opened.tab.fill("#url", "http://router/a")
        await opened.tab.press("#url", "Enter")
        await opened.tab.wait_for_url("**/http://router/a")
        assert opened.asked("router")


async def test_a_download_of_a_private_page_says_that_it_has_begun() -> None:
    """The page that asked would stay in the tab, since a file comes."""
    async with here("127.0.0.1") as opened, serving(Origin()) as evil:
        opened.origin.replies["/a"] = html(f"<title>R</title>{TEXT}".encode())
        link = f"<a href='{opened.own}/-/book?url=http://router/a&begin=1'>Book</a>"
        evil.replies["/"] = html(link.encode())
        await opened.tab.goto(f"http://evil.example:{evil.port}/")
        await opened.tab.click("a")
        await opened.tab.wait_for_selector("h1:has-text('Open an address')")
        assert opened.asked("router") == []
        async with opened.tab.expect_download() as download:
            await opened.tab.click("button:has-text('Open it')")
        assert (await download.value).suggested_filename == "r.epub"
        assert await opened.tab.inner_text("h1") == "Your download has begun"
        assert await opened.tab.get_attribute("main a", "href") == "http://router/a"


ATTACK = """<title>Evil</title><iframe name=f></iframe><script>
const own = "OWN", to = "http://router/a", tries = [];
for (const path of ["/" + to, "/-/read?url=" + to + "&mode=original", "/-/api/extract?url=" + to,
                    "/-/small/" + to, "/-/status", "/-/metrics"]) {
  const url = own + path;
  for (const options of [{}, {mode: "no-cors"}, {method: "POST", mode: "no-cors", body: "a=b"},
                         {headers: {"X-A": "b"}}])
    tries.push(fetch(url, options).then(one => one.type === "opaque" || document.body.append("GOT"),
                                        () => 0));
  for (const tag of ["img", "script", "iframe", "video", "embed"]) {
    const one = document.createElement(tag);
    one.src = url; one.referrerPolicy = "no-referrer"; document.documentElement.append(one);
  }
  const form = document.createElement("form");
  form.method = "post"; form.action = url; form.target = "f";
  document.documentElement.append(form); form.submit();
}
tries.push(new Promise(done => {
  const socket = new WebSocket(own.replace("http", "ws") + "/" + to);
  socket.onopen = () => { document.body.append("GOT"); done(); };
  socket.onclose = done;
}));
Promise.all(tries).then(() => { document.title = "Done"; });
</script><body>"""


@pytest.mark.parametrize("site", ["127.0.0.1", "evil.example"])
@pytest.mark.parametrize("name", rest_in_release(["127.0.0.1", "reader"], ["127.0.0.1"]))
async def test_a_page_of_another_site_gets_nothing_through_us(name: str, site: str) -> None:
    async with here(name) as opened, serving(Origin()) as evil:
        evil.replies["/"] = html(ATTACK.replace("OWN", opened.own).encode())
        opened.origin.replies["/a"] = html(TEXT.encode())
        await opened.tab.goto(f"http://{site}:{evil.port}/")
        async with asyncio.timeout(60):
            await opened.tab.wait_for_function("document.title === 'Done'")
        await asyncio.sleep(1)  # the elements, whose loading no event of the page tells
        assert "GOT" not in await opened.tab.inner_text("body")
        assert opened.asked("router") == []
