"""What a small display shows of a page (Gupta's constrained device test; Gottron, section 6).

Pages run no scripts and fetch nothing here, so what a style sheet would hide or shrink is not
accounted for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from winnow.evaluation.errors import SubjectError
from winnow.evaluation.measuring.measures import content_bounds
from winnow.evaluation.measuring.words import words

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab
    from playwright.async_api import Route

WIDTH, HEIGHT = 360, 640
_ADDRESS = "http://page.invalid/"
_TEXTS = """() => {
  const screen = window.visualViewport.height * window.visualViewport.scale;
  const texts = [];
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = [...range.getClientRects()].find((found) => found.width && found.height);
    if (box && walker.currentNode.data.trim())
      texts.push([walker.currentNode.data, box.top + window.scrollY]);
  }
  return {screen, height: document.documentElement.scrollHeight, texts};
}"""


@dataclass(frozen=True, slots=True)
class Display:
    """A page on a small display: words in all, words of the first screen, screens to scroll.

    ``before``: how many screens stand above the first run of gold's words, None without one.
    """

    words: int
    first: int
    screens: float
    before: float | None


@asynccontextmanager
async def small_display(program: str | None = None) -> AsyncIterator[Tab]:
    """A tab of a headless Chromium held as a phone; ``SubjectError`` where there is none."""
    try:
        from playwright.async_api import Error, async_playwright  # noqa: PLC0415 - an optional tool
    except ImportError:
        raise SubjectError("Displays are measured in Chromium: pip install playwright.") from None
    async with async_playwright() as playwright:
        arguments = ["--no-sandbox"]  # no page runs or fetches anything here
        try:
            browser = await playwright.chromium.launch(executable_path=program, args=arguments)
        except Error as error:
            raise SubjectError(f"Chromium did not start: {str(error).splitlines()[0]}") from None
        context = await browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, is_mobile=True, java_script_enabled=False
        )
        yield await context.new_page()
        await browser.close()


async def displayed(tab: Tab, body: bytes, gold: str, charset: str | None = None) -> Display:
    """Lay out one page and count."""

    async def answer(route: Route) -> None:
        if route.request.url != _ADDRESS:
            await route.abort()
            return
        kind = f"text/html; charset={charset}" if charset else "text/html"
        await route.fulfill(body=body, content_type=kind)

    await tab.route("**/*", answer)
    await tab.goto(_ADDRESS, wait_until="domcontentloaded")
    found: dict[str, Any] = await tab.evaluate(_TEXTS)
    await tab.unroute("**/*")
    return counted(found["texts"], gold, found["height"], found["screen"])


def counted(texts: Sequence[tuple[str, float]], gold: str, height: float, screen: float) -> Display:
    """The display of texts with their tops, of a page and a screen of so many pixels."""
    seen = [(word, top) for text, top in texts for word in words(text)]
    bounds = content_bounds([word for word, _ in seen], words(gold))
    return Display(
        words=len(seen),
        first=sum(top < screen for _, top in seen),
        screens=height / screen,
        before=max(seen[bounds[0]][1], 0.0) / screen if bounds else None,
    )
