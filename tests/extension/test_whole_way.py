"""What a reader does with Winnow beside its proxy, from the extension to an e-reader."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Final

import pytest
from lxml import etree

from tests.extension.drivers import article_with, until
from tests.extension.test_extension import SITE, World, world
from tests.programs import require_program
from tests.speech.programs import output_of

pytestmark = pytest.mark.release

__all__ = ["world"]
WORD: Final = "last"
_VOICE: Final = """(() => {
  window.said = [];
  const own = { name: "Emma", lang: "en-GB", localService: true, default: true };
  window.SpeechSynthesisUtterance = function (text) { this.text = text; };
  const speech = window.speechSynthesis;
  const put = (name, value) => Object.defineProperty(speech, name, { value, configurable: true });
  put("getVoices", () => [own]);
  put("cancel", () => {});
  put("speak", spoken => {
    window.said.push([spoken.text, [...document.querySelectorAll(".now")].map(
      each => each.textContent).join("").trim()]);
    setTimeout(() => spoken.onend(new Event("end")));
  });
  const play = document.getElementById("play");
  play.disabled = false;
  play.click();
  return 1; })()"""
"""A stand-in for the browser's voices, which records utterances; and the click."""
ATOM: Final = "{http://www.w3.org/2005/Atom}"


async def saved(world: World) -> str:
    """Read a page that scripts wrote, and save it; where it is then."""
    browser = world.browser
    await world.set_proxy(on=True)
    assert await browser.open(f"{SITE}/app")
    await browser.show_popup()
    await world.do("document.getElementById('read').click();")
    await until(browser.page, "document.body?.dataset.ready")
    await article_with(browser, "And the last words of it.")
    await browser.show_popup()
    await world.do("document.getElementById('save').click();")
    await until(
        browser.popup,
        "!document.getElementById('saved').hidden || !document.getElementById('error').hidden",
    )
    assert not await world.error()
    return str(await browser.popup("document.getElementById('saved-page').href"))


async def test_read_saved_found_heard_and_on_an_e_reader(world: World, tmp_path: Path) -> None:
    browser, own = world.browser, f"http://127.0.0.1:{world.proxy.port}"
    await world.pair()
    page = await saved(world)

    assert await browser.open(f"{own}/-/saved?q={WORD}")
    found = await browser.page("document.querySelector('.entries a').href")
    assert found == page
    assert await browser.open(page)
    assert "And the last words of it." in await world.text()
    original = await browser.page("document.querySelector('.tools [rel=noreferrer]').href")
    assert original == f"{SITE}/app"

    assert await browser.open(f"{page}/listen")
    await browser.page(_VOICE)
    play = "document.getElementById('play')"
    await until(browser.page, f"window.said.length && {play}.textContent === {play}.dataset.play")
    said = json.loads(await browser.page("JSON.stringify(window.said)"))
    assert "And the last words of it." in [text for text, _ in said]
    assert all(text == marked for text, marked in said)

    await on_an_e_reader(own, tmp_path / "book.epub")


async def on_an_e_reader(own: str, book: Path) -> None:
    """The page's book, as an e-reader fetches it."""
    curl, checker = str(require_program("curl")), str(require_program("epubcheck"))
    listed = await asyncio.to_thread(output_of, curl, "-sSf", f"{own}/-/opds/pages?q={WORD}")
    entries = etree.fromstring(listed.encode()).findall(f"{ATOM}entry")
    (href,) = entries[0].xpath("*[@rel='http://opds-spec.org/acquisition']/@href")
    await asyncio.to_thread(output_of, curl, "-sSf", "-o", str(book), str(href))
    assert "No errors" in await asyncio.to_thread(output_of, "java", "-jar", checker, book)
