"""An article is read aloud in Chromium by a stand-in for its voices, which records what is said."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import quote

from playwright.async_api import Page

from tests.browser.browsers import chromium
from tests.browser.test_accessibility import violations
from tests.proxy.origins import Origin, html, serving
from tests.speech.programs import require_speech
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

STORY = """<!doctype html><html lang="en"><head><title>The flood</title></head><body><article>
<h1>The flood</h1><p>The river <b>rose overnight.</b> By morning the village stood on the bridge.
</p><p lang="de">Niemand hatte das Wasser je so hoch gesehen. Es stieg weiter.</p></article></body>
</html>"""
VOICES = """
window.said = [];
const voices = %s;
class Utterance { constructor(text) { this.text = text; } }
window.SpeechSynthesisUtterance = Utterance;
const speech = { getVoices: () => voices, addEventListener() {}, cancel() { this.now = null; },
  speak(utterance) { this.now = utterance; window.said.push({ text: utterance.text,
    lang: utterance.lang, rate: utterance.rate, voice: utterance.voice.name,
    marked: [...document.querySelectorAll(".now")].map(e => e.textContent).join("").trim() }); } };
window.finish = () => { const done = speech.now; speech.now = null;
  done.onboundary && done.onboundary(new Event("boundary")); done.onend(new Event("end")); };
Object.defineProperty(window, "speechSynthesis", { value: speech });
"""
LOCAL = [
    {"name": "Far", "lang": "de-DE", "localService": False, "default": True},
    {"name": "Anna", "lang": "de_DE", "localService": True, "default": False},
    {"name": "Emma", "lang": "en-GB", "localService": True, "default": False},
]
SENTENCES = [
    "The river rose overnight.",
    "By morning the village stood on the bridge.",
    "Niemand hatte das Wasser je so hoch gesehen.",
    "Es stieg weiter.",
]


def listen_settings() -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="plain"),
    )


@asynccontextmanager
async def listening(
    voices: list[dict[str, object]], *, scripts: bool = True, story: str = STORY
) -> AsyncIterator[Page]:
    async with (
        serving(Origin()) as origin,
        running(listen_settings()) as proxy,
        chromium() as browser,
    ):
        origin.replies["/story"] = html(story.encode())
        context = await browser.new_context(
            java_script_enabled=scripts, viewport={"width": 360, "height": 640}
        )
        page = await context.new_page()
        await page.add_init_script(VOICES % json.dumps(voices))
        url = quote(origin.url("/story"), safe="")
        await page.goto(f"http://127.0.0.1:{proxy.port}/-/listen?url={url}")
        yield page


async def said(page: Page) -> list[dict[str, object]]:
    found: list[dict[str, object]] = await page.evaluate("window.said")
    return found


async def test_each_sentence_is_read_by_a_local_voice_of_its_language_and_marked() -> None:
    async with listening(LOCAL) as page:
        await page.get_by_role("button", name="Play").click()
        for _ in SENTENCES:
            await page.evaluate("window.finish()")
        heard = await said(page)
        assert [each["text"] for each in heard] == SENTENCES
        assert [each["voice"] for each in heard] == ["Emma", "Emma", "Anna", "Anna"]
        assert [each["lang"] for each in heard] == ["en", "en", "de", "de"]
        assert [each["marked"] for each in heard] == SENTENCES
        assert await page.get_by_role("button", name="Play").is_visible()
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360


async def test_a_word_of_another_language_has_its_own_voice() -> None:
    story = STORY.replace("the village", 'the <i lang="de">Dorf</i>')
    async with listening(LOCAL, story=story) as page:
        await page.get_by_role("button", name="Play").click()
        for _ in range(4):
            await page.evaluate("window.finish()")
        heard = await said(page)
    assert [(each["text"], each["voice"]) for each in heard[1:4]] == [
        ("By morning the", "Emma"),
        ("Dorf", "Anna"),
        ("stood on the bridge.", "Emma"),
    ]


async def test_skipping_pausing_and_speed_by_keyboard_and_buttons() -> None:
    async with listening(LOCAL) as page:
        await page.keyboard.press(" ")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("ArrowLeft")
        assert [each["text"] for each in await said(page)] == [
            SENTENCES[number] for number in (0, 1, 2, 1)
        ]
        await page.get_by_label("Speed").select_option("1.5")
        assert (await said(page))[-1]["rate"] == 1.5
        await page.get_by_role("button", name="Pause").click()
        await page.get_by_role("button", name="Next sentence").click()
        assert len(await said(page)) == 5
        await page.get_by_role("button", name="Play").click()
        assert (await said(page))[-1]["text"] == SENTENCES[2]


async def test_a_voice_of_an_online_service_is_used_by_choice_alone() -> None:
    async with listening(LOCAL[:1]) as page:
        play = page.get_by_role("button", name="Play")
        assert not await play.is_visible()
        choice = page.get_by_label("leaves this computer")
        await choice.check()
        await play.click()
        assert [each["voice"] for each in await said(page)] == ["Far"]
        await choice.uncheck()
        assert not await play.is_visible()
        assert await page.locator(".now").count() == 0


async def test_without_a_voice_it_says_so_and_offers_the_file() -> None:
    async with listening([]) as page:
        assert await page.locator("#no-voice").is_visible()
        link = page.get_by_role("link", name="Take the article as a file")
        if await link.count():  # no program here makes audio files
            assert "format=epub" in str(await link.get_attribute("href"))
        else:
            assert await page.locator("audio").is_visible()
        assert "This browser has no voices." in await page.locator("#no-voice").inner_text()
        await page.keyboard.press("ArrowRight")
        assert await page.locator("#listen button:visible, #listen select:visible").count() == 0
        assert await page.locator(".now").count() == 0
        assert await violations(page) == []


async def test_a_line_break_of_the_markup_ends_no_sentence() -> None:
    story = STORY.replace("the village", 'the <a href="/village">village\nof\r\nAsh</a>')
    async with listening(LOCAL, story=story) as page:
        await page.get_by_role("button", name="Play").click()
        await page.get_by_role("button", name="Next sentence").click()
        heard = (await said(page))[1]
    assert heard["text"] == "By morning the village of Ash stood on the bridge."
    assert " ".join(str(heard["marked"]).split()) == heard["text"]


async def test_nothing_is_marked_while_the_audio_file_plays() -> None:
    require_speech()
    async with listening(LOCAL) as page:
        await page.get_by_role("button", name="Play").click()
        assert await page.locator(".now").count()
        await page.evaluate("document.querySelector('audio').dispatchEvent(new Event('play'))")
        assert await page.locator(".now").count() == 0
        assert await page.get_by_role("button", name="Play").is_visible()


async def test_the_player_knows_how_long_the_audio_file_is_once_it_plays() -> None:
    require_speech()
    async with listening([]) as page:
        await page.evaluate("const a = document.querySelector('audio'); a.muted = true; a.play()")
        await page.wait_for_function("document.querySelector('audio').readyState >= 1")
        length = await page.evaluate("document.querySelector('audio').duration")
        assert 1 < float(length) < 60


async def test_without_scripts_it_is_a_page_to_read() -> None:
    async with listening(LOCAL, scripts=False) as page:
        assert "By morning the village" in await page.locator("article").inner_text()
        assert not await page.locator("#listen").is_visible()
