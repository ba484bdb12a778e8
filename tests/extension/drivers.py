"""A browser with the extension: one tab for pages, and the button's window in another tab."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from playwright.async_api import Error, Page, async_playwright

from tests.browser.browsers import START
from tests.extension.firefox import Marionette, MarionetteError, firefox
from tests.programs import require_program

EXTENSION: Final = Path(__file__).parents[2] / "extension"
UUID: Final = "0d5f1b9e-1f4e-4d6c-9c1e-000000000001"
PATIENCE: Final = 60.0
_TAB_ID: Final = (
    'return ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs")'
    ".ExtensionParent.apiManager.global.tabTracker.getId(gBrowser.tabs[0])"
)


class Driver(Protocol):
    """``origin``: the extension's."""

    origin: str

    async def open(self, url: str) -> bool:
        """Lead the tab there; whether a page came."""
        ...

    async def page(self, expression: str) -> Any:
        """A value of the tab's page."""
        ...

    async def article(self) -> str:
        """The text of the frame in the tab's page."""
        ...

    async def show_popup(self) -> None:
        """Open the button's window anew, for the tab."""
        ...

    async def popup(self, expression: str) -> Any:
        """A value of the button's window."""
        ...

    async def picture(self, name: Path) -> None:
        """A screenshot of the button's window."""
        ...


async def until(look: Any, expression: str) -> None:
    """Wait until an expression is true; raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while not await look(f"Boolean({expression})"):  # noqa: ASYNC110 - in another process
            await asyncio.sleep(0.05)


async def article_with(browser: Driver, sentence: str) -> str:
    """The text of the tab's article, once it holds a sentence: a frame gets its document after
    the page around it; raises TimeoutError."""
    text = ""
    async with asyncio.timeout(PATIENCE):
        while sentence not in text:
            await asyncio.sleep(0.05)
            text = await browser.article()
    return text


@dataclass
class ChromiumDriver:
    tab: Page
    window: Page
    origin: str

    async def open(self, url: str) -> bool:
        try:
            await self.tab.goto(url, wait_until="load")
        except Error:
            return False
        return True

    async def page(self, expression: str) -> Any:
        try:
            return await self.tab.evaluate(expression)
        except Error as error:
            if "context was destroyed" in str(error):  # the tab is on its way to another page
                return None
            raise

    async def article(self) -> str:
        return await self.tab.frames[1].inner_text("body")

    async def show_popup(self) -> None:
        script = "chrome.tabs.query({}).then(all => all.find(each => each.index === 0).id)"
        await self.window.goto(f"{self.origin}/popup.html")
        number = await self.window.evaluate(script)
        await self.window.goto(f"{self.origin}/popup.html?tab={number}")
        await until(self.popup, "document.body.dataset.ready")

    async def popup(self, expression: str) -> Any:
        return await self.window.evaluate(expression)

    async def picture(self, name: Path) -> None:
        await self.window.set_viewport_size({"width": 320, "height": 420})
        await self.window.screenshot(path=name)


@dataclass
class FirefoxDriver:
    session: Marionette
    tab: str
    window: str
    origin: str

    async def _in(self, handle: str) -> Marionette:
        await self.session("WebDriver:SwitchToWindow", handle=handle, focus=False)
        return self.session

    async def open(self, url: str) -> bool:
        session = await self._in(self.tab)
        try:
            await session("WebDriver:Navigate", url=url)
        except MarionetteError:
            return False
        return True

    async def page(self, expression: str) -> Any:
        return await (await self._in(self.tab)).run(f"return {expression}")

    async def article(self) -> str:
        session = await self._in(self.tab)
        await session("WebDriver:SwitchToFrame", id=0)
        body = await session("WebDriver:FindElement", using="css selector", value="body")
        text = await session("WebDriver:GetElementText", id=next(iter(body.values())))
        await session("WebDriver:SwitchToParentFrame")
        return str(text)

    async def show_popup(self) -> None:
        session = await self._in(self.window)
        number = await session.run(_TAB_ID, chrome=True)
        await session("WebDriver:Navigate", url=f"{self.origin}/popup.html?tab={number}")
        await until(self.popup, "document.body.dataset.ready")

    async def popup(self, expression: str) -> Any:
        return await (await self._in(self.window)).run(f"return {expression}")

    async def picture(self, name: Path) -> None:
        raise NotImplementedError


@asynccontextmanager
async def chromium_driver(folder: Path) -> AsyncIterator[Driver]:
    flags = [
        f"--load-extension={EXTENSION}",
        f"--disable-extensions-except={EXTENSION}",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder,
            executable_path=require_program("chromium"),
            args=flags,
            ignore_default_args=["--disable-extensions"],
            timeout=START,
        )
        try:
            workers = context.service_workers
            worker = workers[0] if workers else await context.wait_for_event("serviceworker")
            tab, window = context.pages[0], await context.new_page()
            yield ChromiumDriver(tab, window, worker.url.rpartition("/")[0])
        finally:
            await context.close()


@asynccontextmanager
async def firefox_driver(folder: Path) -> AsyncIterator[Driver]:
    uuids = json.dumps({"extension@winnow.internal": UUID})
    async with firefox(folder, extensions_webextensions_uuids=uuids) as session:
        installed = {"temporary": True, "allowPrivateBrowsing": True}
        await session("Addon:Install", path=str(EXTENSION), **installed)
        tab = str(await session("WebDriver:GetWindowHandle"))
        window = await session("WebDriver:NewWindow", type="tab", focus=False)
        yield FirefoxDriver(session, tab, str(window["handle"]), f"moz-extension://{UUID}")


DRIVERS: Final = {"chromium": chromium_driver, "firefox-esr": firefox_driver}
