"""The small-screen gateway through real sockets: budgets, parts, images, forms, shelf, browsers."""

from __future__ import annotations

import asyncio
import io
import re
import zipfile
from urllib.parse import urlencode

import pytest
from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from tests.programs import require_program
from tests.proxy.origins import Answer, Origin, ask, html, reply
from tests.proxy.own.templates.support import attribute
from tests.winnow.compose.test_own_pages import get, post, whole
from winnow.compose.running import Running
from winnow.features.small.templates.small_pages import STYLE
from winnow.proxy.access import private_addresses
from winnow.proxy.access.credentials.image_signatures import ImageSignatures

Whole = tuple[Running, Origin]
__all__ = ["whole"]
SENTENCE = "The river rose overnight – and by morning the café stood in water. "
TEASER = "<li><a href=/l class='teaser teaser--small js-track' data-at=news-front>Sport</a>"
LINKS = f"<ul>{TEASER * 3700}</ul>"
NEWS = (
    "<html lang=en><title>The flood</title><meta property=og:type content=article><body>"
    + LINKS
    + "<form action=/find><input name=q></form>"
    + "<form method=post action=/login><input name=u><input type=password name=p></form>"
    + "<article><h1>The flood</h1>"
    + "".join(
        f"<p>On day {day}. {SENTENCE * 4}</p><img src=/i.jpg alt='The bridge'>" for day in range(40)
    )
    + f"<p>{SENTENCE}</p></article>"
).encode()


def picture() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((1200, 800), 70).convert("RGB").save(out, "JPEG", quality=90)
    return out.getvalue()


@pytest.fixture
def news(whole: Whole) -> Whole:
    _, origin = whole
    origin.replies["/news"] = html(NEWS)
    origin.replies["/i.jpg"] = reply(picture(), "Content-Type: image/jpeg")
    return whole


def assert_plain(answer: Answer) -> LexborHTMLParser:
    """One h1, one main, a language; no script, no style but one line, nothing from elsewhere."""
    tree = LexborHTMLParser(answer.body)
    assert attribute(tree.css_first("html"), "lang") == "en"
    assert len(tree.css("h1")) == len(tree.css("main")) == 1
    assert not tree.css("script, iframe, link, svg, [onclick], [style]")
    assert [node.text() for node in tree.css("style")] == [STYLE]
    policy = answer.field("content-security-policy")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    return tree


async def test_a_news_page_of_300_kb_costs_15_without_images(news: Whole) -> None:
    proxy, origin = news
    assert len(NEWS) > 300_000
    answer = await get(proxy, f"/-/small/{origin.url('/news')}")
    assert len(answer.body) <= 15_000
    tree = assert_plain(answer)
    assert not tree.css("img")
    assert re.search(rb"\d+ kB instead of \d+ kB", answer.body)


async def test_with_images_it_costs_60(news: Whole) -> None:
    proxy, origin = news
    answer = await get(proxy, f"/-/small/i2/{origin.url('/news')}")
    size = len(answer.body)
    sources = [attribute(node, "src") for node in assert_plain(answer).css("img")]
    assert sources
    for source in sources:
        image = await get(proxy, source)
        assert image.field("content-type") == "image/jpeg"
        assert Image.open(io.BytesIO(image.body)).width <= 240
        size += len(image.body)
    assert size <= 60_000


async def test_pages_follow_one_another_to_the_end(news: Whole) -> None:
    proxy, origin = news
    path: str | None = f"/-/small/k4/{origin.url('/news')}"
    seen = 0
    while path:
        tree = assert_plain(await get(proxy, path))
        seen += 1
        links = {node.text(): attribute(node, "href") for node in tree.css("nav a")}
        assert ("Previous page" in links) == (seen > 1)
        path = links.get("Next page")
    assert seen > 3


async def test_a_page_says_where_it_is_and_leads_to_any_other(news: Whole) -> None:
    proxy, origin = news
    headed = NEWS.replace(b"<p>On day 3.", b"<h2>Sandbags</h2><p>On day 3.")
    origin.replies["/news"] = html(headed.replace(b"<p>On day 20.", b"<h2>Bread</h2><p>On day 20."))
    tree = assert_plain(await get(proxy, f"/-/small/w300.k4/{origin.url('/news')}"))
    (words,) = [node.text() for node in tree.css("main")]
    assert re.search(r"Page 1 of \d+ \| Headings", words)
    fields = {attribute(node, "name"): node for node in tree.css("nav form input[name]")}
    assert attribute(fields["url"], "value") == origin.url("/news")
    jump = attribute(tree.css_first("nav form"), "action")
    moved = await get(proxy, f"{jump}?{urlencode({'url': origin.url('/news'), 'part': ' 3 '})}")
    assert moved.field("location") == f"/-/small/w300.k4.p3/{origin.url('/news')}"
    (link,) = [node for node in tree.css("main a") if node.text() == "Headings"]
    listed = assert_plain(await get(proxy, attribute(link, "href")))
    found = [(node.text(), attribute(node, "href")) for node in listed.css("li a")]
    assert found[-1][0] == "Bread"
    path, _, anchor = found[-1][1].partition("#")
    heading = assert_plain(await get(proxy, path)).css_first(f"#{anchor}")
    assert heading is not None
    assert heading.text() == "Bread"


async def test_images_are_what_the_device_takes(news: Whole) -> None:
    proxy, origin = news
    path = f"/-/small/w200.b5/{origin.url('/i.jpg')}"
    webp = await get(proxy, path, "Accept: image/webp,*/*")
    assert webp.field("content-type") == "image/webp"
    assert len(webp.body) <= 5000
    hinted = await get(proxy, f"/-/small/{origin.url('/i.jpg')}", "Viewport-Width: 120")
    assert Image.open(io.BytesIO(hinted.body)).width <= 120
    assert webp.field("vary") == "Accept"


async def test_letters_are_those_that_the_device_shows(news: Whole) -> None:
    proxy, origin = news
    ascii_only = await get(proxy, f"/-/small/t2/{origin.url('/news')}")
    assert ascii_only.field("content-type") == "text/html; charset=us-ascii"
    assert b"overnight - and by morning the cafe stood" in ascii_only.body
    latin = await get(proxy, f"/-/small/{origin.url('/news')}", "Accept-Charset: iso-8859-1")
    assert "café".encode("latin-1") in latin.body


async def test_forms_go_through_but_passwords_do_not(news: Whole) -> None:
    proxy, origin = news
    tree = assert_plain(await get(proxy, f"/-/small/{origin.url('/news')}"))
    action = attribute(tree.css_first("section form"), "action")
    assert action == f"/-/small/{origin.url('/find')}"
    assert any("log-in" in node.text() for node in tree.css("section"))
    origin.replies["/find?q=hay"] = html(b"<title>Found</title><p>" + b"Hay was found. " * 30)
    assert b"Hay was found" in (await get(proxy, f"{action}?q=hay")).body
    origin.replies["/send"] = html(b"<title>Thanks</title><p>" + b"Thank you for it. " * 30)
    sent = await post(proxy, f"/-/small/{origin.url('/send')}", {"comment": "Good day"})
    assert b"Thank you" in sent.body
    assert origin.bodies[-1] == b"comment=Good+day"
    login = await post(proxy, f"/-/small/{origin.url('/login')}", {"u": "a", "password": "b"})
    assert login.status == 403
    assert b"does not forward passwords" in login.body
    crossed = await post(
        proxy, f"/-/small/{origin.url('/send')}", {"a": "b"}, "Origin: http://evil.example"
    )
    assert crossed.status == 403


async def test_bookmarks_and_pages_read_are_kept(news: Whole) -> None:
    proxy, origin = news
    page = assert_plain(await get(proxy, f"/-/small/{origin.url('/news')}"))
    fields = {
        attribute(node, "name"): attribute(node, "value")
        for node in page.css("footer input[type=hidden]")
    }
    assert (await post(proxy, "/-/small/bookmark", fields)).status == 303
    home = assert_plain(await get(proxy, "/-/small/"))
    assert [node.text() for node in home.css("li a")] == ["The flood", "The flood"]
    forged = await post(proxy, "/-/small/bookmark", {**fields, "url": "https://evil.example/"})
    assert forged.status == 403
    remove = {
        attribute(node, "name"): attribute(node, "value")
        for node in home.css("li input[type=hidden]")
    }
    await post(proxy, "/-/small/bookmark", remove)
    again = assert_plain(await get(proxy, "/-/small/"))
    assert [node.text() for node in again.css("li a")] == ["The flood"]


FOREIGN = {
    "a link": (
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document",
    ),
    "a redirect of a typed address": ("Sec-Fetch-Site: none",),
    "an older browser": ("Referer: http://evil.example/", "User-Agent: Mozilla/4.0"),
    "one that says nothing": ("User-Agent: Mozilla/4.0",),
}


@pytest.mark.parametrize("fields", FOREIGN.values(), ids=FOREIGN)
async def test_no_other_site_writes_to_the_history(
    news: Whole, fields: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_addresses, "is_public_host", lambda _host: True)
    proxy, origin = news
    before = proxy.state.library.now
    for path in (f"/-/small/{origin.url('/news')}", f"/-/small/{origin.url('/i.jpg')}"):
        assert (await get(proxy, path, *fields)).status == 200
    assert proxy.state.library.now == before


async def test_a_step_within_small_pages_is_noted(news: Whole) -> None:
    proxy, origin = news
    await get(
        proxy, f"/-/small/{origin.url('/news')}", "Sec-Fetch-Site: same-origin",
        f"Referer: http://127.0.0.1:{proxy.port}/-/small/",
    )  # fmt: skip
    assert [entry.title for entry in proxy.state.library.now.recent] == ["The flood"]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("jump?url=https://a.example/b&part=7", "/-/small/p7/https://a.example/b"),
        ("w300/jump?url=https://a.example/b&part=x", "/-/small/w300/https://a.example/b"),
        ("go?url=a.example/b", "/-/small/https://a.example/b"),
        ("w300/go?url=a.example", "/-/small/w300/https://a.example/"),
        ("search?q=hay+wagon", "/-/small/https://html.duckduckgo.com/html/?q=hay+wagon"),
        ("options?width=320&text=2&images=2", "/-/small/w320.i2.t2/"),
    ],
)
async def test_boxes_lead_on(whole: Whole, path: str, location: str) -> None:
    answer = await get(whole[0], f"/-/small/{path}")
    assert (answer.status, answer.field("location")) == (303, location)


async def test_what_does_not_work_is_said_plainly(whole: Whole) -> None:
    proxy, origin = whole
    origin.replies["/f.zip"] = reply(b"PK", "Content-Type: application/zip")
    origin.replies["/t.txt"] = reply(b"One <b>\n\nTwo", "Content-Type: text/plain")
    assert b"kind application/zip" in (await get(proxy, f"/-/small/{origin.url('/f.zip')}")).body
    text = await get(proxy, f"/-/small/{origin.url('/t.txt')}")
    assert b"One &lt;b&gt;" in text.body
    nowhere = await get(proxy, "/-/small/nowhere")
    assert nowhere.status == 404
    assert_plain(nowhere)
    gone = await get(proxy, "/-/small/http://127.0.0.1:1/")
    assert gone.status == 502


async def test_compression_is_used_where_it_is_taken(news: Whole) -> None:
    proxy, origin = news
    answer = await get(proxy, f"/-/small/{origin.url('/news')}", "Accept-Encoding: gzip")
    assert answer.field("content-encoding") == "gzip"
    assert len(answer.body) < 5000


@pytest.mark.parametrize("browser", ["w3m", "lynx"])
async def test_text_browsers_read_it(news: Whole, browser: str) -> None:
    program = require_program(browser)
    proxy, origin = news
    address = f"http://127.0.0.1:{proxy.port}/-/small/t2/{origin.url('/news')}"
    process = await asyncio.create_subprocess_exec(
        program, "-dump", address, stdout=asyncio.subprocess.PIPE
    )
    shown, _ = await process.communicate()
    words = " ".join(shown.decode().split())
    assert "The river rose overnight - and by morning the cafe stood in water." in words
    assert "Next page" in words
    assert "Sport" not in words


async def test_reading_for_a_basic_device_leads_here(whole: Whole) -> None:
    answer = await get(whole[0], "/-/read?url=https://a.example/b%3Fc=d&profile=basic")
    assert answer.field("location") == "/-/small/https://a.example/b?c=d"


async def test_pages_become_one_book_with_their_images(news: Whole) -> None:
    proxy, origin = news
    origin.replies["/gone.jpg"] = reply(b"", status="404 Not Found")
    second = NEWS.replace(b"The flood", b"The ebb").replace(b"/i.jpg", b"/gone.jpg")
    origin.replies["/two"] = html(second)
    asked = urlencode(
        [("url", origin.url("/news")), ("url", origin.url("/two")), ("title", "Both")]
    )
    answer = await get(proxy, f"/-/book?{asked}")
    assert answer.field("content-type") == "application/epub+zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as book:
        names = set(book.namelist())
        assert {"EPUB/chapter1.xhtml", "EPUB/chapter2.xhtml", "EPUB/image1.jpg"} <= names
        assert Image.open(io.BytesIO(book.read("EPUB/image1.jpg"))).width <= 1000
        assert b'<img src="image1.jpg" alt="The bridge"/>' in book.read("EPUB/chapter1.xhtml")
        assert b"[Image: The bridge]" in book.read("EPUB/chapter2.xhtml")
        assert b"<dc:title>Both</dc:title>" in book.read("EPUB/book.opf")
    assert "EPUB/image2.jpg" not in names
    many = await get(proxy, f"/-/book?{'url=a.example&' * 21}")
    assert many.status == 400
    assert b"Enter 1 to 20 pages" in many.body


async def through(proxy: Running, url: str, *fields: str) -> Answer:
    host = url.split("/")[2]
    lines = [f"GET {url} HTTP/1.1", f"Host: {host}", "Accept: text/html", *fields]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


async def test_a_basic_device_behind_the_proxy_gets_the_first_page_and_a_way_to_the_next(
    news: Whole,
) -> None:
    proxy, origin = news
    url = origin.url("/news")
    basic = ("Winnow-Profile: basic", "Winnow-Bar: off")
    first = await through(proxy, url, *basic)
    assert first.field("winnow-action") == "extracted"
    assert len(first.body) <= 15_000
    assert re.search(rb"\d+ kB instead of \d+ kB", first.body)
    tree, size, pages = LexborHTMLParser(first.body), len(first.body), 1
    for node in tree.css("img"):
        image = await through(proxy, attribute(node, "src"))
        assert image.field("content-type") == "image/jpeg"
        size += len(image.body)
    assert tree.css("img")
    assert size <= 60_000
    said = [node.text() for node in tree.css("p") if SENTENCE.strip() in node.text()]
    onwards = [node for node in tree.css("a") if node.text() == "Next page"]
    while onwards:
        pages += 1
        address = attribute(onwards[0], "href")
        next_page = address if address.startswith("http") else f"http://winnow.internal{address}"
        tree = LexborHTMLParser((await through(proxy, next_page)).body)
        said += [node.text() for node in tree.css("p") if SENTENCE.strip() in node.text()]
        onwards = [node for node in tree.css("nav a") if node.text() == "Next page"]
    assert pages > 1
    assert len(said) == 41


async def test_for_a_signed_address_nothing_but_an_image_is_sent(whole: Whole) -> None:
    proxy, origin = whole
    page = f"http://winnow.internal/-/small/i2/{origin.url('/page')}"
    source = ImageSignatures(proxy.state.shared.tokens)(f'src="{page}"'.encode(), "127.0.0.1")
    answer = await through(proxy, source.decode()[5:-1])
    assert answer.status == 415
    assert (await through(proxy, page)).status == 200


async def test_a_short_page_for_a_basic_device_has_no_next_one(whole: Whole) -> None:
    proxy, origin = whole
    page = await through(proxy, origin.url("/page"), "Winnow-Profile: basic")
    assert b"Next page" not in page.body
    assert page.field("winnow-action") == "extracted"
