"""Settings are changed in Chromium: by keyboard, without scripts, at two sizes and themes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.sweeps import every_nth_and_all, rest_in_release
from tests.winnow.compose.test_settings_editing import edited
from winnow.compose.running import Running
from winnow.config.setting_list import sections

SCREENS = [(1280, "dark"), (1280, "light"), (360, "dark"), (360, "light")]


@asynccontextmanager
async def opened(
    folder: Path, *, width: int = 1280, scheme: str = "light", scripts: bool = True
) -> AsyncIterator[tuple[Page, Running, Path]]:
    """The page of all settings, its proxy and the settings file."""
    async with edited(folder) as (proxy, file), chromium() as browser:
        context = await browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
        )
        page = await context.new_page()
        page.set_default_timeout(120_000)
        await page.goto(f"http://127.0.0.1:{proxy.port}/-/settings")
        await page.click("text=All settings")
        yield page, proxy, file


@pytest.mark.parametrize("names", every_nth_and_all([section.name for section in sections()], 4))
@pytest.mark.parametrize("screen", rest_in_release(SCREENS, [(360, "light")]))
async def test_axe_objects_to_no_form(
    tmp_path: Path, screen: tuple[int, str], names: list[str]
) -> None:
    width, scheme = screen
    async with opened(tmp_path, width=width, scheme=scheme) as (page, proxy, _):
        base, wrong = f"http://127.0.0.1:{proxy.port}/-/settings/all", list[str]()
        for name in names:
            await page.goto(f"{base}?section={name}")
            wrong += [f"{name}: {each}" for each in await violations(page)]
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{name}: wider than the screen")
        await page.goto(f"{base}?section=extraction")
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=SCREENSHOTS / f"change-{width}-{scheme}.png")
        await page.get_by_label("min_share").fill("0.5")
        await page.get_by_label("deadline").fill("soon")
        await page.click("text=Save >> nth=-1")
        wrong += [f"refused: {each}" for each in await violations(page)]
        await page.screenshot(path=SCREENSHOTS / f"change-refused-{width}-{scheme}.png")
        await page.goto(f"{base}?section=upstream")
        await page.locator("[id='upstream.proxy']").fill("http://127.0.0.1:3128")
        await page.locator("main button").click()
        await page.get_by_label("Code").wait_for()
        wrong += [f"code: {each}" for each in await violations(page)]
        await page.screenshot(path=SCREENSHOTS / f"change-code-{width}-{scheme}.png")
    assert wrong == [], "\n".join(wrong)


async def test_a_setting_is_changed_and_put_back_without_scripts(tmp_path: Path) -> None:
    async with opened(tmp_path, scripts=False) as (page, proxy, file):
        before = file.read_text()
        await page.click("text=Change settings of extraction")
        await page.get_by_label("min_words").fill("31")
        await page.locator("main button").click()
        await page.get_by_role("status").wait_for()
        assert "Saved. The change is in force." in await page.get_by_role("status").inner_text()
        assert proxy.loaded.settings.extraction.min_words == 31
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await page.locator("#changes").scroll_into_view_if_needed()
        await page.screenshot(path=SCREENSHOTS / "change-history.png")
        await page.click("text=Undo")
        await page.get_by_role("status").wait_for()
        assert file.read_text() == before


async def test_a_setting_is_changed_by_keys_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as (page, proxy, _):
        await page.get_by_role("link", name="Change settings of extraction").focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url(re.compile("section=extraction"))
        for _ in range(60):
            await page.keyboard.press("Tab")
            if await page.evaluate("document.activeElement.id") == "extraction.min_words":
                break
        await page.keyboard.type("31")
        async with page.expect_navigation(url=re.compile("saved=now")):
            await page.keyboard.press("Enter")
        assert proxy.loaded.settings.extraction.min_words == 31


async def test_no_page_of_settings_is_heavy(tmp_path: Path) -> None:
    async with opened(tmp_path) as (page, proxy, _):
        base = f"http://127.0.0.1:{proxy.port}/-/settings/all"
        for path in ("", *(f"?section={section.name}" for section in sections())):
            body = await (await page.request.get(base + path)).body()
            assert len(body) <= 30_000, path
