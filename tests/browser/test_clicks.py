"""Choices in Chromium behind the proxy: a user's click counts, a script's changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Response

from tests.browser.browsers import chromium
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.proxy.access.requester import LOOPBACK
from winnow.proxy.stores.choices import Choices
from winnow.proxy.stores.site_choice import Choice, SiteMode
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices

WORDS = "The ferry leaves at nine and comes back before the tide turns. " * 9
PAGE = (
    f"<!doctype html><html lang=en><title>Harbour</title><body><nav>Menu</nav><main><h1>Harbour"
    f"</h1><p>{WORDS}</p><p><a id=next href=/other>Next</a></p></main></body></html>"
).encode()
BANK, SITE = "http://bank.example/", "http://evil.example/"
CHOOSE, ORIGINAL = "http://winnow.internal/-/choose", "http://winnow.internal/-/original"
TRIES = [
    f"{CHOOSE}?action=never&page={SITE}",
    f"{CHOOSE}?action=never&page={BANK}",
    f"{CHOOSE}?action=original&page={BANK}",
    f"{ORIGINAL}?page={BANK}",
    "http://winnow.internal/-/settings",
]
ATTACK = """
const tries = TRIES, said = [];
const sent = {method: 'POST', mode: 'no-cors', credentials: 'include',
  body: new URLSearchParams({action: 'never', page: location, change: 'pause', value: '60'})};
async function attack() {
  for (const url of tries) {
    for (const options of [{mode: 'no-cors', credentials: 'include'}, {}, sent])
      try { said.push((await (await fetch(url, options)).text()).length) } catch { said.push('no') }
    const request = new XMLHttpRequest();
    try { request.open('POST', url, false); request.send(sent.body) } catch { said.push('no xhr') }
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.name = 'frame' + said.length; frame.src = url;
    const form = document.body.appendChild(document.createElement('form'));
    form.method = 'post'; form.action = url.split('?')[0]; form.target = frame.name;
    for (const [name, value] of new URL(url).searchParams) {
      const input = form.appendChild(document.createElement('input'));
      input.name = name; input.value = value;
    }
    await new Promise(done => setTimeout(done, 200));
    form.submit();
    form.target = '_blank'; form.submit();
    const opened = window.open(url);
    await new Promise(done => setTimeout(done, 1000));
    try { opened.document.querySelector('form').submit(); said.push('clicked') }
    catch { said.push('no window') }
    if (opened) opened.postMessage('click', '*');
  }
  for (const each of document.querySelectorAll('#winnow-bar a, #winnow-bar button, summary')) {
    if (each.form) each.form.target = '_blank'; else each.target = '_blank';
    each.click();
    each.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, view: window}));
  }
  await new Promise(done => setTimeout(done, 1000));
  window.result = said;
}
attack();
""".replace("TRIES", json.dumps(TRIES))


@dataclass
class Visited:
    """A tab behind the proxy, and where its choices are kept."""

    tab: Page
    folder: Path
    origin: Origin
    browser: Browser

    async def chosen(self, text: str) -> Response:
        """Click a choice in the bar, and confirm it; what the browser then shows."""
        async with self.tab.expect_navigation():
            await self.tab.click(f"#winnow-bar a:has-text('{text}')")
        async with self.tab.expect_navigation() as waiting:
            await self.tab.click("button.late")
        return await waiting.value

    async def kept(self) -> Choices:
        """What lasts."""
        store = await SqliteChoices.open(self.folder / FILE_NAME)
        await store.aclose()
        return store.now


@asynccontextmanager
async def visiting(folder: Path, arguments: tuple[str, ...] = ()) -> AsyncIterator[Visited]:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=folder),
        sites=replace(plain.sites, levels=("evil.example=12",)),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin:
        names = NamedOrigins({(host, 80): origin.port for host in ("bank.example", "evil.example")})
        for path in ("/", "/other"):
            fields = ('ETag: "one"', "Cache-Control: max-age=600")
            origin.replies[path] = html(PAGE, *fields)
        async with (
            running(open_names(settings), names) as proxy,
            chromium(f"http://127.0.0.1:{proxy.port}", arguments) as browser,
        ):
            context = await browser.new_context()
            yield Visited(await context.new_page(), folder, origin, browser)


@pytest_asyncio.fixture(loop_scope="session")
async def visited(tmp_path: Path) -> AsyncIterator[Visited]:
    async with visiting(tmp_path) as made:
        yield made


async def action(answer: Response | None) -> str:
    assert answer is not None
    return answer.headers.get("winnow-action", "")


@pytest.mark.release
async def test_a_script_of_the_page_that_holds_the_bar_changes_nothing_that_lasts(
    tmp_path: Path,
) -> None:
    """At this level the site's own scripts run beside the bar; pop-ups are not even blocked."""
    async with visiting(tmp_path, ("--disable-popup-blocking",)) as visited:
        script = f"<script>{ATTACK}</script></body>".encode()
        visited.origin.replies["/attack"] = html(PAGE.replace(b"</body>", script))
        tab = visited.tab
        await tab.goto(f"{SITE}attack", wait_until="load")
        assert await tab.locator("#winnow-bar a").count() > 4
        await tab.wait_for_function("window.result !== undefined", timeout=120_000)
        result = await tab.evaluate("window.result")
        assert result.count("no window") == len(TRIES)
        assert len(tab.context.pages) > 3
        assert await visited.kept() == Choices()
        page = await tab.context.new_page()
        assert await action(await page.goto(BANK)) == "extracted"
        assert await action(await page.goto(SITE)) == "extracted"


async def test_never_holds_at_once_on_reload_and_back(visited: Visited) -> None:
    tab = visited.tab
    assert await action(await tab.goto(BANK)) == "extracted"
    answer = await visited.chosen("Never here")
    assert tab.url == BANK
    assert await action(answer) == "original"
    assert (await visited.kept()).of(LOOPBACK).choices == {"bank.example": Choice(SiteMode.NEVER)}
    assert "Menu" in await tab.inner_text("body")
    assert await action(await tab.reload()) == "original"
    await tab.click("#next")
    await tab.go_back()
    assert "Menu" in await tab.inner_text("body")


async def test_always_holds_on_reload_for_who_saw_the_original(visited: Visited) -> None:
    tab = visited.tab
    await tab.goto(BANK)
    await visited.chosen("Never here")
    other = await tab.context.new_page()
    await other.goto(f"{CHOOSE}?action=always&page={BANK}")
    async with other.expect_navigation() as waiting:
        await other.click("button.late")
    assert await action(await waiting.value) == "extracted"
    assert await action(await tab.reload()) == "extracted"
    assert "Menu" not in await tab.inner_text("body")


async def test_the_original_is_one_click_and_for_this_address_alone(visited: Visited) -> None:
    tab = visited.tab
    await tab.goto(BANK)
    async with tab.expect_navigation() as waiting:
        await tab.click("#winnow-bar a:has-text('Original')")
    assert await action(await waiting.value) == "original"
    assert tab.url == BANK
    assert await action(await tab.goto(f"{BANK}other")) == "extracted"
    assert await visited.kept() == Choices()


async def test_a_link_of_another_site_to_an_original_asks(visited: Visited) -> None:
    link = f'<a href="{ORIGINAL}?page={BANK}">Prize</a></body>'.encode()
    visited.origin.replies["/link"] = html(PAGE.replace(b"</body>", link))
    tab = visited.tab
    await tab.goto(f"{SITE}link")
    async with tab.expect_navigation():
        await tab.click("text=Prize")
    assert tab.url.startswith(ORIGINAL)
    assert await tab.locator("form").count() == 1
    assert await action(await tab.goto(BANK)) == "extracted"
