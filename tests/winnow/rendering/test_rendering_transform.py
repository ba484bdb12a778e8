"""A browser draws a page where that was asked for, by whom it may be, and only then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.proxy.proxies import FakeTransform
from winnow.document.values import Format, Page, Recipe, RenderMode
from winnow.proxy.access.requester import REQUESTER, Requester
from winnow.proxy.http.proxy_errors import TransformError
from winnow.rendering.rendering_transform import RenderingTransform

SHELL = Page(b"<div id=root></div>", "https://a.test/")


class Browser:
    """Counts what it draws."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    async def __call__(self, url: str) -> Page:
        self.drawn.append(url)
        return Page(b"<p>Drawn.</p>", url)


class EmptyWithout(FakeTransform):
    """Fails as a page does that scripts write, until it is drawn."""

    async def __call__(self, page: Page, recipe: Recipe):  # type: ignore[no-untyped-def]  # as its base
        self.failure = "" if b"Drawn" in page.body else "script-shell"
        return await super().__call__(page, recipe)


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


async def test_nothing_is_drawn_unless_asked_for_nor_without_an_address(browser: Browser) -> None:
    await RenderingTransform(FakeTransform(), browser)(SHELL, recipe(RenderMode.NO))
    await RenderingTransform(FakeTransform(), browser)(Page(b"<p>"), recipe(RenderMode.ALWAYS))
    assert browser.drawn == []


async def test_drawn_pages_have_keys_of_their_own(browser: Browser) -> None:
    transform = RenderingTransform(FakeTransform(), browser)
    keys = {await transform.fingerprint(recipe(mode)) for mode in RenderMode}
    assert len(keys) == len(RenderMode)
