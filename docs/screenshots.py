"""``make screenshots``: the pictures of README and docs, of a page written for this."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch
from urllib.parse import quote

from playwright.async_api import ViewportSize

from tests.browser.browsers import chromium
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, reply, serving
from winnow.compose.process.shares import SharedState
from winnow.compose.running import listening, running
from winnow.config.settings import Settings
from winnow.config.sources.settings_source import SettingsSource

HERE: Final = Path(__file__).parent
HOST: Final = "valley-courier.example"
PAGE: Final = f"http://{HOST}/page.html"
SIZE: Final[ViewportSize] = {"width": 1040, "height": 780}
OF_PUBLIC: Final = "winnow.features.why.why_frame.public_only"
"""The page's name is a public one, and leads to this machine here alone."""
LEVELS: Final = (1, 6, 12)
"""The stops of the slider that docs/crunch.md shows."""
_TO_THE_TOP: Final = "node => node.scrollIntoView()"
RULES: Final = Path("docs") / "courier-rules.toml"
"""As seen from the repository's folder: the page of rules shows the path."""
KINDS: Final = {".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml"}


def site(origin: Origin) -> None:
    """Put every file of the page's folder at its name."""
    for file in (HERE / "courier").iterdir():
        origin.replies[f"/{file.name}"] = reply(
            file.read_bytes(), f"Content-Type: {KINDS[file.suffix]}"
        )


def first_started(folder: Path) -> SettingsSource:
    """The settings of one who starts Winnow for the first time: an empty file in a folder."""
    file = folder / "winnow.toml"
    file.write_text(f'[server]\nport = 0\n\n[storage]\nfolder = "{folder}/data"\n')
    return SettingsSource(file)


async def shoot_tour(proxy: str, folder: Path) -> None:
    """Save the stops of docs/tour.md, as a reader comes by them."""
    address = quote(PAGE, safe="")
    async with chromium(proxy) as browser:
        tab = await browser.new_page(viewport={"width": 1040, "height": 640})
        tab.set_default_timeout(60_000)
        await tab.goto(f"{proxy}/", wait_until="networkidle")
        await tab.screenshot(path=folder / "tour-guide.png")
        await tab.get_by_role("heading", name="Read HTTPS pages too").evaluate(_TO_THE_TOP)
        await tab.screenshot(path=folder / "tour-https.png")
        await tab.goto(PAGE, wait_until="networkidle")
        await tab.locator("#winnow-bar summary[title='Text and colours']").click()
        await tab.screenshot(path=folder / "tour-bar.png")
        await tab.goto(f"{proxy}/-/save?url={address}")
        await tab.get_by_label("Tags").fill("mills")
        await tab.get_by_role("button", name="Read later").click()
        await tab.wait_for_url(f"{proxy}/-/saved/*")
        await tab.screenshot(path=folder / "tour-saved.png")


async def shoot(proxy: str, path: Path, **headers: str) -> None:
    """Save what a browser behind the proxy shows of the page."""
    async with chromium(proxy) as browser:
        tab = await browser.new_page(viewport=SIZE, extra_http_headers=headers)
        await tab.goto(PAGE, wait_until="networkidle")
        await tab.screenshot(path=path)


async def shoot_views(base: str, folder: Path) -> None:
    """Save what our own pages show of the page; ``base`` is the proxy's own address."""
    address = quote(PAGE, safe="")
    views: tuple[tuple[str, str, ViewportSize], ...] = (
        ("compare", f"/-/compare?url={address}", {"width": 1040, "height": 1240}),
        ("settings", "/-/settings/all", {"width": 1040, "height": 700}),
        ("reading", "/-/settings/reading", {"width": 720, "height": 560}),
        ("small", f"/-/small/{PAGE}", {"width": 240, "height": 320}),
        ("phone", f"/{PAGE}", {"width": 360, "height": 640}),
    )
    async with chromium() as browser:
        for name, path, size in views:
            tab = await browser.new_page(viewport=size)
            await tab.goto(base + path, wait_until="networkidle")
            await tab.screenshot(path=folder / f"{name}.png")


async def shoot_why(base: str, path: Path) -> None:
    """Point to a part that was left out, and save what its mark says."""
    address = quote(PAGE, safe="")
    async with chromium() as browser:
        tab = await browser.new_page(viewport={"width": 1040, "height": 900})
        await tab.goto(f"{base}/-/why?url={address}", wait_until="networkidle")
        await tab.frame_locator("iframe").locator("[data-winnow=gone]").nth(1).hover()
        await tab.screenshot(path=path)


async def shoot_rules(base: str, path: Path) -> None:
    """Press the button that tries the rules of sites, and save what comes."""
    async with chromium() as browser:
        tab = await browser.new_page(viewport={"width": 720, "height": 560})
        await tab.goto(f"{base}/-/settings/rules")
        async with tab.expect_event("load"):
            await tab.get_by_role("button", name="Run the tests").click()
        await tab.screenshot(path=path)


async def main() -> None:
    plain = Settings()
    settings = replace(plain, server=replace(plain.server, port=0))
    ruled = replace(settings, sites=replace(plain.sites, rules=RULES))
    async with serving(Origin()) as origin:
        site(origin)
        names = NamedOrigins({(HOST, 80): origin.port})
        async with running(open_names(settings), names) as winnow:
            proxy = f"http://127.0.0.1:{winnow.port}"
            await shoot(proxy, HERE / "images" / "before.png", **{"Winnow-Mode": "original"})
            await shoot(proxy, HERE / "images" / "after.png")
            for level in LEVELS:
                file = HERE / "images" / f"level-{level}.png"
                await shoot(proxy, file, **{"Winnow-Level": str(level)})
            await shoot_views(proxy, HERE / "images")
            with patch(OF_PUBLIC, lambda _host, _port: True):
                await shoot_why(proxy, HERE / "images" / "why.png")
        with TemporaryDirectory() as folder:
            source = first_started(Path(folder))
            loaded, shared = source.load(), SharedState(source=source)
            async with listening(
                open_names(loaded.settings), names, loaded.origins, shared
            ) as winnow:
                await winnow.begin(60)
                await shoot_tour(f"http://127.0.0.1:{winnow.port}", HERE / "images")
        async with running(open_names(ruled), names) as winnow:
            await shoot_rules(f"http://127.0.0.1:{winnow.port}", HERE / "images" / "rules.png")


if __name__ == "__main__":
    asyncio.run(main())
