"""The page for print holds its images itself: printing asks no site for anything."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from tests.browser.browsers import chromium
from tests.proxy.origins import Origin, html, reply, serving
from tests.proxy.own.templates.support import attribute
from tests.winnow.compose.test_own_pages import get
from tests.winnow.compose.test_settings_editing import edited
from tests.winnow.conftest import PAGE


def photograph() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(out, "JPEG")
    return out.getvalue()


def story(origin: Origin) -> str:
    """The address of an article with an image that is there and one that is not."""
    images = (
        '<p>Grain in the wind<img src="/a.jpg" alt="Grain"> and <img src="/no.jpg" alt="B"></p>'
    )
    origin.replies["/page"] = html(PAGE.replace("<p>", f"{images}<p>", 1).encode())
    origin.replies["/a.jpg"] = reply(photograph(), "Content-Type: image/jpeg")
    return origin.url("/page")


async def test_images_are_part_of_the_page(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, edited(tmp_path) as (proxy, _):
        answer = await get(proxy, f"/-/print?url={story(origin)}")
    page = LexborHTMLParser(answer.body)
    (image,) = page.css("article img")
    assert (attribute(image, "src") or "").startswith("data:image/jpeg;base64,")
    assert attribute(image, "alt") == "Grain"
    assert attribute(page.css_first("article a"), "href") == origin.url("/no.jpg")
    assert "img-src 'self' data:;" in answer.field("content-security-policy")
    assert "wooden shovel" in page.css("article")[0].text()


async def test_the_dialog_opens_by_itself_and_nothing_else_is_loaded(tmp_path: Path) -> None:
    async with (
        serving(Origin()) as origin,
        edited(tmp_path) as (proxy, _),
        chromium() as browser,
    ):
        page = await browser.new_page()
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url))
        await page.add_init_script("window.print = () => { window.printed = true }")
        await page.goto(f"http://127.0.0.1:{proxy.port}/-/print?url={story(origin)}")
        await page.wait_for_function("window.printed")
        assert await page.get_by_role("button", name="Print").is_visible()
        assert [url for url in loaded[1:] if not url.startswith("data:")] == []
        await page.emulate_media(media="print")
        assert not await page.get_by_role("button", name="Print").is_visible()
        assert not await page.locator("header").is_visible()
        await page.emulate_media(media="print", color_scheme="dark")
        assert await page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
