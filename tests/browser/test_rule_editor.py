"""A site rule is made in Chromium: by a page's options, tried, saved; without scripts too."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.features.rules.test_rule_editing import RULES, ruled
from winnow.config.site_rule_file import load_rules

SCREENS = [(1280, "dark", True), (360, "light", True), (360, "dark", False)]
"""Width, colours, and whether scripts run, which axe needs."""


@pytest.mark.parametrize(("width", "scheme", "scripts"), SCREENS)
async def test_a_rule_is_tried_and_saved(
    tmp_path: Path, width: int, scheme: str, scripts: bool
) -> None:
    objections: list[str] = []
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with ruled(tmp_path, RULES) as (proxy, file, origin), chromium() as browser:
        context = await browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=scripts,
        )
        page = await context.new_page()

        async def looked_at(name: str) -> None:
            if scripts:
                objections.extend(f"{name}: {each}" for each in await violations(page))
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                objections.append(f"{name}: wider than the screen")
            await page.screenshot(path=SCREENSHOTS / f"rule-{name}-{width}-{scheme}.png")

        base, story = f"http://127.0.0.1:{proxy.port}", origin.url("/page")
        await page.goto(f"{base}/-/options?url={quote(story, safe='')}")
        await page.get_by_role("link", name="This site").click()
        await page.click("text=New site rule")
        await page.get_by_label("Elements that are always kept").fill("ul.menu")
        await page.get_by_role("button", name="Try").click()
        assert await page.locator("#tried ins").inner_text()
        assert load_rules(file)[-1].site == "a.example"
        await looked_at("tried")
        await page.get_by_label("Elements that are always kept").fill("ul:hover")
        await page.get_by_role("button", name="Save").click()
        assert "is no selector" in await page.get_by_role("alert").inner_text()
        await looked_at("refused")
        await page.get_by_label("Elements that are always kept").fill("ul.menu")
        await page.get_by_role("button", name="Save").click()
        assert "in force" in await page.get_by_role("status").inner_text()
        await looked_at("list")
        assert load_rules(file)[-1].keep == ("ul.menu",)
        await page.click("text=Import")
        await looked_at("import")
        await page.goto(f"{base}/-/settings/rules/edit?rule=1")
        await page.get_by_role("button", name="Delete this rule").click()
        assert [rule.site for rule in load_rules(file)] == ["a.example"]
    assert objections == [], "\n".join(objections)
