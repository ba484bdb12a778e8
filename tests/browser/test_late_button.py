"""A button that confirms is shown at once, but cannot be pressed in its first moment."""

from __future__ import annotations

from datetime import UTC, datetime

from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS, chromium
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.templates.choice_forms import ChoiceAction, ChoiceRequest
from winnow.proxy.own.templates.confirmation import confirmation_page

NEVER = ChoiceRequest(ChoiceAction.NEVER, "https://www.example.com/a")
AT_FIRST = "document.getAnimations().forEach(each => { each.pause(); each.currentTime = 0; })"
LATER = "document.getAnimations().forEach(each => each.finish())"
COUNT = "() => { window.sent = 0; onsubmit = event => { event.preventDefault(); sent++; } }"
BOXES = (
    "[...document.querySelectorAll('main *')].map(each => each.getBoundingClientRect().toJSON())"
)


async def pressed(tab: Page) -> int:
    """How many forms a click on the button's place and its keys have sent."""
    box = await tab.locator("button.late").bounding_box()
    assert box is not None
    await tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await tab.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    await tab.evaluate("document.querySelector('button.late').focus()")
    await tab.keyboard.press("Enter")
    return int(await tab.evaluate("sent"))


async def test_it_is_shown_dimmed_then_acts_in_the_same_place() -> None:
    page = confirmation_page(NEVER, FormTokens(), datetime.now(UTC), "192.168.1.5")
    async with chromium() as browser:
        tab = await browser.new_page()
        await tab.set_content(page.body.decode())
        await tab.evaluate(AT_FIRST)
        await tab.evaluate(COUNT)
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / "late-button.png")
        boxes = await tab.evaluate(BOXES)
        assert await tab.get_by_text("Leave unchanged").is_visible()
        assert await pressed(tab) == 0
        await tab.evaluate(LATER)
        assert await tab.evaluate(BOXES) == boxes
        assert await pressed(tab) == 3
