"""Annotation in Chromium: axe, keyboard, clicks, names told to screen readers, and no script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.pages import golden
from tests.proxy.origins import Origin, html, serving
from tests.sweeps import rest_in_release
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.feature_settings import AnnotationSettings
from winnow.config.settings import Settings
from winnow.evaluation.gold.labels import gold_by_label
from winnow.evaluation.gold.packages import load

CHOSEN = "document.querySelector('[name={}]:checked').value"


@asynccontextmanager
async def annotating(
    folder: Path, width: int = 1280, scheme: str = "light", script: bool = True
) -> AsyncIterator[Page]:
    """The form for a golden page."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="dsc"),
        annotation=AnnotationSettings(folder / "marked"),
    )
    async with serving(Origin()) as origin, running(settings) as proxy, chromium() as browser:
        source = (golden.FOLDER / "news-article" / "source.html").read_bytes()
        origin.replies["/page"] = html(source)
        context = await browser.new_context(
            viewport={"width": width, "height": 640},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=script,
        )
        page = await context.new_page()
        url = quote(origin.url("/page"), safe="")
        await page.goto(f"http://127.0.0.1:{proxy.port}/-/annotate?url={url}&marks=none")
        yield page


async def keep(page: Page) -> None:
    async with page.expect_navigation():
        await page.get_by_role("button", name="Save").click()
    assert await page.get_by_role("status").count() == 1


@pytest.mark.parametrize(
    "screen", rest_in_release([(1280, "dark"), (360, "light"), (240, "light")], [(360, "light")])
)
async def test_axe_objects_to_nothing(tmp_path: Path, screen: tuple[int, str]) -> None:
    width, scheme = screen
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with annotating(tmp_path, width, scheme) as page:
        for number, label in enumerate(("title", "heading", "body"), start=2):
            await page.locator(f"[name=b{number}][value={label}]").check()
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
        await page.screenshot(path=SCREENSHOTS / f"annotate-{width}.png")
        await keep(page)
        assert await violations(page) == []


async def test_blocks_are_marked_by_keys_alone(tmp_path: Path) -> None:
    async with annotating(tmp_path) as page:
        await page.locator("[name=b0]:checked").focus()
        for key in ("j", "t", "j", "h", "j", "j", "j", "Shift+B", "k", "n"):
            await page.keyboard.press(key)
        chosen = [await page.evaluate(CHOSEN.format(f"b{number}")) for number in range(7)]
        assert chosen == ["none", "title", "body", "body", "none", "body", "none"]
        assert await page.evaluate("document.activeElement.name") == "b4"
        await page.keyboard.press("ArrowDown")
        assert await page.evaluate(CHOSEN.format("b4")) == "title", "as radio buttons do"


async def test_a_click_marks_a_text_and_another_takes_the_mark_away(tmp_path: Path) -> None:
    async with annotating(tmp_path) as page:
        text = page.locator("#t3")
        await text.click()
        assert await page.evaluate(CHOSEN.format("b3")) in {"body", "heading"}
        await text.click()
        assert await page.evaluate(CHOSEN.format("b3")) == "none"
        await page.locator("[name=b3][value=body]").check()
        await page.locator("#t5").click(modifiers=["Shift"])
        assert [await page.evaluate(CHOSEN.format(f"b{n}")) for n in (3, 4, 5)] == ["body"] * 3


async def test_a_screen_reader_is_told_names_and_states(tmp_path: Path) -> None:
    async with annotating(tmp_path) as page:
        group = page.get_by_role("group", name="Block 2 of ")
        radio = group.first.get_by_role("radio", name="heading")
        assert not await radio.is_checked()
        told = await radio.evaluate(
            "node => document.getElementById(node.getAttribute('aria-describedby')).textContent"
        )
        assert told
        await radio.focus()
        await page.keyboard.press("h")
        assert await radio.is_checked()
        said = await page.get_by_role("status").text_content()
        assert said
        assert said.startswith("Block 2: heading. 1 of ")


async def test_without_script_the_form_alone_does_it(tmp_path: Path) -> None:
    async with annotating(tmp_path, script=False) as page:
        text = await page.locator("#t2").text_content()
        await page.locator("[name=b2][value=heading]").check()
        await page.locator("[name=annotator]").fill("anna")
        await keep(page)
    (entry,) = load(tmp_path / "marked" / "anna")
    assert gold_by_label(entry)["heading"] == text == entry.gold
