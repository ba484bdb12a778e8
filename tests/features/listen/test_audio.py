"""Articles and saved pages as audio files through real sockets, a real worker and espeak-ng."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from lxml import etree

from tests.features.saved.test_saved_pages import (
    FROM_US,
    STORY,
    Whole,
    own,
    picture,
    save,
    settings_of,
)
from tests.programs import require_program
from tests.proxy.origins import Origin, html, reply, serving
from tests.speech.programs import output_of, require_speech
from tests.winnow.compose.test_own_pages import get
from winnow.compose.running import running
from winnow.features.listen.settings import SpeechSettings

LISTENS = "Sec-Fetch-Site: none"


@pytest.fixture
async def whole() -> AsyncIterator[Whole]:
    require_speech()
    async with serving(Origin()) as origin, running(settings_of()) as proxy:
        origin.replies["/story"] = html(STORY.encode())
        origin.replies["/wind.png"] = reply(picture(), "Content-Type: image/png")
        yield proxy, origin


async def test_an_article_is_an_audio_file_which_its_page_links_to(whole: Whole) -> None:
    proxy, origin = whole
    page = f"/-/listen?url={quote(origin.url('/story'), safe='')}"
    shown = (await get(proxy, page)).body.decode()
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(/-/audio[^"]+)"', shown)]
    assert [link.rpartition("=")[2] for link in links] == ["opus", "mp3", "epub"]
    starts = {"opus": b"OggS", "mp3": b"ID3", "epub": b"PK"}
    for link in links:
        answer = await get(proxy, link, FROM_US, f"Referer: {own(proxy)}{page}")
        assert answer.status == 200, answer.body
        assert answer.body.startswith(starts[link.rpartition("=")[2]])
        assert "attachment" in answer.field("content-disposition")


async def test_a_saved_page_is_spoken_without_its_site(whole: Whole) -> None:
    proxy, origin = whole
    path = await save(whole)
    origin.replies.clear()
    audio = await get(proxy, f"{path}/audio.opus", LISTENS)
    assert audio.field("content-type") == "audio/ogg"
    assert b"CHAPTER000NAME=Winnowing" in audio.body


@pytest.mark.release
async def test_the_book_with_its_voice_is_what_epubcheck_accepts(
    whole: Whole, tmp_path: Path
) -> None:
    checker = require_program("epubcheck")
    path = await save(whole)
    book = tmp_path / "spoken.epub"
    book.write_bytes((await get(whole[0], f"{path}/spoken.epub", LISTENS)).body)
    with zipfile.ZipFile(io.BytesIO(book.read_bytes())) as archive:
        smil = archive.read("EPUB/chapter1.smil").decode()
        chapter = archive.read("EPUB/chapter1.xhtml").decode()
        assert "EPUB/image1.jpg" in archive.namelist() or "EPUB/image1.png" in archive.namelist()
    spoken = re.findall(r'#(s\d+)"/><audio src="audio.mp3" clipBegin="([\d.]+)s"', smil)
    assert [name for name, _ in spoken] == re.findall(r'<span id="(s\d+)"', chapter)
    assert len(spoken) > 2
    assert "WARNING" not in await asyncio.to_thread(output_of, "java", "-jar", checker, book)


@pytest.mark.parametrize(
    "fields",
    [
        ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"),
        ("User-Agent: Mozilla/5.0", "Referer: http://evil.example/"),
        ("Sec-Fetch-Site: same-origin",),
    ],
)
async def test_only_we_ourselves_have_audio_made(whole: Whole, fields: tuple[str, ...]) -> None:
    path = await save(whole)
    for target in (f"{path}/audio.mp3", f"/-/audio?url={quote(whole[1].url('/story'), safe='')}"):
        assert (await get(whole[0], target, *fields)).status == 403


async def test_without_an_engine_the_page_says_so() -> None:
    without = replace(settings_of(), of_features=(SpeechSettings(engine=""),))
    async with serving(Origin()) as origin, running(without) as proxy:
        origin.replies["/story"] = html(STORY.encode())
        url = quote(origin.url("/story"), safe="")
        shown = (await get(proxy, f"/-/listen?url={url}")).body.decode()
        assert "Audio files need a speech engine" in shown
        answer = await get(proxy, f"/-/audio?url={url}", LISTENS)
        assert answer.status == 501
        assert b"espeak-ng" in answer.body


async def test_the_podcast_has_each_page_with_its_file_for_its_owner_alone(whole: Whole) -> None:
    proxy, _ = whole
    await save(whole, "wind")
    assert (
        len(etree.fromstring((await get(proxy, "/-/saved/podcast?tag=other")).body).xpath("//item"))
        == 0
    )
    answer = await get(proxy, "/-/saved/podcast?tag=wind")
    assert answer.field("content-type").startswith("application/rss+xml")
    (item,) = etree.fromstring(answer.body).xpath("//item")
    assert item.findtext("title") == "Winnowing"
    enclosure = item.find("enclosure")
    assert enclosure.get("type") == "audio/mpeg"
    path = urlsplit(str(enclosure.get("url"))).path
    audio = await get(proxy, path, "User-Agent: AntennaPod/3.4")
    assert audio.field("content-type") == "audio/mpeg"
    assert audio.body.startswith(b"ID3")
