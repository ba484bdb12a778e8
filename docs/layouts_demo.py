"""Twelve stories of one site read through Winnow: the first with its boxes, the last without.

Prints what happened and saves pictures of the first page, of the last, and of why; ``python -m
docs.layouts_demo`` runs it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote

from playwright.async_api import Browser, ViewportSize

from docs.harbour import BOATS, BOXES, HOST, path, story
from tests.browser.browsers import chromium
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from winnow.compose.running import Running, running
from winnow.config.settings import Settings

IMAGES: Final = Path(__file__).parent / "images"
SIZE: Final[ViewportSize] = {"width": 900, "height": 1000}
STATIC: Final = "Static on this site"


@asynccontextmanager
async def reading(folder: Path, *, on_disk: bool = False) -> AsyncIterator[Running]:
    """A Winnow with the settings as delivered, and the newspaper behind it."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=folder),
        extraction=replace(plain.extraction, processes=1),
        learning=replace(plain.learning, on_disk=on_disk),
    )
    async with serving(Origin()) as origin:
        for number in range(len(BOATS)):
            origin.replies[path(number)] = html(story(number).encode())
        names = NamedOrigins({(HOST, 80): origin.port})
        async with running(open_names(settings), names) as proxy:
            yield proxy


async def read(browser: Browser, number: int, picture: Path | None = None) -> str:
    """What the browser shows of a story; ``picture`` is where that is saved."""
    tab = await browser.new_page(viewport=SIZE)
    await tab.goto(f"http://{HOST}{path(number)}", wait_until="networkidle")
    if picture:
        await tab.screenshot(path=picture)
    shown = await tab.inner_text("body")
    await tab.close()
    return shown


async def ask_why(browser: Browser, base: str, number: int, picture: Path) -> str:
    """What the "why" page says of a story."""
    tab = await browser.new_page(viewport=SIZE)
    page = quote(f"http://{HOST}{path(number)}", safe="")
    await tab.goto(f"{base}/-/why?url={page}&view=list", wait_until="networkidle")
    await tab.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
    first = tab.get_by_text(STATIC).first
    await first.scroll_into_view_if_needed()
    await tab.screenshot(path=picture)
    content = await tab.content()
    await tab.close()
    return content


def boxes(shown: str) -> int:
    """How many of the boxes a page shows."""
    return sum(box in shown for box in BOXES)


async def main() -> int:
    last = len(BOATS) - 1
    with TemporaryDirectory() as folder:
        async with reading(Path(folder)) as proxy:
            base = f"http://127.0.0.1:{proxy.port}"
            async with chromium(base) as browser:
                for number in range(len(BOATS)):
                    name = {0: "layout-first.png", last: "layout-twelfth.png"}.get(number)
                    shown = await read(browser, number, IMAGES / name if name else None)
                    sys.stdout.write(f"page {number + 1:2}: {boxes(shown)} of 2 boxes kept\n")
            async with chromium() as browser:
                content = await ask_why(browser, base, last, IMAGES / "layout-why.png")
    sys.stdout.write(f"why says {STATIC!r}: {content.count(STATIC)} times\n")
    return 0 if STATIC in content else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
