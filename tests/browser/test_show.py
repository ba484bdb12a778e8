"""The bookmark in Chromium: a page that scripts wrote is read; what sends itself gets no right."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.proxy.origins import Origin, html, reply, serving
from tests.unhurried import UNHURRIED
from tests.winnow.conftest import ARTICLE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.features.show.show_page import bookmarklet

WRITTEN = f"""<!doctype html><html lang=en><head><title>Winnowing</title></head><body><div id=root>
</div><script>document.getElementById('root').innerHTML =
  '<nav><a href=/>Home</a></nav><article><h1>Winnowing</h1>' +
  '<p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p><p>Grüße, “naïve” — 100 % &amp; more</p></article>';
</script></body></html>"""
EVIL = """<!doctype html><title>Evil</title><body><form method=post enctype=multipart/form-data
 target=shown action="OWN/-/show"><textarea name=url>https://good.example/</textarea>
<textarea name=page></textarea></form><script>
const page = `<title>x</title><article><h1>Flood</h1><p>${'The river rose again. '.repeat(40)}</p>
  <script>top.hit = parent.hit = window.opener.hit = 1<\\/script><img src=x onerror="opener.hit=1">
  <form action=/-/settings method=post><button>Go</button></form><img src="TOOL/secret"></article>`;
document.forms[0].elements.page.value = page;
const opened = window.open('', 'shown');
document.forms[0].submit();
window.reach = () => { try { return opened.document.body.innerText } catch { return 'no' } };
</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def proxy(tmp_path: Path) -> AsyncIterator[Running]:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with running(settings) as made:
        yield made


async def clicked(tab: Page, text: str) -> None:
    button = tab.get_by_role("button", name=text)
    await button.wait_for(state="visible")
    await button.click()
    await tab.wait_for_load_state()


async def test_the_bookmark_shows_what_scripts_wrote(proxy: Running) -> None:
    own = f"http://127.0.0.1:{proxy.port}/"
    async with serving(Origin({"/": html(WRITTEN.encode())})) as site, chromium() as browser:
        tab = await browser.new_page()
        await tab.goto(site.url("/"))
        async with tab.context.expect_page() as opening:
            await tab.evaluate(f"location.href = {bookmarklet(own)!r}")
        shown = await opening.value
        await shown.wait_for_load_state()
        assert ARTICLE[0] not in await shown.inner_text("main")
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await shown.screenshot(path=SCREENSHOTS / "show-question.png")
        await clicked(shown, "Show the article")
        text = await shown.inner_text("body")
        await shown.screenshot(path=SCREENSHOTS / "show-article.png")
        assert ARTICLE[0] in text
        assert "Grüße, “naïve” — 100 % & more" in text
        assert await tab.inner_text("h1") == "Winnowing", "the page itself stays"


async def test_a_site_whose_policy_forbids_it_says_so(proxy: Running) -> None:
    policy = "Content-Security-Policy: form-action 'self'"
    strict = reply(WRITTEN.encode(), "Content-Type: text/html; charset=utf-8", policy)
    async with serving(Origin({"/": strict})) as site, chromium() as browser:
        tab = await browser.new_page()
        await tab.goto(site.url("/"))
        async with tab.expect_event("dialog") as said:
            tab.on("dialog", lambda dialog: dialog.dismiss())
            await tab.evaluate(
                f"location.href = {bookmarklet(f'http://127.0.0.1:{proxy.port}/')!r}"
            )
        assert "policy forbids" in (await said.value).message


async def test_a_page_that_sends_itself_gets_no_right_of_ours(proxy: Running) -> None:
    own = f"http://127.0.0.1:{proxy.port}"
    flags = ("--disable-popup-blocking", "--disable-features=LocalNetworkAccessChecks")
    async with serving(Origin()) as tool, serving(Origin()) as site, chromium("", flags) as browser:
        markup = EVIL.replace("OWN", own).replace("TOOL", tool.url(""))
        site.replies["/"] = html(markup.encode())
        tab = await browser.new_page()
        async with tab.context.expect_page() as opening:
            await tab.goto(f"http://localhost:{site.port}/")
        shown = await opening.value
        await shown.wait_for_url(f"{own}/-/show")
        assert "The river rose" not in await shown.inner_text("main")
        assert await tab.evaluate("window.reach()") == "no"
        await clicked(shown, "Show the article")
        assert "The river rose again." in await shown.inner_text("body")
        assert await shown.evaluate("self.origin") == "null", "an origin of its own"
        assert await tab.evaluate("[window.reach(), window.hit === undefined]") == ["no", True]
        assert not await shown.query_selector("script, form, [onerror]")
        assert tool.requests == [], "no picture of a private address without HTTPS"
