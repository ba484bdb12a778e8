"""The bar in Chromium without script: text and colours at once, remembered, and out of the way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.day_sites import article
from tests.browser.test_accessibility import AXE, AXE_RUN
from tests.programs import FONTS, require_font
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.sweeps import rest_in_release
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.proxy.own.languages import Language

PAGE = "http://news.example/story"


@asynccontextmanager
async def visited(
    folder: Path,
    width: int,
    scheme: Literal["light", "dark"] = "light",
    *,
    gateway: bool = False,
    script: bool = False,
    styled: bool = False,
) -> AsyncIterator[Page]:
    """A tab on a reader page; our scripts are the tests' own, sheets too where it is ``styled``."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=folder),
        extraction=UNHURRIED,
    )
    async with serving(Origin()) as origin:
        origin.replies["/story"] = html(article("ferry").encode())
        names = NamedOrigins({("news.example", 80): origin.port})
        async with running(open_names(settings), names) as proxy:
            own = f"http://127.0.0.1:{proxy.port}"
            async with chromium("" if gateway else own) as browser:
                context = await browser.new_context(
                    viewport={"width": width, "height": 640},
                    color_scheme=scheme,
                    java_script_enabled=script,
                    bypass_csp=styled,
                )
                await context.add_init_script(AXE)
                tab = await context.new_page()
                await tab.goto(f"{own}/{PAGE}" if gateway else PAGE)
                yield tab


async def style_of(tab: Page, name: str) -> str:
    """A property of the body as it is drawn."""
    value = await tab.locator("body").evaluate("(node, name) => getComputedStyle(node)[name]", name)
    return str(value)


async def opened(tab: Page, name: str) -> None:
    await tab.locator("#winnow-bar summary", has_text=name).click()


@pytest.mark.parametrize("gateway", [False, True])
async def test_text_and_colours_change_at_once_and_are_remembered_without_script(
    tmp_path: Path, gateway: bool
) -> None:
    async with visited(tmp_path, 1280, gateway=gateway) as tab:
        address = tab.url
        assert await style_of(tab, "fontSize") == "18px"
        await opened(tab, "Text and colours")
        await tab.get_by_label("Text size").select_option("Huge")
        await tab.get_by_label("Colours").select_option("Dark")
        assert await style_of(tab, "fontSize") == "34.2px"
        assert await style_of(tab, "color") == "rgb(228, 226, 221)"
        assert tab.url == address
        async with tab.expect_navigation():
            await tab.click("button:has-text('Keep for all pages')")
        assert tab.url == f"{address}#winnow-kept"
        assert await style_of(tab, "fontSize") == "34.2px"
        await opened(tab, "Text and colours")
        assert await tab.get_by_label("Text size").input_value() == "huge"
        await tab.get_by_label("Text size").select_option("Default")
        assert await style_of(tab, "fontSize") == "18px"


@pytest.mark.parametrize("width", rest_in_release([1280, 360], [360]))
@pytest.mark.parametrize("gateway", [False, True])
async def test_what_was_kept_is_said_and_taken_back_by_one_click(
    tmp_path: Path, gateway: bool, width: int
) -> None:
    async with visited(tmp_path, width, gateway=gateway) as tab:
        address, said = tab.url, tab.locator("#winnow-kept")
        assert not await said.is_visible()
        for size in ("Large", "Huge"):
            await opened(tab, "Text and colours")
            await tab.get_by_label("Text size").select_option(size)
            async with tab.expect_navigation():
                await tab.click("button:has-text('Keep for all pages')")
            assert await said.is_visible()
        assert await said.inner_text() == "Kept for all pages. Undo"
        await tab.screenshot(path=SCREENSHOTS / f"kept-{width}-{gateway}.png")
        async with tab.expect_navigation():
            await said.locator("a").click()
        assert tab.url == address
        assert not await said.is_visible()
        assert await style_of(tab, "fontSize") == "21.6px"


async def test_the_first_stop_is_the_text_and_folded_panels_are_none(tmp_path: Path) -> None:
    async with visited(tmp_path, 1280) as tab:
        stops = []
        for _ in range(7):
            await tab.keyboard.press("Tab")
            focused = tab.locator(":focus")
            stops.append(await focused.get_attribute("title") or await focused.inner_text())
        named = ["Never change this site", "Text and colours", "Read later", "Listen", "More"]
        assert stops == ["Skip to the text", "Original", *named]


@pytest.mark.parametrize("width", rest_in_release([360, 240], [360]))
async def test_on_a_phone_the_text_is_seen_while_its_look_is_chosen(
    tmp_path: Path, width: int
) -> None:
    async with visited(tmp_path, width) as tab:
        await opened(tab, "Text and colours")
        panel = tab.locator("#winnow-bar details[open] > div")
        before = await panel.bounding_box()
        assert before is not None
        for name, choice in (("Text size", "Huge"), ("Font", "Monospace"), ("Colours", "Dark")):
            await panel.get_by_label(name).select_option(choice)
        after = await panel.bounding_box()
        assert after is not None
        assert (after["y"], after["height"]) == (before["y"], before["height"])
        assert before["y"] + before["height"] <= (320 if width > 288 else 400)
        assert await tab.locator("h1").is_visible()


FITS = """nodes => nodes.map(node => { const range = document.createRange();
  range.selectNodeContents(node.querySelector('span') || node);
  return range.getBoundingClientRect().width <= node.clientWidth; })"""


@pytest.mark.parametrize("width", [360, 240])
async def test_no_word_of_a_phone_s_bar_lies_over_another(tmp_path: Path, width: int) -> None:
    async with visited(tmp_path, width) as tab:
        await fitting(tab, width)


@pytest.mark.release
@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("width", [360, 240])
async def test_no_word_of_a_phone_s_bar_lies_over_another_in_any_font(
    tmp_path: Path, width: int, font: str
) -> None:
    require_font(font)
    async with visited(tmp_path, width, script=True, styled=True) as tab:
        await fitting(tab, width, f"#winnow-bar * {{ font-family: '{font}' !important }}")


async def fitting(tab: Page, width: int, style: str = "") -> None:
    """In every language, or in English alone where the window is as narrow as an old phone's."""
    for language in Language if width == 360 else [Language.ENGLISH]:
        await tab.set_extra_http_headers({"Accept-Language": language.value})
        await tab.reload()
        if style:
            await tab.add_style_tag(content=style)
        words = tab.locator("#winnow-bar > div").locator("> a, > p > *, > details > summary")
        assert await words.evaluate_all(FITS) == [True] * 7, language


@pytest.mark.parametrize("scheme", rest_in_release(["light", "dark"], ["dark"]))
@pytest.mark.parametrize("width", rest_in_release([1280, 360, 240], [1280, 240]))
async def test_each_panel_fits_and_pushes_the_text_down(
    tmp_path: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with visited(tmp_path, width, scheme, script=True) as tab:
        heading = tab.locator("h1")
        folded = await heading.bounding_box()
        assert folded is not None
        assert folded["y"] < (120 if width > 288 else 160)
        for name in ("Text and colours", "More"):
            await opened(tab, name)
            panel = await tab.locator("#winnow-bar details[open] > div").bounding_box()
            below = await heading.bounding_box()
            assert panel is not None
            assert below is not None
            assert panel["y"] + panel["height"] <= below["y"]
            assert panel["x"] >= 0
            assert panel["x"] + panel["width"] <= width
            assert await tab.evaluate("document.documentElement.scrollWidth") <= width
            found = await tab.evaluate(AXE_RUN)
            assert [each["id"] for each in found["violations"]] == []
            picture = SCREENSHOTS / f"bar-{name.split()[0].lower()}-{width}-{scheme}.png"
            await tab.screenshot(path=picture)
