"""``python -m docs.design_pictures``: every own page in two browsers, four themes and three widths.

They stand in build/design afterwards as PAGE-THEME-WIDTH.png (Firefox's with -firefox at the end),
beside those of all components (docs/components.html). Prints what axe-core objects to, and ends
with 1 where it does.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64decode
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol
from urllib.parse import quote

from playwright.async_api import Browser, Page

from docs.screenshots import HERE, HOST, PAGE, site
from tests.browser.browsers import chromium
from tests.browser.test_accessibility import AXE, AXE_RUN, objections
from tests.extension.firefox import Marionette, firefox
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
    token = LOOKS.set(lambda: replace(AS_DELIVERED, theme=theme))
    try:
        return page_of(page_template("docs", "components.html"), style=READING).body.decode()
    finally:
        LOOKS.reset(token)


class Window(Protocol):
    """A browser's window, in which one page after the other is shown."""

    name: str

    async def choose(self, word: str) -> None:
        """Show own pages in these colours from now on."""
        ...

    async def open(self, url: str, width: int) -> None: ...

    async def picture(self) -> bytes:
        """The whole page as PNG."""
        ...

    async def value(self, script: str, expression: str = "") -> Any:
        """The value of an expression, after a script."""
        ...


@dataclass
class ChromiumWindow:
    tab: Page
    base: str
    name: str = ""

    async def choose(self, word: str) -> None:
        await self.tab.context.add_cookies([{"name": COOKIE, "value": word, "url": self.base}])

    async def open(self, url: str, width: int) -> None:
        await self.tab.set_viewport_size({"width": width, "height": 800})
        await self.tab.goto(url, wait_until="load", timeout=120_000)

    async def picture(self) -> bytes:
        return await self.tab.screenshot(full_page=True)

    async def value(self, script: str, expression: str = "") -> Any:
        return await self.tab.evaluate(f"{script}\n{expression}")


@dataclass
class FirefoxWindow:
    session: Marionette
    base: str
    name: str = "-firefox"

    async def choose(self, word: str) -> None:
        await self.session("WebDriver:Navigate", url=f"{self.base}/-/status")
        await self.session("WebDriver:AddCookie", cookie={"name": COOKIE, "value": word})

    async def open(self, url: str, width: int) -> None:
        """A window of Firefox is never narrower than 450 pixels: its page is."""
        narrow = f"gBrowser.selectedBrowser.style.maxWidth = '{width}px'"
        await self.session.run(narrow, chrome=True)
        await self.session("WebDriver:Navigate", url=url)

    async def picture(self) -> bytes:
        taken = await self.session("WebDriver:TakeScreenshot", full=True, hash=False)
        return b64decode(taken)

    async def value(self, script: str, expression: str = "") -> Any:
        return await self.session.run(f"{script}\nreturn {expression}")


async def shown(window: Window, base: str) -> list[str]:
    """Draw every page; the objections of axe-core, each with its picture's name."""
    found: list[str] = []
    for theme in THEMES:
        await window.choose(word_of(replace(AS_DELIVERED, theme=theme)))
        written = FOLDER / f"components-{theme}.html"
        written.write_text(components(theme))
        addresses = {name: base + path for name, path in PATHS.items()}
        for width, (name, url) in product(
            WIDTHS, [*addresses.items(), ("components", written.as_uri())]
        ):
            await window.open(url, width)
            found += await drawn(window, f"{name}-{theme}-{width}{window.name}")
    return found


async def drawn(window: Window, name: str) -> list[str]:
    (FOLDER / f"{name}.png").write_bytes(await window.picture())
    too_wide = "document.documentElement.scrollWidth > innerWidth"
    wide = [f"{name}: wider than its window"] if await window.value("", too_wide) else []
    found = objections(await window.value(AXE, AXE_RUN))
    return wide + [f"{name}: {each[:300]}" for each in found]


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
        context = await browser.new_context(bypass_csp=True)
        found = await shown(ChromiumWindow(await context.new_page(), base), base)
        session = await stack.enter_async_context(firefox(folder / "home"))
        found += await shown(FirefoxWindow(session, base), base)
    sys.stdout.write("".join(f"{line}\n" for line in found))
    views = 2 * len(THEMES) * len(WIDTHS) * (len(PATHS) + 1)
    sys.stdout.write(f"{views} views in {FOLDER.name}, {len(found)} objections\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
