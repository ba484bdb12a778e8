"""The gateway in a browser without a proxy setting: articles are read, no site gets our origin."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest_asyncio
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium, picture
from tests.browser.sites import ARTICLE, SENTENCES
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

ATTACK = b"""<html><title>as it came</title><body><h1>Not here</h1><img src=/bridge.png><script>
(async () => {
  const said = [];
  try { document.cookie = 'a=b'; said.push('cookie'); } catch { said.push('no cookie'); }
  try { await (await fetch('/-/settings')).text(); said.push('settings'); }
  catch { said.push('no settings'); }
  try { await navigator.serviceWorker.register('/worker.js'); said.push('worker'); }
  catch { said.push('no worker'); }
  document.title = said.join(', ');
})();
</script></body></html>"""
PNG = reply(picture(320, 120, (9, 9, 9)), "Content-Type: image/png")


@dataclass
class Opened:
    """A tab, the gateway's address and the site ``news.example`` behind it."""

    tab: Page
    gateway: str
    origin: Origin


@pytest_asyncio.fixture(loop_scope="session")
async def opened() -> AsyncIterator[Opened]:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin:
        names = NamedOrigins({("news.example", 80): origin.port})
        async with running(open_names(settings), names) as proxy, chromium() as browser:
            tab = await browser.new_page()
            yield Opened(tab, f"http://127.0.0.1:{proxy.port}/http://news.example", origin)


async def test_an_article_is_read_and_its_links_stay(opened: Opened) -> None:
    image = '<img src="/bridge.png" width="320" height="120">'
    inner = ARTICLE.replace("<p>", f"<p><a href=/next>Next</a> {image}", 2)
    opened.origin.replies["/story"] = html(inner.encode())
    opened.origin.replies["/bridge.png"] = PNG
    await opened.tab.goto(f"{opened.gateway}/story", wait_until="load")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await opened.tab.screenshot(path=SCREENSHOTS / "gateway-article.png", full_page=True)
    shown = await opened.tab.inner_text("body")
    assert all(sentence in shown for sentence in SENTENCES)
    link = await opened.tab.get_attribute("main a:has-text('Next')", "href")
    assert link == f"{opened.gateway}/next"


async def test_a_page_s_own_style_does_not_hide_the_bar(opened: Opened) -> None:
    hiding = "display:none!important;opacity:0!important;position:fixed!important;left:-99em"
    style = f"<style>#winnow-bar#winnow-bar{{{hiding}}}</style>"
    opened.origin.replies["/story"] = html(ARTICLE.replace("</head>", f"{style}</head>").encode())
    address = f"{opened.gateway.removesuffix('/http://news.example')}/-/read"
    await opened.tab.goto(f"{address}?url=http://news.example/story&format=pruned")
    assert "99em" in await opened.tab.content()
    bar = opened.tab.locator("#winnow-bar")
    assert await bar.evaluate("bar => getComputedStyle(bar).opacity") == "1"
    box = await bar.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["height"] > 10
    await opened.tab.emulate_media(media="print")
    printed = await bar.bounding_box()
    assert printed is None or printed["height"] == 0


async def test_a_choice_of_the_bar_works_in_the_gateway(opened: Opened) -> None:
    opened.origin.replies["/story"] = html(ARTICLE.encode())
    await opened.tab.goto(f"{opened.gateway}/story", wait_until="load")
    async with opened.tab.expect_navigation() as waiting:
        await opened.tab.click("#winnow-bar a:has-text('Never here')")
    answer = await waiting.value
    assert answer.ok
    assert opened.tab.url == f"{opened.gateway}/story"
    assert answer.headers["winnow-reason"] == "site-rule"
    own = opened.gateway.removesuffix("/http://news.example")
    browser = opened.tab.context.browser
    assert browser is not None
    home = await browser.new_page()
    await home.goto(f"{own}/")
    await home.click("p:has-text('leaves these sites alone: news.example') a")
    site = await home.inner_text("#sites ~ table tbody th")
    assert site.split("\n") == ["news.example", "Never change pages"]
    async with opened.tab.expect_navigation() as undone:
        await opened.tab.click("#winnow-notice a:has-text('Undo')")
    assert (await undone.value).headers["winnow-action"] == "extracted"
    assert opened.tab.url == f"{opened.gateway}/story"
    await home.goto(f"{own}/")
    assert not await home.get_by_text("leaves these sites alone").count()


async def test_no_script_of_a_site_acts_in_our_name(opened: Opened) -> None:
    fields = ("Content-Type: text/html", "Set-Cookie: theirs=1", "Content-Security-Policy: x")
    opened.origin.replies["/gone"] = reply(ATTACK, *fields, status="404 Not Found")
    opened.origin.replies["/bridge.png"] = PNG
    await opened.tab.goto(f"{opened.gateway}/gone", wait_until="networkidle")
    assert await opened.tab.title() == "as it came"
    assert await opened.tab.context.cookies() == []
    assert await opened.tab.evaluate("document.images[0].naturalWidth") == 320


FORGED = b"""<html><title>as it came</title><body><h1>Not here</h1>
<iframe name=inside src="/-/choose?action=never&page=http://news.example/"></iframe>
<form action=/-/choose method=post><input name=action value=never>
<input name=page value=http://news.example/><input name=token value=1.2>
<button>Win a prize</button></form></body></html>"""


async def test_a_form_in_a_site_s_markup_chooses_nothing(opened: Opened) -> None:
    """It is of our origin to a browser, but knows no token, and no frame shows it one."""
    opened.origin.replies["/gone"] = reply(FORGED, "Content-Type: text/html", status="404 Gone")
    opened.origin.replies["/story"] = html(ARTICLE.encode())
    await opened.tab.goto(f"{opened.gateway}/gone", wait_until="load")
    frame = opened.tab.frame("inside")
    assert frame is not None
    assert await frame.locator("form").count() == 0
    async with opened.tab.expect_navigation() as waiting:
        await opened.tab.click("text=Win a prize")
    assert (await waiting.value).status == 403
    answer = await opened.tab.goto(f"{opened.gateway}/story")
    assert answer is not None
    assert answer.headers["winnow-action"] == "extracted"


async def test_the_original_is_one_click_away_in_the_gateway(opened: Opened) -> None:
    opened.origin.replies["/story"] = html(ARTICLE.encode())
    await opened.tab.goto(f"{opened.gateway}/story", wait_until="load")
    async with opened.tab.expect_navigation() as waiting:
        await opened.tab.click("#winnow-bar a:has-text('Original')")
    assert (await waiting.value).headers["winnow-reason"] == "original-requested"
    async with opened.tab.expect_navigation() as back:
        await opened.tab.click("#winnow-notice a:has-text('Read')")
    assert (await back.value).headers["winnow-action"] == "extracted"
