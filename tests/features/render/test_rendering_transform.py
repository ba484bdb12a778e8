"""A browser draws a page where that was asked for, by whom it may be, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.proxy.proxies import FakeTransform
from winnow.document.values import Format, Page, Recipe, RenderMode
from winnow.features.render.drawn_page import DrawnPage
from winnow.features.render.rendering_transform import RenderingTransform
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.http.proxy_errors import TransformError

SHELL = Page(b"<div id=root></div>", "https://a.test/")


class Browser:
    """Counts what it draws."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.goes_on = False

    async def __call__(self, url: str, _ads: str) -> DrawnPage:
        self.drawn.append(url)
        return DrawnPage(Page(b"<p>Drawn.</p>", url), self.goes_on)


class EmptyWithout(FakeTransform):
    """Fails as a page does that scripts write, until it is drawn."""

    async def __call__(self, page: Page, recipe: Recipe):  # type: ignore[no-untyped-def]  # as its base
        self.failure = "" if b"Drawn" in page.body else "script-shell"
        return await super().__call__(page, recipe)


class InMain(FakeTransform):
    """Gives a page with a main landmark."""

    async def __call__(self, page: Page, recipe: Recipe):  # type: ignore[no-untyped-def]  # as its base
        rendered = await super().__call__(page, recipe)
        return replace(rendered, body=b"<main><p>Drawn.</main>")


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    before = REQUESTER.set(Requester())
    yield
    REQUESTER.reset(before)


def recipe(render: RenderMode, *, live: bool = False) -> Recipe:
    return Recipe(format=Format.TEXT, render=render, live=live)


async def test_always_draws_and_says_so(browser: Browser) -> None:
    plain = FakeTransform()
    rendered = await RenderingTransform(plain, browser)(SHELL, recipe(RenderMode.ALWAYS))
    assert browser.drawn == ["https://a.test/"]
    assert plain.pages[0].body == b"<p>Drawn.</p>"
    assert rendered.reasons[0].startswith("rendered:")
    assert not rendered.by_page_alone


async def test_when_empty_draws_what_is_empty_alone(browser: Browser) -> None:
    wanted = recipe(RenderMode.WHEN_EMPTY)
    await RenderingTransform(FakeTransform(), browser)(SHELL, wanted)
    assert browser.drawn == []
    await RenderingTransform(EmptyWithout(), browser)(SHELL, wanted)
    assert browser.drawn == ["https://a.test/"]


async def test_another_failure_is_none_that_a_browser_mends(browser: Browser) -> None:
    failing = RenderingTransform(FakeTransform(failure="deadline"), browser)
    with pytest.raises(TransformError):
        await failing(SHELL, recipe(RenderMode.WHEN_EMPTY))
    assert browser.drawn == []


@pytest.mark.parametrize("mode", [RenderMode.ALWAYS, RenderMode.WHEN_EMPTY])
async def test_a_page_for_a_browser_or_sent_by_another_site_is_not_drawn(
    browser: Browser, mode: RenderMode
) -> None:
    with pytest.raises(TransformError):
        await RenderingTransform(EmptyWithout(), browser)(SHELL, recipe(mode, live=True))
    REQUESTER.set(Requester(is_sent=True))
    with pytest.raises(TransformError):
        await RenderingTransform(EmptyWithout(), browser)(SHELL, recipe(mode))
    assert browser.drawn == []
    plain = FakeTransform()
    await RenderingTransform(plain, browser)(SHELL, recipe(mode))
    assert plain.recipes == [recipe(RenderMode.NO)]  # nor are its style sheets fetched


async def test_nothing_is_drawn_unless_asked_for_nor_without_an_address(browser: Browser) -> None:
    await RenderingTransform(FakeTransform(), browser)(SHELL, recipe(RenderMode.NO))
    await RenderingTransform(FakeTransform(), browser)(Page(b"<p>"), recipe(RenderMode.ALWAYS))
    assert browser.drawn == []


async def test_drawn_pages_have_keys_of_their_own(browser: Browser) -> None:
    transform = RenderingTransform(FakeTransform(), browser)
    keys = {await transform.fingerprint(recipe(mode)) for mode in RenderMode}
    assert len(keys) == len(RenderMode)


async def test_another_form_of_the_page_goes_before_the_browser(browser: Browser) -> None:
    asked: list[str | None] = []

    async def alternate(page: Page) -> tuple[Page, str]:
        asked.append(page.url)
        return Page(b"<p>Drawn by AMP.", "https://a.test/amp"), "AMP"

    transform = RenderingTransform(EmptyWithout(), browser, alternate)
    rendered = await transform(SHELL, recipe(RenderMode.WHEN_EMPTY))
    assert (asked, browser.drawn) == ([SHELL.url], [])
    assert rendered.reasons[0].endswith("AMP form (https://a.test/amp)")
    await transform(SHELL, recipe(RenderMode.ALWAYS))
    assert browser.drawn == [SHELL.url]


async def test_a_form_without_a_text_is_passed_over(browser: Browser) -> None:
    async def alternate(_page: Page) -> tuple[Page, str]:
        return SHELL, "print"

    transform = RenderingTransform(EmptyWithout(), browser, alternate)
    await transform(SHELL, recipe(RenderMode.WHEN_EMPTY))
    assert browser.drawn == [SHELL.url]


async def test_a_list_without_an_end_says_so(browser: Browser) -> None:
    browser.goes_on = True
    transform = RenderingTransform(InMain(), browser)
    wanted = replace(recipe(RenderMode.ALWAYS), format=Format.HTML)
    rendered = await transform(SHELL, wanted)
    assert b"first screens.</small></p></main>" in rendered.body
    assert any("loads more" in reason for reason in rendered.reasons)
    assert b"<small>" not in (await transform(SHELL, recipe(RenderMode.ALWAYS))).body
