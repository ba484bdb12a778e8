"""axe-core finds nothing wrong with any reader page, light and dark, wide and small."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.pages import golden
from tests.sweeps import every_nth_and_all
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Format, Profile, Recipe

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
AXE_RUN = "axe.run({rules: {'target-size': {enabled: true}}, resultTypes: ['violations']})"
"""All rules that axe-core has by default, and WCAG 2.2, 2.5.8."""
SCREENS = [
    (360, 640, "light", Profile.READER),
    (1280, 800, "dark", Profile.READER),
    (360, 640, "light", Profile.VOICE),
    (240, 320, "light", Profile.BASIC),
]


def reader_page(name: str, profile: Profile = Profile.READER) -> str:
    """A golden page's reader page as it goes to a browser, stylesheet included."""
    source = (golden.FOLDER / name / "source.html").read_bytes()
    document = Document.from_html(source, golden.URL)
    renderer = renderer_for(Recipe(profile=profile))
    return renderer.render(document, golden.marked(document)).body.decode()


async def violations(page: Page, run: str = AXE_RUN) -> list[str]:
    """What axe-core objects to, best practices too."""
    await page.evaluate(AXE)
    return objections(await page.evaluate(run))


def objections(found: Any) -> list[str]:
    """A line for each element that breaks a rule, from what axe-core returns."""
    return [
        f"{violation['id']}: {node['html']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


async def fresh_page(browser: Browser, width: int, height: int, scheme: str) -> Page:
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    await context.route("**/*", lambda route: route.abort())
    return await context.new_page()


def screens() -> Iterator[Any]:
    """Every screen with all pages for release, and with its share of them in ``make test``."""
    for number, screen in enumerate(SCREENS):
        for share in every_nth_and_all(golden.names(), 3 * len(SCREENS), 3 * number):
            name = "-".join(map(str, (*screen, share.id)))
            yield pytest.param(screen, share.values[0], id=name, marks=share.marks)


@pytest.mark.parametrize(("screen", "names"), list(screens()))
async def test_axe_objects_to_no_page(
    screen: tuple[int, int, str, Profile], names: list[str]
) -> None:
    width, height, scheme, profile = screen
    objections: dict[str, list[str]] = {}
    async with chromium() as browser:
        page = await fresh_page(browser, width, height, scheme)
        for name in names:
            await page.set_content(reader_page(name, profile), wait_until="domcontentloaded")
            if found := await violations(page):
                objections[name] = found
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            await page.screenshot(path=SCREENSHOTS / f"{profile}-{name}-{width}-{scheme}.png")
    assert objections == {}, "\n".join([line for found in objections.values() for line in found])


@pytest.mark.parametrize("name", ["news-article", "arabic", "nineties", "headings"])
async def test_the_accessibility_tree_has_one_main_and_one_h1(name: str) -> None:
    async with chromium() as browser:
        page = await fresh_page(browser, 360, 640, "light")
        await page.set_content(reader_page(name), wait_until="domcontentloaded")
        assert await page.get_by_role("main").count() == 1
        assert await page.get_by_role("banner").count() == 1
        assert await page.get_by_role("contentinfo").count() == 1
        assert await page.get_by_role("heading", level=1).count() == 1


async def test_a_display_formula_is_laid_out_as_a_formula() -> None:
    async with chromium() as browser:
        page = await fresh_page(browser, 360, 640, "light")
        await page.set_content(reader_page("formulas"), wait_until="domcontentloaded")
        formula = page.locator("math[display=block]")
        left = await formula.locator("> mi").bounding_box()
        right = await formula.locator("> mfrac").bounding_box()
        assert left is not None
        assert right is not None
        assert right["y"] < left["y"] < left["y"] + left["height"] < right["y"] + right["height"]


async def test_no_page_is_wider_than_a_phone() -> None:
    async with chromium() as browser:
        page = await fresh_page(browser, 320, 640, "light")
        for name in golden.names():
            await page.set_content(reader_page(name), wait_until="domcontentloaded")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 320, name


async def test_the_first_tab_leads_to_the_skip_link() -> None:
    async with chromium() as browser:
        page = await fresh_page(browser, 360, 640, "light")
        await page.set_content(reader_page("news-article"), wait_until="domcontentloaded")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.className") == "winnow-skip"
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.id") == "winnow-text"


async def test_the_voice_profile_is_read_in_order() -> None:
    """The text, then who wrote it, the other links, the end: as the accessibility tree has it."""
    async with chromium() as browser:
        page = await fresh_page(browser, 360, 640, "light")
        voiced = reader_page("news-article", Profile.VOICE)
        await page.set_content(voiced, wait_until="domcontentloaded")
        session = await page.context.new_cdp_session(page)
        nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    heard = [(node["role"]["value"], node["name"]["value"]) for node in nodes if "name" in node]
    roles = [role for role, _ in heard]
    order = [roles.index(role) for role in ("banner", "main", "navigation", "contentinfo")]
    assert order == sorted(order)
    words = "\n".join(name for role, name in heard if role == "StaticText")
    told = [words.index(text) for text in ("Skip to the other links", "A day ticket", "Ann Ferris")]
    assert told == sorted(told)


@pytest.mark.parametrize("names", every_nth_and_all(golden.names(), 12))
async def test_what_axe_accepts_it_accepts_pruned(names: list[str]) -> None:
    """No rule is broken by a pruned page that its source keeps; a page all in ``<noscript>``, which
    axe-core does not see, keeps nothing."""
    objections: dict[str, list[str]] = {}
    async with chromium() as browser:
        page = await fresh_page(browser, 1280, 800, "light")
        for name in names:
            source = (golden.FOLDER / name / "source.html").read_text("utf-8", "replace")
            source = source.replace("<noscript", "<div").replace("</noscript", "</div")
            before = set(map(_rule, await _of_page(page, source)))
            after = await _of_page(page, golden.shown(name, Format.PRUNED))
            if new := [line for line in after if _rule(line) not in before]:
                objections[name] = new
    assert objections == {}


async def _of_page(page: Page, markup: str) -> list[str]:
    """What axe-core objects to in a page, small targets apart: links in the site's own lists."""
    await page.set_content(markup, wait_until="domcontentloaded")
    return await violations(page, "axe.run({resultTypes: ['violations']})")


def _rule(objection: str) -> str:
    return objection.partition(":")[0]
