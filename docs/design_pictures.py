"""``python -m docs.design_pictures``: every own page in four themes at three widths, as pictures.

They stand in build/design afterwards, PAGE-THEME-WIDTH.png, beside those of all components
(docs/components.html). Prints what axe-core objects to, and ends with 1 where it does.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote

from playwright.async_api import Browser, Page

from docs.screenshots import HERE, HOST, PAGE, site
from tests.browser.browsers import chromium
from tests.browser.test_accessibility import violations
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, serving
from winnow.compose.running import running
from winnow.config.appearance import AS_DELIVERED, Theme
from winnow.config.settings import Settings
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.templates.base_page import LOOKS, READING, page_of
from winnow.proxy.own.templates.in_page.appearance_style import word_of
from winnow.proxy.own.view_choices import COOKIE

FOLDER: Final = HERE.parent / "build" / "design"
WIDTHS: Final = (1280, 768, 360)
THEMES: Final = (Theme.LIGHT, Theme.DARK, Theme.SEPIA, Theme.CONTRAST)
_ADDRESS: Final = quote(PAGE, safe="")
PATHS: Final[Mapping[str, str]] = {
    "front": "/",
    "reader": f"/{PAGE}",
    "saved": "/-/saved",
    "saved-page": "/-/saved/1",
    "listen": f"/-/listen?url={_ADDRESS}",
    "compare": f"/-/compare?url={_ADDRESS}",
    "why": f"/-/why?url={_ADDRESS}",
    "options": f"/-/options?url={_ADDRESS}",
    "activity": "/-/activity",
    "settings": "/-/settings",
    "all-settings": "/-/settings/all",
    "site": f"/-/settings/site?site={HOST}",
    "setup": "/-/setup",
    "status": "/-/status",
    "error": "/http://127.0.0.1:1/nobody",
    "words": "/-/read?url=harbour+news",
}
"""The own pages, by the name of their pictures."""


def components(theme: Theme) -> str:
    """All components in a theme, as a page of its own."""
    token = LOOKS.set(replace(AS_DELIVERED, theme=theme))
    try:
        return page_of(page_template("docs", "components.html"), style=READING).body.decode()
    finally:
        LOOKS.reset(token)


async def shown(browser: Browser, base: str) -> list[str]:
    """Draw every page; the objections of axe-core, each with its picture's name."""
    found: list[str] = []
    for theme in THEMES:
        context = await browser.new_context(bypass_csp=True)
        word = word_of(replace(AS_DELIVERED, theme=theme))
        await context.add_cookies([{"name": COOKIE, "value": word, "url": base}])
        tab = await context.new_page()
        for width in WIDTHS:
            await tab.set_viewport_size({"width": width, "height": 800})
            for name, path in PATHS.items():
                await tab.goto(base + path, wait_until="load", timeout=120_000)
                found += await drawn(tab, f"{name}-{theme}-{width}")
            await tab.set_content(components(theme))
            found += await drawn(tab, f"components-{theme}-{width}")
        await context.close()
    return found


async def drawn(tab: Page, name: str) -> list[str]:
    await tab.screenshot(path=FOLDER / f"{name}.png", full_page=True)
    too_wide = "document.documentElement.scrollWidth > innerWidth"
    wide = [f"{name}: wider than its window"] if await tab.evaluate(too_wide) else []
    return wide + [f"{name}: {each[:300]}" for each in await violations(tab)]


async def save(browser: Browser, base: str) -> None:
    """Save the page, so that there is one to be shown."""
    tab = await browser.new_page()
    await tab.goto(f"{base}/-/save?url={_ADDRESS}")
    async with tab.expect_navigation(timeout=120_000):
        await tab.get_by_role("button", name="Read later").click()


async def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        origin = await stack.enter_async_context(serving(Origin()))
        site(origin)
        folder = Path(stack.enter_context(TemporaryDirectory()))
        plain = Settings()
        settings = replace(
            plain,
            server=replace(plain.server, port=0),
            storage=replace(plain.storage, folder=folder),
        )
        names = NamedOrigins({(HOST, 80): origin.port})
        winnow = await stack.enter_async_context(running(open_names(settings), names))
        browser = await stack.enter_async_context(chromium())
        base = f"http://127.0.0.1:{winnow.port}"
        await save(browser, base)
        found = await shown(browser, base)
    sys.stdout.write("".join(f"{line}\n" for line in found))
    views = len(THEMES) * len(WIDTHS) * (len(PATHS) + 1)
    sys.stdout.write(f"{views} views in {FOLDER.name}, {len(found)} objections\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
