"""Pages for small screens in Chromium at 240 pixels, without script: sizes, parts, forms."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import fresh_page, reader_page
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.document.values import Profile

SENTENCE = "The river rose overnight, and by morning the village stood in water. "
DAYS = "".join(
    f"<h2>Day {day}</h2>{f'<p>On day {day}. {SENTENCE * 6}</p>' * 4}" for day in range(40)
)
FORM = (
    "<form action=/find><label>Words <input name=q></label><label>Where <select name=w>"
    "<option value=1>Village<option value=2 selected>Valley</select></label>"
    "<label><input type=checkbox name=old value=yes> Old ones too</label>"
    "<button name=go value=now>Look it up</button></form>"
)
PAGE = (
    "<html lang=en><head><title>The flood that came overnight to the lower valley</title>"
    "<meta name=author content='Ann Ferris'>"
    "<meta property=article:published_time content=2026-03-05T10:00:00Z></head><body>"
    f"{FORM}<article><h1>The flood that came overnight to the lower valley</h1>{DAYS}</article>"
)


@pytest_asyncio.fixture(loop_scope="session")
async def phone() -> AsyncIterator[tuple[Page, str, Origin]]:
    """A tab of 240 pixels without scripts, the address of small pages, and the origin."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin, running(settings) as proxy, chromium() as browser:
        origin.replies["/story"] = html(PAGE.encode())
        context = await browser.new_context(
            viewport={"width": 240, "height": 320}, java_script_enabled=False
        )
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        yield await context.new_page(), f"http://127.0.0.1:{proxy.port}/-/small/", origin


async def size_of(tab: Page, selector: str) -> float:
    script = "node => parseFloat(getComputedStyle(node).fontSize)"
    return float(await tab.locator(selector).first.evaluate(script))


async def test_a_long_page_is_read_part_by_part(phone: tuple[Page, str, Origin]) -> None:
    tab, small, origin = phone
    await tab.goto(small)
    await tab.get_by_label("Address").fill(origin.url("/story"))
    await tab.get_by_role("button", name="Read").click()
    await tab.screenshot(path=SCREENSHOTS / "small-first.png")
    assert await size_of(tab, "h1") <= 1.3 * await size_of(tab, "body")
    top = await tab.inner_text("main")
    assert "Ann Ferris · March 5, 2026 · " in top
    assert "\u00a0min\u00a0read" in top
    assert "Page 1 of " in top.partition("On day")[0]
    await tab.get_by_role("link", name="Next page").click()
    assert "Page 2 of " in await tab.inner_text("main")
    await tab.get_by_label("Go to page").fill("4")
    await tab.get_by_label("Go to page").scroll_into_view_if_needed()
    await tab.screenshot(path=SCREENSHOTS / "small-turning.png")
    await tab.get_by_role("button", name="Go", exact=True).click()
    assert "Page 4 of " in await tab.inner_text("main")
    await tab.get_by_role("link", name="Previous page").click()
    assert "Page 3 of " in await tab.inner_text("main")
    await tab.get_by_role("link", name="Headings").click()
    await tab.screenshot(path=SCREENSHOTS / "small-headings.png")
    await tab.get_by_role("link", name="Day 37").click()
    assert await tab.locator("h2", has_text="Day 37").is_visible()
    place = await tab.locator("h2", has_text="Day 37").bounding_box()
    assert place is not None
    assert place["y"] < 320


async def test_a_form_of_the_page_sends_what_was_filled_in(phone: tuple[Page, str, Origin]) -> None:
    tab, small, origin = phone
    wanted = "/find?q=hay&w=1&old=yes&go=now"
    origin.replies[wanted] = html(b"<title>Found</title><p>" + b"Hay was found. " * 30)
    await tab.goto(small + origin.url("/story"))
    form = tab.locator("section form")
    await form.screenshot(path=SCREENSHOTS / "small-form.png")
    assert await tab.get_by_label("Where").input_value() == "2"
    await tab.get_by_label("Words").fill("hay")
    await tab.get_by_label("Where").select_option("1")
    await tab.get_by_label("Old ones too").check()
    await tab.get_by_role("button", name="Look it up").click()
    assert "Hay was found" in await tab.inner_text("main")
    assert origin.requests[-1].startswith(f"GET {wanted} ".encode())


@pytest.mark.parametrize("profile", [Profile.READER, Profile.BASIC, Profile.VOICE])
async def test_the_headline_is_hardly_larger_than_the_text(profile: Profile) -> None:
    async with chromium() as browser:
        tab = await fresh_page(browser, 240, 320, "light")
        await tab.set_content(reader_page("news-article", profile), wait_until="domcontentloaded")
        assert await size_of(tab, "h1") <= 1.3 * await size_of(tab, "body")
