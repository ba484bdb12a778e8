"""Chromium runs nothing of any payload, in any format and profile that it shows.

The pages' own policy against scripts is taken out, so that only what is written in them counts.
"""

from __future__ import annotations

import pytest
from playwright.async_api import Dialog, Page

from tests.browser.browsers import chromium
from tests.payloads import PAYLOADS
from winnow.document.document import Document
from winnow.document.render.reader.style import NO_SCRIPT
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Extraction, Format, Profile, Recipe, Span

RECIPES = [
    Recipe(format=Format.HTML),
    Recipe(format=Format.HTML, profile=Profile.VOICE),
    Recipe(format=Format.HTML, profile=Profile.BASIC),
    Recipe(format=Format.PRUNED),
]
POKE = """() => {
    for (const element of document.querySelectorAll("body *")) {
        element.dispatchEvent(new Event("mouseover")); element.dispatchEvent(new Event("error"));
        if (/^(javascript|vbscript|data):/i.test(element.href || "")) element.click();
    }
}"""
"""Touches everything, as a person would who moves the mouse and follows odd links."""


def without_policy(markup: str) -> str:
    """A page as it would be if nothing but its own markup protected it."""
    return markup.replace(NO_SCRIPT, "img-src *")


def shown(payload: str, recipe: Recipe) -> str:
    """A payload amid harmless text, rendered."""
    source = f"<title>Rain</title><p>Before.</p>{payload}<p>After.</p>"
    document = Document.from_html(source, "https://example.org/a.html")
    spans = (Span(0, len(document.text)),)
    extraction = Extraction("whole", spans, edited=recipe.format is Format.PRUNED)
    return renderer_for(recipe).render(document, extraction).body.decode()


async def alerts(page: Page, markup: str) -> list[str]:
    """What a page says in dialogs while it loads and is touched."""
    found: list[str] = []

    async def hear(dialog: Dialog) -> None:
        found.append(dialog.message)
        await dialog.dismiss()

    page.on("dialog", hear)
    await page.set_content(markup, wait_until="domcontentloaded", timeout=120_000)
    await page.evaluate(POKE)
    page.remove_listener("dialog", hear)
    return found


async def test_a_payload_that_is_not_cleaned_is_heard() -> None:
    async with chromium() as browser:
        page = await browser.new_page()
        assert await alerts(page, "<p>a</p><script>alert(1)</script>") == ["1"]
        assert await alerts(page, "<b onmouseover=alert(2)>b</b>") == ["2"]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: f"{recipe.format}-{recipe.profile}")
async def test_chromium_runs_no_payload(recipe: Recipe) -> None:
    ran: dict[str, list[str]] = {}
    async with chromium() as browser:
        context = await browser.new_context()
        await context.route("**/*", lambda route: route.abort())
        page = await context.new_page()
        for payload in (payload for payloads in PAYLOADS.values() for payload in payloads):
            if found := await alerts(page, without_policy(shown(payload, recipe))):
                ran[payload] = found
    assert ran == {}
