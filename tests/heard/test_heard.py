"""Ten pages through Winnow as Orca speaks them, in Firefox and in Chromium.

What is said comes from speech-dispatcher: each message, and the language of its voice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from playwright.async_api import async_playwright

from tests.browser.browsers import SCREENSHOTS, START
from tests.browser.day_sites import PRODUCT, RECIPE, article
from tests.extension.firefox import firefox
from tests.heard.desktop import Desktop, Said, desktop
from tests.pages import golden
from tests.programs import require_program
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.appearance import Voice
from winnow.config.settings import Settings

pytestmark = pytest.mark.release
HOST: Final = "news.example"
SUMMARY: Final = "Page has"
"""Begins Orca's last words about a page before it reads it."""
MOST_BEFORE: Final = 12
BEGIN, END, NAMELESS = Said("begin", ""), Said("end", ""), "nameless"
"""Orca's reading of a page, and a control of which it knows no name."""
BAR: Final = "Winnow"
"""Announces Winnow's bar, which is in the reader's language and not in the page's."""
OWN: Final = "en-us"
"""Of what Orca says in its own voice."""
SPOKEN: Final = SCREENSHOTS.parent / "spoken"
"""What was said, a line for each message, for who wants to read it."""
Go = Callable[[str], Awaitable[object]]


@dataclass(frozen=True)
class Read:
    """A page: ``title`` is the first of its own words, ``last`` the last. ``languages``: in order.

    ``speakers``: who is announced, in order. ``before``: words that may be said before the title.
    """

    title: str
    last: str
    languages: Sequence[str] = ("en",)
    speakers: Sequence[str] = ()
    before: int = MOST_BEFORE


def source(name: str) -> str:
    return (golden.FOLDER / name / "source.html").read_text("utf-8")


SOURCES: Final[Mapping[str, str]] = {
    "ferry": article("ferry"),
    "news": source("news-article"),
    "german": source("metadata-german"),
    "arabic": source("arabic"),
    "thread": source("forum-phpbb"),
    "kettles": source("product-reviews"),
    "cake": RECIPE,
    "shop": PRODUCT,
}
FOOT: Final = ", shown by Winnow"
PAGES: Final[Mapping[str, Read]] = {
    "ferry": Read("The ferry will open again", FOOT),
    "news": Read("Ferry returns after ten years", FOOT),
    "german": Read("Der Deich hält", ", gezeigt von Winnow", ["de"]),
    "arabic": Read("عودة المطر", "، يعرضه Winnow", ["ar", "en", "ar", "en", "ar"]),
    "thread": Read("Front wheel squeaks", FOOT, speakers=["rider7", "chainoil", "Jo Fixit"]),
    "kettles": Read("Three kettles for a small boat", FOOT),
    "cake": Read("Plum cake", FOOT),
    "shop": Read("Copper kettle", "Add to cart", before=31),
    "http://winnow.internal/-/settings": Read("Settings", "Browser extension"),
    "http://nobody.example/": Read("The server cannot be reached", "Technical details", before=28),
}


async def heard(go: Go, screen: Desktop, url: str) -> list[Said]:
    """What is said of a page from its first word to its last, without Orca's words about it."""
    since = len(screen.said())
    await go(url)
    said = await screen.hears(END, since)
    began = [at for at, each in enumerate(said, 1) if each == BEGIN or SUMMARY in each.text]
    return [each for each in said[began[-1] :] if each != END]


def faults(said: Sequence[Said], page: Read) -> Iterator[str]:
    """What a listener would complain of."""
    if not any(page.last in each.text for each in said):
        yield f"not to its end: {said[-3:]}"
    first = next((at for at, each in enumerate(said) if page.title in each.text), len(said))
    before = " ".join(each.text for each in said[:first]).split()
    if len(before) > page.before:
        yield f"{len(before)} words before the text: {' '.join(before)}"
    yield from (f"a {each.text} without a name" for each in said if each.language == NAMELESS)
    text = takewhile(lambda each: each.text != BAR, said[first:])
    spoken = [each.language for each in text if each.language not in (NAMELESS, OWN)]
    languages = [language for language, _ in groupby(spoken)]
    if languages != list(page.languages):
        yield f"languages {languages}"
    announced = [one.text for one, two in pairwise(said) if two.text.startswith("heading level 2")]
    starts = [name for name in page.speakers if any(each.startswith(name) for each in announced)]
    if starts != list(page.speakers):
        yield f"speakers {announced}"


@asynccontextmanager
async def in_firefox(folder: Path, screen: Desktop, port: int) -> AsyncIterator[Go]:
    preferences = {
        "network.proxy.type": 1,
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": port,
    }
    async with firefox(folder, "profile", screen.environment, **preferences) as session:
        yield lambda url: session("WebDriver:Navigate", url=url)


@asynccontextmanager
async def in_chromium(folder: Path, screen: Desktop, port: int) -> AsyncIterator[Go]:
    flags = ["--force-renderer-accessibility", f"--proxy-server=127.0.0.1:{port}", "--no-sandbox"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=require_program("chromium"),
            args=flags,
            env={**screen.environment, "HOME": str(folder)},
            headless=False,
            timeout=START,
        )
        try:
            yield (await browser.new_page(no_viewport=True)).goto
        finally:
            await browser.close()


@pytest.mark.parametrize("browser", [in_firefox, in_chromium])
async def test_ten_pages_are_heard(browser: Callable[..., Any], tmp_path: Path) -> None:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path / "winnow"),
        extraction=UNHURRIED,
        appearance=replace(plain.appearance, voice=Voice.ON),
    )
    found: dict[str, list[str]] = {}
    SPOKEN.mkdir(parents=True, exist_ok=True)
    async with serving(Origin()) as origin:
        for name, body in SOURCES.items():
            origin.replies[f"/{name}"] = html(body.encode())
        names = NamedOrigins({(HOST, 80): origin.port})
        async with (
            running(open_names(settings), names) as proxy,
            desktop(tmp_path) as screen,
            browser(tmp_path / "home", screen, proxy.port) as go,
        ):
            for name, page in PAGES.items():
                url = name if ":" in name else f"http://{HOST}/{name}"
                said = await heard(go, screen, url)
                (SPOKEN / f"{browser.__name__}-{quote(name, safe='')}.txt").write_text(
                    "".join(f"{each.language}\t{each.text}\n" for each in said)
                )
                found[name] = list(faults(said, page))
    assert {name: each for name, each in found.items() if each} == {}
