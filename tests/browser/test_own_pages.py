"""Every own page in Chromium: axe-core, both themes, phone and desk, in every language.

The pages are those of the router: each answer in HTML is one, so that no new page is forgotten.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

import pytest
from playwright.async_api import Page, ViewportSize

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import AXE, AXE_RUN
from tests.features.setup.test_https_switching import BARE
from tests.pages import golden
from tests.proxy.origins import Origin, html, serving
from tests.winnow.compose.test_settings_editing import edited
from winnow.compose.own_pages.features import FeaturePages
from winnow.proxy.own.languages import Language

Scheme = Literal["light", "dark"]
GOLDEN: Final = ("news-article", "arabic", "nineties")
LARGEST: Final = 30_000
"""Bytes of a page on the wire, beside what it shows of others."""
PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
DESK: Final[ViewportSize] = {"width": 1280, "height": 800}
OLD_PHONE: Final[ViewportSize] = {"width": 240, "height": 320}
SCREENS: Final[tuple[tuple[str, ViewportSize, tuple[Scheme, Scheme]], ...]] = (
    ("phone", PHONE, ("light", "dark")),
    ("desk", DESK, ("dark", "light")),
)
"""Each with the theme that is tried there in every language, and the other."""
CROSSED: Final = (Language.ENGLISH, Language.ARABIC)
"""Languages, one of each direction, in which all themes are tried on all screens."""
FRAMES: Final = frozenset({"/-/setup/checks"})
"""Shown within other pages."""
ERROR: Final = "/-/nothing"
FEWEST: Final = 35
"""Pages that there are at least."""
COLOURS: Final = "axe.run({runOnly: ['color-contrast'], resultTypes: ['violations']})"
"""What another theme can change."""
ANNOTATION: Final = '\n[annotation]\nfolder = "{folder}/annotated"\n'
_SAID: Final = """async run => (await eval(run)).violations.flatMap(found =>
  found.nodes.map(node => `${found.id}: ${node.html} ${node.failureSummary}`))"""


@asynccontextmanager
async def visited(folder: Path) -> AsyncIterator[tuple[Page, str, Origin, list[str]]]:
    """A tab, our own address, an origin with golden pages, and the paths of the router."""
    async with (
        serving(Origin()) as origin,
        edited(folder, BARE + ANNOTATION) as (proxy, _file),
        chromium() as browser,
    ):
        for name in GOLDEN:
            origin.replies[f"/{name}"] = html((golden.FOLDER / name / "source.html").read_bytes())
        page = await (await browser.new_context()).new_page()
        page.set_default_timeout(120_000)
        base = f"http://127.0.0.1:{proxy.port}"
        await page.request.get(f"{base}/-/ca.crt")  # the settings then tell of an authority
        url = quote(origin.url("/news-article"), safe="")
        await page.goto(f"{base}/-/save?url={url}")
        await page.locator("main form button").first.click()
        await page.wait_for_load_state()
        pages = proxy.app.own.pages
        assert isinstance(pages, FeaturePages)
        paths = sorted(each.path for one in pages.features for each in one.addresses)
        yield page, base, origin, paths


def more(origin: Origin) -> list[str]:
    """Pages that show something of what an address or a number names."""
    url = origin.url("/news-article")
    about = quote(url, safe="")
    named = ("why", "options", "save", "listen", "annotate", "render", "original", "print")
    return [
        *(f"/-/{name}?url={about}" for name in named),
        f"/-/why?url={about}&view=list",
        f"/-/extract?url={about}",
        f"/-/compare?url={about}&method=bte&method=lqf&method=nope",
        f"/-/choose?action=always&page={about}",
        "/-/settings/all?section=extraction",
        "/-/settings/site?level=5&site=example.com",
        "/-/settings/reading?back=http://a.example/",
        "/-/saved/1",
        f"/-/small/{url}",
        f"/-/small/k4.p2/{url}",
        f"/-/small/k4.h1/{url}",
        "/-/small/nowhere",
        "/-/why?url=http://127.0.0.1:1/",
        ERROR,
    ]


async def shown(page: Page, url: str, *, errors: bool) -> int:
    """Open an own page; its bytes, 0 where it is none but a file or a text for programs.

    ``errors``: those of pages too, which have one form.
    """
    head = await page.request.head(url, headers={"Accept": "text/html"}, max_redirects=0)
    is_page = "html" in head.headers.get("content-type", "") and head.status not in (301, 302, 303)
    if not is_page or (head.status >= 400 and not errors and not url.endswith(ERROR)):
        return 0
    answer = await page.goto(url, wait_until="domcontentloaded")
    assert answer is not None
    return len(await answer.body())


async def objections(page: Page, run: str) -> list[str]:
    if await page.evaluate("typeof axe") == "undefined":
        await page.evaluate(AXE)
    found: list[str] = await page.evaluate(_SAID, run)
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]


async def objections_to(page: Page, label: str, *, crossed: bool) -> list[str]:
    """What is wrong with the page that is shown, on both screens and in both themes.

    ``crossed``: all rules on each screen, colours in each theme there; else all rules on the phone,
    and colours in the other theme on the desk.
    """
    found = []
    for name, size, schemes in SCREENS:
        await page.set_viewport_size(size)
        for scheme in schemes if crossed else schemes[:1]:
            await page.emulate_media(color_scheme=scheme)
            run = AXE_RUN if scheme == schemes[0] and (crossed or size is PHONE) else COLOURS
            found += [f"{label} {name} {scheme}: {each}" for each in await objections(page, run)]
    return found


async def objections_in(
    language: Language, page: Page, base: str, paths: dict[str, bool], *, crossed: bool = True
) -> tuple[list[str], int]:
    """What is wrong with own pages in a language, and their number.

    ``paths``: whether a page is ours alone. ``crossed``: errors have their pages too.
    """
    await page.set_extra_http_headers({"Accept-Language": language.value})
    wrong, seen = [], 0
    for path, is_ours in paths.items():
        if size := await shown(page, base + path, errors=crossed):
            seen += 1
            label = f"{language.value} {path}"
            if size > LARGEST and is_ours and path != "/-/setup":
                wrong.append(f"{label} has {size} bytes")
            wrong += await objections_to(page, label, crossed=crossed)
            if crossed:
                name = "".join(sign if sign.isalnum() else "-" for sign in path.split("url=")[0])
                await page.screenshot(path=SCREENSHOTS / f"own{name}-{language.value}.png")
    return wrong, seen


def pages_of(routes: list[str], origin: Origin) -> dict[str, bool]:
    """The paths that are tried, and whether each page is ours alone."""
    return {path: True for path in routes if path not in FRAMES} | dict.fromkeys(
        more(origin), False
    )


@pytest.mark.parametrize(
    ("language", "crossed"),
    [
        (Language.GERMAN, False),  # the longest words
        *(
            pytest.param(each, each in CROSSED, marks=pytest.mark.release)
            for each in Language
            if each is not Language.GERMAN
        ),
    ],
)
async def test_axe_objects_to_no_own_page(
    tmp_path: Path, language: Language, *, crossed: bool
) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with visited(tmp_path) as (page, base, origin, routes):
        wrong, seen = await objections_in(
            language, page, base, pages_of(routes, origin), crossed=crossed
        )
    assert seen >= FEWEST
    assert wrong == [], "\n".join(wrong)


@pytest.mark.release
async def test_own_pages_fit_an_old_phone_and_results_of_other_pages_are_sound(
    tmp_path: Path,
) -> None:
    async with visited(tmp_path) as (page, base, origin, routes):
        others = [quote(origin.url(f"/{name}"), safe="") for name in GOLDEN[1:]]
        views = [f"/-/{name}?url={other}" for name in ("why", "compare") for other in others]
        wrong, seen = await objections_in(Language.ENGLISH, page, base, dict.fromkeys(views, False))
        assert seen == len(views)
        await page.set_viewport_size(OLD_PHONE)
        for path in [*pages_of(routes, origin), *views]:
            if await shown(page, base + path, errors=False):
                wrong += [f"{path} old phone: {each}" for each in await objections(page, COLOURS)]
    assert wrong == [], "\n".join(wrong)


_CUT: Final = """() => [...document.querySelectorAll('select')].filter(list => {
  const shown = list.offsetWidth, style = list.style.cssText;
  if (!shown) return false;
  list.style.cssText = 'max-width: none !important; width: max-content !important';
  const needed = Math.min(list.offsetWidth, document.querySelector('main').clientWidth);
  list.style.cssText = style;
  return shown < needed;
}).map(list => list.outerHTML.slice(0, 80))"""
"""The lists of choices that are narrower than their texts, though the page has room."""
_HEADER: Final = """() => {
  const {left, width} = document.querySelector('header').getBoundingClientRect();
  return `${left} ${width}`;
}"""


@pytest.mark.parametrize("size", [PHONE, DESK])
async def test_the_header_stays_in_its_place_and_no_choice_is_cut_off(
    tmp_path: Path, size: ViewportSize
) -> None:
    async with visited(tmp_path) as (page, base, origin, routes):
        await page.set_viewport_size(size)
        places: dict[str, list[str]] = {}
        cut: list[str] = []
        for path in pages_of(routes, origin):
            if not await shown(page, base + path, errors=False):
                continue
            cut += [f"{path} {each}" for each in await page.evaluate(_CUT)]
            if await page.locator("body > header").count():
                places.setdefault(await page.evaluate(_HEADER), []).append(path)
    assert len(places) == 1, places
    assert sum(map(len, places.values())) > 20
    assert cut == []
