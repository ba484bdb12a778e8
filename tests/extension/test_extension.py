"""The extension in both browsers: installed, paired, every control used; no page notices it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest

from tests.browser.browsers import SCREENSHOTS
from tests.browser.test_accessibility import violations
from tests.browser.test_plain_http import ARTICLE, SENTENCES
from tests.extension.drivers import (
    DRIVERS,
    PATIENCE,
    ChromiumDriver,
    Driver,
    article_with,
    chromium_driver,
    until,
)
from tests.features.extension.test_extension_pairing import code_of, settings_in
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.sweeps import rest_in_release
from winnow.compose.running import Running, running
from winnow.proxy.stores.site_choice import SiteMode

SITE = "http://news.example"
APP = """<!doctype html><html lang=en><head><title>The mill</title></head><body><div id=root></div>
<noscript>You need to enable JavaScript to run this app.</noscript><script>
const words = WORDS, root = document.getElementById('root');
class Story extends HTMLElement { constructor() { super();
  this.attachShadow({mode: 'closed'}).innerHTML = `<article><h1>The mill</h1>${words.map(
    text => `<p>${text}</p>`).join('')}<slot></slot></article>`; } }
customElements.define('a-story', Story);
root.innerHTML = '<nav><a href=/>Home</a></nav><a-story><p>And the <b>last</b> words of it.</p>' +
  '</a-story>';
window.before = document.documentElement.outerHTML; window.changes = [];
new MutationObserver(all => changes.push(...all.map(String))).observe(document,
  {subtree: true, childList: true, attributes: true, characterData: true});
</script></body></html>"""
FILES = (
    "manifest.json",
    "popup.html",
    "reader.html",
    "document.js",
    "background.js",
    "icon-48.png",
)
LOADED_AGAIN = "document.readyState === 'complete' && document.body && !document.body.dataset.old"
PROBE = """(async () => { const seen = [];
  const late = new Promise(done => setTimeout(() => done('silent'), 3000));
  for (const file of FILES) for (const how of WAYS) {
    const url = ORIGIN + '/' + file;
    const tried = how === 'fetch' ? fetch(url).then(() => 'read', () => 'failed')
      : new Promise(done => { const element = document.createElement(how);
        element.onload = () => done('loaded'); element.onerror = () => done('failed');
        element.src = url; document.body.append(element); });
    seen.push([how, file, await Promise.race([tried, late])]); }
  document.title = JSON.stringify(seen); })(), 1"""
"""What a page can learn of an address."""
WAYS = ("fetch", "img", "script", "iframe")
"""The last in Chromium alone: behind a frame with an error page Marionette loses Firefox's tab."""


@dataclass
class World:
    browser: Driver
    proxy: Running
    site: Origin

    async def pair(self) -> None:
        await self.browser.show_popup()
        own = f"http://127.0.0.1:{self.proxy.port}"
        address = f"const field = document.getElementById('address'); field.value = '{own}';"
        await self.do(f"{address} field.dispatchEvent(new Event('change'));")
        await until(
            self.browser.popup,
            f"document.getElementById('code-page').href.startsWith('{own}/-/ext')",
        )
        code = f"document.getElementById('code').value = '{await code_of(self.proxy)}';"
        await self.do(f"{code} document.querySelector('#pair button').click();")
        await until(self.browser.popup, "!document.getElementById('paired').hidden")

    async def do(self, statements: str) -> None:
        """Statements in the button's window."""
        await self.browser.popup(f"(() => {{ {statements} return 1; }})()")

    async def set_proxy(self, *, on: bool) -> None:
        await self.browser.show_popup()
        await self.do("document.getElementById('proxy').click();")
        state = "document.getElementById('proxy')"
        await until(
            self.browser.popup, f"{state}.checked === {json.dumps(on)} && !{state}.disabled"
        )
        await until(self.browser.popup, "!document.body.hasAttribute('aria-busy')")
        assert not await self.error()

    async def choose(self, name: str, value: str) -> None:
        """Choose in a list; the tab loads its page again."""
        await self.browser.page("(document.body.dataset.old = 'yes')")
        chosen = f"const list = document.getElementById('{name}'); list.value = '{value}';"
        await self.do(f"{chosen} list.dispatchEvent(new Event('change'));")
        await self.reloaded()

    async def reloaded(self) -> None:
        await until(self.browser.page, LOADED_AGAIN)
        await self.browser.show_popup()

    async def state(self) -> str:
        return str(await self.browser.popup("document.getElementById('state').textContent"))

    async def shows(self, words: str) -> None:
        """Open the button's window once it says so of the page: the browser tells the extension of
        an answer in its own time. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            await self.browser.show_popup()
            while words not in await self.state():
                await asyncio.sleep(0.05)
                await self.browser.show_popup()

    async def error(self) -> str:
        return str(await self.browser.popup("document.getElementById('error').textContent"))

    async def text(self) -> str:
        return str(await self.browser.page("document.body.innerText"))


@pytest.fixture(params=rest_in_release(DRIVERS, ["chromium"]))
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    async with serving(Origin()) as site:
        names = NamedOrigins({("news.example", 80): site.port})
        site.replies["/story"] = html(ARTICLE.encode())
        site.replies["/app"] = html(APP.replace("WORDS", json.dumps(SENTENCES)).encode())
        async with (
            running(open_names(settings_in(tmp_path / "data")), names) as proxy,
            DRIVERS[request.param](tmp_path / "browser") as browser,
        ):
            yield World(browser, proxy, site)


async def test_a_reader_installs_it_pairs_it_and_uses_every_control(world: World) -> None:
    browser, store = world.browser, world.proxy.state
    assert not await browser.open(f"{SITE}/story"), "the name is Winnow's alone to know"
    await world.pair()
    (paired,) = store.library.now.extensions
    assert paired.origin == browser.origin

    await world.set_proxy(on=True)
    assert await browser.open(f"{SITE}/story")
    assert "umbrellas" not in await world.text()
    await browser.show_popup()
    assert await world.state() == "Winnow shows the article."
    if isinstance(browser, ChromiumDriver):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await browser.picture(SCREENSHOTS / "extension-popup.png")

    for shown, says in (("umbrellas", "left this page"), ("", "shows the article")):
        await browser.page("(document.body.dataset.old = 'yes')")
        await world.do("document.getElementById('view').click();")
        await world.reloaded()
        assert says in await world.state()
        assert ("umbrellas" in await world.text()) is bool(shown)

    await world.choose("mode", "never")
    assert "left this page" in await world.state()
    assert store.choices.now.of(paired.owner).choices["news.example"].mode is SiteMode.NEVER
    await world.choose("mode", "always")
    assert "shows the article" in await world.state()
    await world.choose("method", "largest-block")
    said = "document.getElementById('state').title"
    assert str(await browser.popup(said)).endswith(", largest-block")

    await world.set_proxy(on=False)
    assert not await browser.open(f"{SITE}/other")


async def test_a_page_that_scripts_wrote_is_read_where_it_was(world: World) -> None:
    browser = world.browser
    await world.pair()
    await world.set_proxy(on=True)
    assert await browser.open(f"{SITE}/app")
    await world.shows("left this page")
    renderings = world.proxy.backend.renderings
    assert renderings is not None
    held = renderings.size
    await world.do("document.getElementById('read').click();")
    await until(browser.page, "document.body?.dataset.ready")
    text = await article_with(browser, "And the last words of it.")
    assert all(sentence in text for sentence in SENTENCES)
    assert await browser.page("location.href") == f"{browser.origin}/reader.html"
    assert await browser.page("document.title")
    address = await browser.page("document.getElementById('original').href")
    assert address == f"{SITE}/app"
    assert renderings.size == held, "nothing of it is cached"


async def probed(world: World, origin: str) -> list[list[str]]:
    ways = WAYS if isinstance(world.browser, ChromiumDriver) else WAYS[:-1]
    probe = PROBE.replace("FILES", json.dumps(FILES)).replace("ORIGIN", json.dumps(origin))
    probe = probe.replace("WAYS", json.dumps(ways))
    await world.browser.page(f"(document.title = '', {probe})")
    await until(world.browser.page, "document.title")
    found: list[list[str]] = json.loads(await world.browser.page("document.title"))
    return found


async def test_no_page_can_tell_that_it_is_there(world: World) -> None:
    browser = world.browser
    await world.pair()
    await world.set_proxy(on=True)
    assert await browser.open(f"{SITE}/app")
    library = world.proxy.state.library
    await library.change(lambda now: replace(now, extensions=()))
    await browser.show_popup()
    emptied = "document.getElementById('error').textContent = '';"
    await world.do(f"{emptied} document.getElementById('read').click();")  # Winnow refuses
    await until(browser.popup, "document.getElementById('error').textContent")
    same = "document.documentElement.outerHTML === before"
    assert await browser.page(f"[changes.length, {same}]") == [0, True]
    found = await probed(world, browser.origin)
    assert not [each for each in found if each[2] in ("read", "loaded") and each[0] != "iframe"]
    if isinstance(browser, ChromiumDriver):  # Firefox's address is another one for each reader
        absent = browser.origin[:-1] + ("a" if browser.origin[-1] != "a" else "b")
        assert found == await probed(world, absent), "an error page is the same in a frame"
    sent = b"\n".join(world.site.requests).lower()
    assert browser.origin.partition("://")[2].encode() not in sent
    assert b"winnow-pairing" not in sent


async def test_an_ended_pairing_says_so(world: World) -> None:
    await world.pair()
    await world.set_proxy(on=True)
    assert await world.browser.open(f"{SITE}/story")

    library = world.proxy.state.library
    await library.change(lambda now: replace(now, extensions=()))
    await world.browser.show_popup()
    assert "pair it again" in await world.error()
    await world.do("document.getElementById('forget').click();")
    await until(world.browser.popup, "!document.getElementById('unpaired').hidden")


@pytest.mark.parametrize("scheme", rest_in_release(["light", "dark"], ["dark"]))
async def test_axe_objects_to_nothing_in_its_window(
    scheme: Literal["light", "dark"], tmp_path: Path
) -> None:
    async with chromium_driver(tmp_path) as browser:
        assert isinstance(browser, ChromiumDriver)
        await browser.window.emulate_media(color_scheme=scheme)
        await browser.show_popup()
        shown = "for (const each of document.querySelectorAll('[hidden]')) each.hidden = false;"
        texts = "for (const id of ['view', 'error']) document.getElementById(id).textContent = 'x';"
        await browser.popup(f"(() => {{ {shown} {texts} return 1; }})()")
        assert await violations(browser.window) == []
