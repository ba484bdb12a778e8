"""A person's browser with Winnow as its proxy, on a plain-HTTP site with a name of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest_asyncio
from playwright.async_api import Page, Response

from tests.browser.browsers import SCREENSHOTS, chromium, picture
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

SENTENCES = (
    "The river rose overnight, and by morning the whole village stood on the bridge.",
    "Nobody had seen the water so high since the year of the great flood, said the miller.",
    "The fire brigade filled sandbags while the baker handed out warm bread to the helpers.",
    "By noon the rain had stopped, and the first children went down to look at their school.",
)
ADVERT = "<a href=/1>Buy</a> <a href=/2>cheap</a> <a href=/3>umbrellas</a> <a href=/4>today</a>"
ARTICLE = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The flood</title>
<link rel="stylesheet" href="/style.css"><script src="/script.js" defer></script></head><body>
<nav>{'<a href="/news">News</a> <a href="/sport">Sport</a> <a href="/money">Money</a> ' * 8}</nav>
<article><h1>The flood</h1><p>{" ".join(SENTENCES)}</p>
<figure><img src="/bridge.png" alt="The bridge" width="320" height="120"></figure>
{"".join(f"<p>{' '.join(SENTENCES[n:] + SENTENCES[:n])}</p>" for n in range(4))}
<p>The <a href="/history">history of the bridge</a> is told elsewhere, at some length.</p>
</article><aside>{ADVERT}</aside>
<footer><a href="/imprint">Imprint</a> <a href="/contact">Contact</a></footer></body></html>"""
SCRIPT = b"""document.body.append('SCRIPT RAN');
fetch('/data').then(reply => reply.text()).then(text => window.data = text)"""


@pytest_asyncio.fixture(loop_scope="session")
async def opened() -> AsyncIterator[tuple[Page, Origin]]:
    """A tab of a browser behind the proxy, and the site ``news.example``."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin:
        names = NamedOrigins({("news.example", 80): origin.port})
        site(origin)
        async with (
            running(open_names(settings), names) as proxy,
            chromium(f"http://127.0.0.1:{proxy.port}") as browser,
        ):
            yield await browser.new_page(), origin


def site(origin: Origin) -> None:
    origin.replies["/story"] = html(ARTICLE.encode())
    origin.replies["/style.css"] = reply(b"body{background:red}", "Content-Type: text/css")
    origin.replies["/script.js"] = reply(SCRIPT, "Content-Type: text/javascript")
    origin.replies["/data"] = html(ARTICLE.encode())
    origin.replies["/bridge.png"] = reply(
        picture(320, 120, (30, 90, 160)), "Content-Type: image/png"
    )


async def visit(page: Page, path: str) -> Response:
    answer = await page.goto(f"http://news.example{path}", wait_until="load")
    assert answer is not None
    return answer


async def test_the_page_shown_is_the_extracted_one(opened: tuple[Page, Origin]) -> None:
    page, origin = opened
    answer = await visit(page, "/story")
    assert answer.headers["winnow-action"] == "extracted"
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / "plain-http-article.png", full_page=True)
    shown = await page.inner_text("body")
    assert all(sentence in shown for sentence in SENTENCES)
    assert "umbrellas" not in shown
    assert "SCRIPT RAN" not in shown
    assert "Sport" not in shown
    assert await page.evaluate("document.images[0].naturalWidth") == 320
    assert await page.locator("h1").count() == 1
    asked = {request.split(b" ")[1] for request in origin.requests}
    assert asked <= {b"/story", b"/bridge.png", b"/favicon.ico"}


async def test_the_original_can_be_asked_for_and_its_parts_are_untouched(
    opened: tuple[Page, Origin],
) -> None:
    page, _ = opened
    await page.set_extra_http_headers({"Winnow-Mode": "original"})
    await visit(page, "/story")
    await page.wait_for_function("window.data !== undefined")
    assert "SCRIPT RAN" in await page.inner_text("body")
    assert (
        await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 0, 0)"
    )
    assert await page.evaluate("window.data") == ARTICLE
