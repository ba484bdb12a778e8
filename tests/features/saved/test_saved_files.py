"""Saved pages leave as files and feeds and come back, by real programs where there are any."""

from __future__ import annotations

import asyncio
import json
import time
import zipfile
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin

import pytest
from lxml import etree

from tests.attack.memory import begun_peak, peak_memory
from tests.features.saved.test_saved_pages import (
    FROM_US,
    STORY,
    Whole,
    change,
    fields_of,
    own,
    picture,
    save,
    settings_of,
)
from tests.programs import require_program
from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.winnow.compose.test_own_pages import get
from tests.winnow.conftest import ARTICLE
from winnow.compose.running import Running, running

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
async def whole() -> AsyncIterator[Whole]:
    async with serving(Origin()) as origin, running(settings_of()) as proxy:
        origin.replies["/story"] = html(STORY.encode())
        origin.replies["/wind.png"] = reply(picture(), "Content-Type: image/png")
        yield proxy, origin


async def send(proxy: Running, path: str, data: bytes, **fields: str) -> Answer:
    """Post a file as a browser does."""
    parts = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    head = 'Content-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    body = f"{parts}--b\r\n{head}".encode() + data + b"\r\n--b--\r\n"
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        "Accept: text/html",
        "Content-Type: multipart/form-data; boundary=b",
        f"Content-Length: {len(body)}",
        FROM_US,
    )
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def import_file(proxy: Running, data: bytes) -> Answer:
    form = await get(proxy, "/-/saved/import")
    return await send(proxy, "/-/saved/import", data, **fields_of(form))


async def test_what_is_exported_and_imported_elsewhere_is_the_same(
    whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, _ = whole
    path = await save(whole, "farm, wind")
    await change(proxy, path, do="note", quote="wooden shovel", remark="Which?")
    exported = await get(proxy, "/-/saved/export?format=json&images=on")
    assert exported.field("content-disposition") == 'attachment; filename="winnow-saved.json"'
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    async with running(settings_of()) as other:
        assert (await import_file(other, exported.body)).status == 200
        again = await get(other, "/-/saved/export?format=json&images=on")
        assert json.loads(again.body) == json.loads(exported.body)
        assert '<mark id="note1">' in (await get(other, "/-/saved/1")).body.decode()


async def test_an_import_fetches_nothing_and_runs_nothing(whole: Whole) -> None:
    proxy, origin = whole
    entries = [
        {
            "title": "Bad",
            "url": origin.url("/secret"),
            "content": f"<p onclick=x()>Hidden words.<script>alert(1)</script>"
            f"<img src={origin.url('/beacon')} onerror=y()></p>",
            "tags": ["in"],
        },
        {"title": "Address alone", "url": origin.url("/alone"), "content": ""},
    ]
    answer = await import_file(proxy, json.dumps(entries).encode())
    assert "Pages imported: 2." in answer.body.decode()
    assert "Bad" in (await get(proxy, "/-/saved?q=hidden+words&tag=in")).body.decode()
    shown = (await get(proxy, "/-/saved/1")).body.decode()
    assert "Hidden words." in shown
    assert not any(word in shown for word in ("onclick", "<script", "onerror", "<img"))
    assert "Fetch the text" in (await get(proxy, "/-/saved/2")).body.decode()
    exported = (await get(proxy, "/-/saved/export?format=json")).body.decode()
    assert "<script" not in exported
    assert origin.requests == []


async def test_an_import_without_the_token_stores_nothing(whole: Whole) -> None:
    proxy, _ = whole
    entries = json.dumps([{"title": "Forged", "url": "https://a.example/"}]).encode()
    assert (await send(proxy, "/-/saved/import", entries)).status == 403
    assert "Forged" not in (await get(proxy, "/-/saved")).body.decode()


async def test_no_export_is_an_error_in_words(whole: Whole) -> None:
    proxy, _ = whole
    answer = await import_file(proxy, b"\0\1\2")
    assert answer.status == 422
    assert "no export of" in answer.body.decode()


async def test_an_import_costs_the_serving_process_neither_memory_nor_time(whole: Whole) -> None:
    """12 MB of objects without a word are some 300 MB in memory, in whatever process reads them."""
    proxy, _ = whole
    form = fields_of(await get(proxy, "/-/saved/import"))
    data = b"[" + b"{}," * 4_000_000 + b"{}]"
    begun, longest = begun_peak(), 0.0
    sending = asyncio.create_task(send(proxy, "/-/saved/import", data, **form))
    while not sending.done():
        before = time.thread_time()
        await asyncio.sleep(0.01)
        longest = max(longest, time.thread_time() - before)
    assert (await sending).status == 413
    assert peak_memory() - begun < 100_000_000
    before = time.thread_time()
    json.loads(data)
    assert longest < time.thread_time() - before  # of the processor


async def test_markdown_is_a_folder_of_articles(whole: Whole) -> None:
    proxy, _ = whole
    await save(whole, "farm")
    answer = await get(proxy, "/-/saved/export?format=markdown&tag=farm")
    with zipfile.ZipFile(BytesIO(answer.body)) as archive:
        assert archive.namelist() == ["saved/winnowing.md"]
        text = archive.read("saved/winnowing.md").decode()
    assert text.startswith('---\ntitle: "Winnowing"\n')
    assert "# Winnowing" in text
    assert ARTICLE[0] in text


async def program(*command: str) -> str:
    """What a program prints; it must succeed."""
    run = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await run.communicate()
    assert run.returncode == 0, printed.decode()
    return printed.decode()


@pytest.mark.release
async def test_an_e_reader_finds_a_book_in_the_catalogue_and_epubcheck_accepts_it(
    whole: Whole, tmp_path: Path
) -> None:
    """By curl, as an e-reader walks: root, tag, search, book."""
    curl, check = str(require_program("curl")), str(require_program("epubcheck"))
    proxy, _ = whole
    await save(whole, "farm")
    root = f"{own(proxy)}/-/opds"
    catalogue = etree.fromstring((await program(curl, "-sSf", root)).encode())
    shelf = catalogue.xpath("//*[local-name()='entry'][*='farm']/*[@rel='subsection']/@href")
    listed = etree.fromstring((await program(curl, "-sSf", urljoin(root, shelf[0]))).encode())
    assert [title.text for title in listed.iter(f"{ATOM}title")][1:] == ["Winnowing"]
    (search,) = catalogue.xpath("//*[@rel='search']/@href")
    found = etree.fromstring((await program(curl, "-sSf", search)).encode())
    (template,) = found.xpath("//@template")
    query = template.replace("{searchTerms}", "husks")
    result = etree.fromstring((await program(curl, "-sSf", query)).encode())
    (book,) = result.xpath("//*[@rel='http://opds-spec.org/acquisition']/@href")
    target = tmp_path / "book.epub"
    await program(curl, "-sSf", "-o", str(target), book)
    printed = await program("java", "-jar", check, str(target))
    assert "No errors or warnings detected" in printed


async def test_the_catalogue_is_turned_over_page_by_page(whole: Whole) -> None:
    proxy, _ = whole
    entries = [
        {"title": str(n), "url": f"https://a.example/{n}", "content": f"<p>Story {n}.</p>"}
        for n in range(120)
    ]
    await import_file(proxy, json.dumps(entries).encode())
    seen: list[str] = []
    address = f"{own(proxy)}/-/opds/pages"
    while address:
        feed = etree.fromstring((await get(proxy, address.removeprefix(own(proxy)))).body)
        seen += [entry.findtext(f"{ATOM}title", "") for entry in feed.iter(f"{ATOM}entry")]
        address = "".join(feed.xpath("//*[@rel='next']/@href"))
    assert sorted(seen) == sorted(map(str, range(120)))


async def test_the_rss_of_a_tag_has_whole_articles(whole: Whole) -> None:
    proxy, _ = whole
    await save(whole, "farm")
    feed = etree.fromstring((await get(proxy, "/-/saved/rss?tag=farm")).body)
    (item,) = feed.iter("item")
    assert item.findtext("title") == "Winnowing"
    content = item.findtext("{http://purl.org/rss/1.0/modules/content/}encoded")
    assert content is not None
    assert ARTICLE[0] in content
    assert not list(etree.fromstring((await get(proxy, "/-/saved/rss?tag=no")).body).iter("item"))


async def test_a_list_of_feeds_goes_by_winnow_and_back(whole: Whole) -> None:
    proxy, _ = whole
    opml = (
        '<?xml version="1.0"?><opml version="2.0"><body><outline text="A" type="rss" '
        'xmlUrl="https://a.example/feed?a=1&amp;b=2" htmlUrl="https://a.example/"/></body></opml>'
    )
    full = await send(proxy, "/-/opml", opml.encode(), to="full")
    address = etree.fromstring(full.body).xpath("//@xmlUrl")[0]
    assert address == (f"{own(proxy)}/-/feed?url=https%3A%2F%2Fa.example%2Ffeed%3Fa%3D1%26b%3D2")
    twice = await send(proxy, "/-/opml", full.body, to="full")
    assert twice.body == full.body
    back = await send(proxy, "/-/opml", full.body, to="original")
    assert back.body.decode() == opml
    assert (await send(proxy, "/-/opml", b"<html>", to="full")).status == 422
