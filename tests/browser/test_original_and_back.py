"""One click either way between a page and its article: by keyboard, at 360 px, without script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS
from tests.browser.day_sites import COMMENT, PRODUCT, article, tone
from tests.browser.test_accessibility import AXE
from tests.browser.test_clicks import BANK, PAGE, SITE, Visited, action, visiting
from tests.proxy.origins import html, reply

KETTLE = b"""<!doctype html><html lang=en><title>Kettle</title><body><main itemscope
itemtype="https://schema.org/Product"><h1>Kettle</h1><p itemprop=offers itemscope
itemtype="https://schema.org/Offer">EUR <span itemprop=price>17.50</span></p><p>%s</p></main>
<footer><p>The shop on the quay sells kettles, cups and tea, and is open on all days but Sunday
from nine until six.</p></footer>"""
KETTLE %= b"It boils a litre in three minutes, and switches itself off when it has done so. " * 4
STRICT = "Content-Security-Policy: default-src 'none'; style-src 'self'"


HEADS = {
    "flows": "",
    "wide": "<style>main{width:960px}</style>",
    "phone": "<meta name=viewport content='width=device-width'>",
}


@pytest.mark.parametrize("head", HEADS)
async def test_on_a_phone_our_lines_are_legible_in_a_page_laid_out_for_a_desktop(
    visited: Visited, head: str
) -> None:
    """Without a viewport a page is laid out 980 pixels wide and shown smaller; a tidied one only
    where something in it is as wide."""
    page = KETTLE.replace(b"<body>", f"{HEADS[head]}<body>".encode(), 1)
    visited.origin.replies["/note"] = html(page)
    context = await visited.browser.new_context(
        viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    )
    tab = await context.new_page()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    assert await action(await tab.goto(f"{BANK}note")) == "tidied"
    is_whole = await tab.evaluate("visualViewport.scale === 1 && innerWidth === 360")
    assert is_whole == (head != "wide")
    for line, name in (("#winnow-bar", "tidied"), ("#winnow-notice", "original")):
        shown = await tab.locator(f"{line} a").first.evaluate(
            "node => parseFloat(getComputedStyle(node).fontSize) * visualViewport.scale"
        )
        await tab.screenshot(path=SCREENSHOTS / f"{name}-{head}.png")
        assert 12 <= shown <= 20, (line, shown)
        await tab.tap(f"{line} a:has-text('{'Original' if 'bar' in line else 'Read'}')")
        await tab.wait_for_load_state()


@pytest_asyncio.fixture(loop_scope="session")
async def visited(tmp_path: Path) -> AsyncIterator[Visited]:
    async with visiting(tmp_path) as made:
        yield made


async def tab_to(tab: Page, text: str) -> None:
    """Press Tab until what has the focus says ``text``."""
    focused = tab.locator(":focus")
    for _ in range(30):
        await tab.keyboard.press("Tab")
        if await focused.count() and (await focused.inner_text()).strip() == text:
            return
    raise AssertionError(f"The keyboard does not reach {text!r}.")


async def entered(tab: Page, text: str) -> str:
    """Choose a link by keyboard alone; what was done with the page that follows."""
    await tab_to(tab, text)
    async with tab.expect_navigation() as waiting:
        await tab.keyboard.press("Enter")
    return await action(await waiting.value)


async def small(visited: Visited) -> Page:
    """A tab of 360 px without script."""
    viewport = {"width": 360, "height": 640}
    context = await visited.browser.new_context(viewport=viewport, java_script_enabled=False)  # type: ignore[arg-type]  # a TypedDict of Playwright's own
    return await context.new_page()


async def objections(tab: Page) -> list[str]:
    """What axe-core objects to in the line; the Tab key is to reach it first (``notice_line``)."""
    found = await tab.evaluate("axe.run('#winnow-notice', {rules: {tabindex: {enabled: false}}})")
    return [each["id"] for each in found["violations"]]


async def test_by_keyboard_at_360_px_and_without_script(visited: Visited) -> None:
    tab = await small(visited)
    await tab.goto(BANK)
    assert await entered(tab, "Original") == "original"
    assert tab.url == BANK
    assert await action(await tab.reload()) == "original"
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await tab.screenshot(path=SCREENSHOTS / "original-360.png")
    notice = tab.locator("#winnow-notice")
    box = await notice.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] == 640, "above it would cover the head of the site"
    await tab_to(tab, "Winnow")
    await tab.keyboard.press("Enter")
    assert not await notice.get_by_text("Read").is_visible()
    await tab.keyboard.press("Enter")
    await tab.click("#next")
    assert await tab.locator("#winnow-bar").count()
    await tab.go_back()
    assert await notice.count()
    assert await entered(tab, "Read") == "extracted"
    assert await action(await tab.reload()) == "extracted"
    visited.origin.replies["/kettle"] = html(PRODUCT.encode())
    assert await action(await tab.goto(f"{BANK}kettle")) == "tidied"
    assert await entered(tab, "Original") == "original"
    assert await entered(tab, "Read") == "tidied"
    await tab.goto(BANK)
    assert await entered(tab, "Original") == "original"
    assert await entered(tab, "Never change this site") == ""
    async with tab.expect_navigation() as waiting:
        await tab.click("button.late")
    assert await action(await waiting.value) == "original"
    assert "Winnow leaves this site alone." in await notice.inner_text()
    await tab.screenshot(path=SCREENSHOTS / "never-360.png")
    assert await action(await tab.goto(f"{BANK}other")) == "original"
    assert not await notice.count(), "it is said once, on the page where it was chosen"
    await tab.goto(BANK)
    assert await entered(tab, "Undo") == "extracted"
    assert tab.url == BANK
    assert await action(await tab.goto(f"{BANK}other")) == "extracted"


STORY = article(
    "ferry",
    COMMENT,
).replace(
    "</article>",
    "<p><a href=/report.csv download>Download the figures</a></p><audio controls src=/talk.wav>"
    "</audio></article>",
)


async def test_what_an_article_offers_works_by_keyboard_at_360_px_without_script(
    visited: Visited,
) -> None:
    replies = visited.origin.replies
    replies["/story"], replies["/comment"] = html(STORY.encode()), html(b"<p>Thank you.</p>")
    replies["/report.csv"] = reply(b"a,b\n", "Content-Type: text/csv")
    replies["/talk.wav"] = reply(tone(), "Content-Type: audio/wav")
    tab = await small(visited)
    assert await action(await tab.goto(f"{BANK}story")) == "extracted"
    await tab_to(tab, "Download the figures")
    async with tab.expect_download() as waiting:
        await tab.keyboard.press("Enter")
    assert (await waiting.value).suggested_filename == "report.csv"
    while not await tab.locator("audio:focus").count():
        await tab.keyboard.press("Tab")
    async with tab.expect_request("**/talk.wav"):
        await tab.keyboard.press("Space")
    await tab.focus("body")
    await tab_to(tab, "Send comment")
    await tab.keyboard.press("Enter")
    assert await tab.evaluate("document.documentElement.scrollWidth") <= 360
    await tab.keyboard.press("Tab")
    await tab.keyboard.type("How good")
    async with tab.expect_navigation():
        await tab_to(tab, "Send comment")
        await tab.keyboard.press("Enter")
    assert visited.origin.bodies[-1] == b"text=How+good"


async def test_a_page_that_was_passed_on_says_why_and_leads_on(visited: Visited) -> None:
    """Nothing is lost where reading it anyway fails again."""
    visited.origin.replies["/deep"] = html(PAGE.replace(b"<main>", b"<main>" + b"<div>" * 600))
    tab = visited.tab
    await tab.context.add_init_script(AXE)
    for link in ("", "Reader view", "Always show the reader view"):
        if link:
            async with tab.expect_navigation():
                await tab.click(f"#winnow-notice a:has-text('{link}')")
        else:
            await tab.goto(f"{BANK}deep")
        if link == "Always show the reader view":
            async with tab.expect_navigation():
                await tab.click("button.late")
        assert tab.url == f"{BANK}deep"
        assert "nested too deep" in await tab.inner_text("#winnow-notice")
        assert "The ferry leaves" in await tab.inner_text("main")
    assert await objections(tab) == []


async def test_the_line_of_a_site_left_alone_is_what_the_tab_key_reaches_first(
    visited: Visited,
) -> None:
    tab = visited.tab
    await tab.goto(BANK)
    assert await action(await visited.chosen("Never here")) == "original"
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await tab.screenshot(path=SCREENSHOTS / "left-alone.png")
    stops = []
    for _ in range(4):
        await tab.keyboard.press("Tab")
        stops.append(await tab.locator(":focus").inner_text())
    assert stops == ["Undo", "List of sites", "Next", "Winnow"]
    places = "() => [...document.querySelectorAll('main, main *')].map(each => each.offsetTop)"
    found = await tab.evaluate(places)
    await tab.locator("#winnow-notice").evaluate("line => line.remove()")
    assert await tab.evaluate(places) == found


async def test_a_tidied_page_is_read_by_one_click(visited: Visited) -> None:
    visited.origin.replies["/note"] = html(KETTLE)
    tab = visited.tab
    assert await action(await tab.goto(f"{BANK}note")) == "tidied"
    for link, done in (("Read", "extracted"), ("Original", "original")):
        async with tab.expect_navigation() as waiting:
            await tab.click(f"#winnow-bar a:has-text('{link}')")
        assert await action(await waiting.value) == done
        assert await action(await tab.reload()) == done
    async with tab.expect_navigation() as waiting:
        await tab.click("#winnow-notice a:has-text('Read')")
    assert await action(await waiting.value) == "extracted"


async def test_under_a_strict_policy_the_line_has_no_style_and_breaks_nothing(
    visited: Visited,
) -> None:
    visited.origin.replies["/strict"] = html(PAGE, STRICT)
    tab, said = visited.tab, list[str]()
    tab.on("console", lambda message: said.append(message.text))
    await tab.context.add_init_script(AXE)
    await tab.goto(f"{BANK}strict")
    await tab.click("#winnow-bar a:has-text('Original')")
    notice = tab.locator("#winnow-notice")
    assert await notice.is_visible()
    assert await notice.evaluate("node => node === document.body.lastElementChild")
    assert await notice.evaluate("node => getComputedStyle(node).position") == "static"
    assert not [text for text in said if "Content Security Policy" in text]
    assert await objections(tab) == []


FORGED = b"""<script>addEventListener('load', () => setTimeout(() => {
  for (const each of document.querySelectorAll('#winnow-notice a')) {
    each.target = '_blank'; each.click(); fetch(each.href, {mode: 'no-cors'});
    document.body.appendChild(document.createElement('iframe')).src = each.href; }
  setTimeout(() => document.title = 'tried', 1500) }))</script></body>"""


async def test_a_script_that_clicks_the_line_changes_no_more_than_its_page(
    tmp_path: Path,
) -> None:
    async with visiting(tmp_path, ("--disable-popup-blocking",)) as visited:
        visited.origin.replies["/forged"] = html(PAGE.replace(b"</body>", FORGED))
        tab = visited.tab
        await tab.goto(f"{SITE}forged")
        await tab.click("#winnow-bar a:has-text('Original')")
        await tab.wait_for_selector("#winnow-notice", state="attached")
        await tab.wait_for_function("document.title === 'tried'")
        assert len(tab.context.pages) == 3
        kept = await visited.kept()
        assert not kept.owners
        other = await tab.context.new_page()
        assert await action(await other.goto(SITE)) == "extracted"
        assert await action(await other.goto(BANK)) == "extracted"
