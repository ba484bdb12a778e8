"""A language is chosen in Chromium; axe-core sees each in ``test_own_pages``."""

from __future__ import annotations

from tests.browser.test_views import visited


async def test_a_language_is_chosen_by_keyboard_and_without_script() -> None:
    async with visited(360, 640, "light") as (page, site, _origin):
        await page.goto(site)
        await page.get_by_role("link", name="Language").first.press("Enter")
        await page.get_by_role("button", name="العربية").press("Enter")
        await page.wait_for_url("**/-/settings/language")
        assert await page.locator("html").get_attribute("dir") == "rtl"
        await page.goto(site)
        heading = await page.locator("h1").bounding_box()
        first, last = [await page.locator("header nav a").nth(at).bounding_box() for at in (0, 1)]
        assert heading is not None
        assert first is not None
        assert last is not None
        assert first["x"] > last["x"] or first["y"] < last["y"]
