"""Compare, why, settings and small-screen pages in Chromium: axe-core, keyboard, narrow screens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import quote

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.pages import golden
from tests.proxy.origins import Origin, html, serving
from winnow.compose.running import running
from winnow.config.settings import Settings

GOLDEN = ("news-article", "arabic", "nineties")
SCREENS = [(1280, 800, "dark"), (360, 640, "light"), (240, 320, "light")]


@asynccontextmanager
async def visited(width: int, height: int, scheme: str) -> AsyncIterator[tuple[Page, str, Origin]]:
    """A tab, our own address, and an origin with golden pages."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(plain.extraction, processes=1, deadline=60.0),
    )
    async with (
        serving(Origin()) as origin,
        running(settings) as proxy,
        chromium() as browser,
    ):
        for name in GOLDEN:
            origin.replies[f"/{name}"] = html((golden.FOLDER / name / "source.html").read_bytes())
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        yield await context.new_page(), f"http://127.0.0.1:{proxy.port}", origin


def paths(origin: Origin) -> dict[str, str]:
    """What is looked at, by the name of its screenshot."""
    found = {
        "front": "/",
        "compare-form": "/-/compare",
        "settings": "/-/settings",
        "activity": "/-/activity",
        "settings-all": "/-/settings/all",
        "settings-kept": "/-/settings/saved",
        "settings-sites": "/-/settings/sites",
        "settings-rules": "/-/settings/rules",
        "settings-crunch": "/-/settings/crunch?level=5&site=example.com",
        "why-form": "/-/why",
        "options": "/-/options?url=http://a.example/story",
        "show": "/-/show",
        "extensions": "/-/extensions",
        "book-form": "/-/book",
        "settings-reading": "/-/settings/reading?back=http://a.example/",
        "saved": "/-/saved",
        "saved-export": "/-/saved/export",
        "saved-import": "/-/saved/import",
        "opml": "/-/opml",
        "print": f"/-/print?url={quote(origin.url(f'/{GOLDEN[0]}'), safe='')}",
        "save-form": "/-/save?url=http://a.example/story",
        "small-home": "/-/small/",
        "small-error": "/-/small/nowhere",
        "why-error": "/-/why?url=http://127.0.0.1:1/",
    }
    for name in GOLDEN:
        url = origin.url(f"/{name}")
        found[f"compare-{name}"] = f"/-/compare?url={quote(url, safe='')}"
        found[f"why-{name}"] = f"/-/why?url={quote(url, safe='')}"
        found[f"why-list-{name}"] = f"/-/why?url={quote(url, safe='')}&view=list"
        found[f"small-{name}"] = f"/-/small/{url}"
    return found


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
async def test_axe_objects_to_none_of_our_pages(width: int, height: int, scheme: str) -> None:
    objections: dict[str, list[str]] = {}
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with visited(width, height, scheme) as (page, base, origin):
        await page.request.get(f"{base}/-/ca.crt")  # the settings then tell of an authority
        for name, path in paths(origin).items():
            await page.goto(base + path, wait_until="domcontentloaded")
            if found := await violations(page):
                objections[name] = found
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                objections.setdefault(name, []).append("wider than the screen")
            await page.screenshot(path=SCREENSHOTS / f"view-{name}-{width}.png")
    assert objections == {}, "\n".join(
        f"{name}: {line}" for name, found in objections.items() for line in found
    )


async def test_a_block_is_kept_by_keyboard_alone() -> None:
    async with visited(360, 640, "light") as (page, base, origin):
        url = quote(origin.url("/news-article"), safe="")
        await page.goto(f"{base}/-/why?url={url}&view=list")
        before = await page.locator(".gone, .part").count()
        assert before
        await page.locator(".gone summary, .part summary").first.focus()
        await page.keyboard.press("Shift+Tab")
        focused = await page.evaluate("document.activeElement.textContent")
        assert focused == "Keep this block on this site"
        async with page.expect_event("domcontentloaded"):
            await page.keyboard.press("Enter")
        assert page.url == f"{base}/-/why?url={url}"
        await page.goto(f"{base}/-/why?url={url}&view=list")
        assert await page.locator(".gone, .part").count() < before
