"""A page is saved, found, annotated and read again through real sockets and a real worker."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import quote, urlsplit

import pytest
from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.proxy.own.templates.support import attribute
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import get, post
from tests.winnow.conftest import ARTICLE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.features.saved.settings import SavedSettings

Whole = tuple[Running, Origin]
FROM_US = "Sec-Fetch-Site: same-origin"
STORY = f"""<!doctype html><html lang="en"><head><title>Winnowing</title></head><body><article>
<h1>Winnowing</h1><p>{ARTICLE[0]}</p><p><img src="/wind.png" alt="The wind"
width="300" height="200"></p><p>{ARTICLE[1]}</p></article></body></html>"""


def picture() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (300, 200), "green").save(made, "PNG")
    return made.getvalue()


def settings_of(saved: SavedSettings | None = None) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="plain"),
        of_features=(saved or SavedSettings(),),
    )


@pytest.fixture
async def whole() -> AsyncIterator[Whole]:
    async with serving(Origin()) as origin, running(settings_of()) as proxy:
        origin.replies["/story"] = html(STORY.encode())
        origin.replies["/wind.png"] = reply(picture(), "Content-Type: image/png")
        yield proxy, origin


async def save(whole: Whole, tags: str = "", path: str = "/story") -> str:
    """Save a page by its form; returns where it is then."""
    proxy, origin = whole
    target = f"/-/save?url={quote(origin.url(path), safe='')}"
    fields = fields_of(await get(proxy, target)) | {"tags": tags}
    answer = await post(proxy, target, fields, FROM_US, f"Referer: {own(proxy)}{target}")
    assert answer.status == 303, answer.body
    return urlsplit(answer.field("location")).path


def own(proxy: Running) -> str:
    return f"http://127.0.0.1:{proxy.port}"


def fields_of(answer: Answer, form: str = "main form") -> dict[str, str]:
    """What a browser would post."""
    tree = LexborHTMLParser(answer.body)
    inputs = tree.css(f"{form} input[type=hidden]")
    return {attribute(node, "name"): attribute(node, "value") for node in inputs}


async def change(proxy: Running, path: str, **fields: str) -> Answer:
    page = await get(proxy, path)
    sent = fields_of(page, f'main form[action="{path}"]') | fields
    return await post(proxy, path, sent, FROM_US)


async def test_a_saved_page_is_found_by_a_word_and_read_without_its_site(whole: Whole) -> None:
    proxy, origin = whole
    path = await save(whole, "farm, wind")
    origin.replies.clear()
    found = await get(proxy, "/-/saved?q=husks")
    link = LexborHTMLParser(found.body).css_first(".entries a")
    assert link is not None
    assert (link.text(), attribute(link, "href")) == ("Winnowing", path)
    page = await get(proxy, path)
    text = page.body.decode()
    assert ARTICLE[0] in text
    tree = LexborHTMLParser(page.body)
    image = await get(proxy, attribute(tree.css_first("article img"), "src"))
    with Image.open(io.BytesIO(image.body)) as shown:
        assert shown.size == (300, 200)
    assert not tree.css("script")
    assert "script-src" not in page.field("content-security-policy")
    assert "default-src 'none'" in page.field("content-security-policy")


async def test_the_page_says_once_that_it_was_saved(whole: Whole) -> None:
    proxy, origin = whole
    target = f"/-/save?url={quote(origin.url('/story'), safe='')}"
    asked = LexborHTMLParser((await get(proxy, target)).body)
    assert attribute(asked.css("main form a")[0], "href") == origin.url("/story")
    fields = fields_of(await get(proxy, target)) | {"tags": ""}
    answer = await post(proxy, target, fields, FROM_US, f"Referer: {own(proxy)}{target}")
    where = urlsplit(answer.field("location"))
    tree = LexborHTMLParser((await get(proxy, f"{where.path}?{where.query}")).body)
    (said,) = tree.css("[role=status]")
    assert said.text() == "This page was saved. All saved pages"
    assert attribute(tree.css("[role=status] a")[0], "href") == "/-/saved"
    assert b'role="status"' not in (await get(proxy, where.path)).body
    again = LexborHTMLParser((await get(proxy, target)).body)
    assert [node.text() for node in again.css("main b")] == ["Winnowing"]


async def test_a_search_shows_the_text_around_the_word_and_none_of_its_markup(
    whole: Whole,
) -> None:
    proxy, origin = whole
    described = '<meta name="description" content="Of grain."></head>'
    story = STORY.replace("</head>", described).replace(
        ARTICLE[1], f"{ARTICLE[1]} The husks &lt;img src=x&gt; fly."
    )
    origin.replies["/story"] = html(story.encode())
    await save(whole)
    found = LexborHTMLParser((await get(proxy, "/-/saved?q=HUSK")).body)
    assert {node.text().lower() for node in found.css(".entries mark")} == {"husks"}
    assert not found.css(".entries img")
    assert "Of grain." not in found.css(".entries")[0].text()
    listed = LexborHTMLParser((await get(proxy, "/-/saved")).body)
    assert "Of grain." in listed.css(".entries")[0].text()


async def test_nothing_else_is_found(whole: Whole) -> None:
    proxy, _ = whole
    await save(whole)
    page = await get(proxy, "/-/saved?q=unheard")
    assert "No saved page has these words." in page.body.decode()


async def test_tags_lead_to_their_pages(whole: Whole) -> None:
    proxy, _ = whole
    path = await save(whole, "farm, wind")
    assert (await change(proxy, path, do="tags", tags="wind, grain")).status == 303
    listed = (await get(proxy, "/-/saved?tag=grain")).body.decode()
    assert "Winnowing" in listed
    assert "grain (1)" in listed
    assert "farm" not in listed
    assert "Winnowing" not in (await get(proxy, "/-/saved?tag=farm")).body.decode()


async def test_a_highlight_and_its_note_are_shown_and_searched(whole: Whole) -> None:
    proxy, _ = whole
    path = await save(whole)
    noted = await change(proxy, path, do="note", quote="wooden shovel", remark="Which\r\nwood?")
    assert noted.status == 303
    page = await get(proxy, path)
    assert '<mark id="note1">wooden shovel</mark>' in page.body.decode()
    assert path in (await get(proxy, "/-/saved?q=which+wood")).body.decode()
    tree = LexborHTMLParser(page.body)
    fields = {
        attribute(node, "name"): attribute(node, "value").replace("\n", "\r\n")
        for node in tree.css("li form input")
    }
    assert (await post(proxy, path, fields, FROM_US)).status == 303
    assert "<mark" not in (await get(proxy, path)).body.decode()


async def test_a_page_that_is_deleted_is_gone(whole: Whole) -> None:
    proxy, _ = whole
    path = await save(whole)
    assert (await change(proxy, path, do="delete")).status == 303
    assert (await get(proxy, path)).status == 404
    assert (await get(proxy, f"{path}/book.epub")).status == 404


async def test_its_book_has_text_and_images(whole: Whole) -> None:
    proxy, _ = whole
    path = await save(whole)
    book = await get(proxy, f"{path}/book.epub")
    assert book.field("content-type") == "application/epub+zip"
    assert b"EPUB/image1." in book.body


async def test_it_is_read_aloud_from_what_is_stored(whole: Whole) -> None:
    proxy, origin = whole
    path = await save(whole)
    origin.replies.clear()
    page = await get(proxy, f"{path}/listen")
    assert ARTICLE[0] in page.body.decode()
    assert "script-src 'sha256-" in page.field("content-security-policy")


async def test_images_beyond_the_limit_are_left_out() -> None:
    tiny = settings_of(SavedSettings(images=10))
    async with serving(Origin()) as origin, running(tiny) as proxy:
        origin.replies["/story"] = html(STORY.encode())
        origin.replies["/wind.png"] = reply(picture(), "Content-Type: image/png")
        path = await save((proxy, origin))
        page = await get(proxy, path)
        tree = LexborHTMLParser(page.body)
        assert not tree.css("article img")
        assert attribute(tree.css_first('article a[href$="wind.png"]'), "rel") == "noreferrer"


async def test_what_a_page_links_to_saves_nothing(whole: Whole) -> None:
    proxy, origin = whole
    url = quote(origin.url("/story"), safe="")
    await get(proxy, f"/-/save?url={url}&tags=mine")
    assert "Nothing is saved yet" in (await get(proxy, "/-/saved")).body.decode()
    assert origin.requests == []


@pytest.mark.parametrize("field", ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"])
async def test_another_site_saves_and_deletes_nothing(whole: Whole, field: str) -> None:
    proxy, origin = whole
    target = f"/-/save?url={quote(origin.url('/story'), safe='')}"
    fields = fields_of(await get(proxy, target))
    assert (await post(proxy, target, fields, field)).status == 403
    path = await save(whole)
    deleting = fields_of(await get(proxy, path), "main > form") | {"do": "delete"}
    assert (await post(proxy, path, deleting, field)).status == 403
    assert (await get(proxy, path)).status == 200


async def test_a_form_without_its_token_does_nothing(whole: Whole) -> None:
    proxy, origin = whole
    url = origin.url("/story")
    target = f"/-/save?url={quote(url, safe='')}"
    referer = f"Referer: {own(proxy)}{target}"
    assert (await post(proxy, target, {"url": url}, FROM_US, referer)).status == 403
    path = await save(whole)
    number = path.rpartition("/")[2]
    assert (await post(proxy, path, {"number": number, "do": "delete"}, FROM_US)).status == 403


async def test_the_form_of_one_page_changes_no_other(whole: Whole) -> None:
    proxy, origin = whole
    origin.replies["/two"] = html(STORY.encode())
    first, second = await save(whole), await save(whole, path="/two")
    fields = fields_of(await get(proxy, first), f'main form[action="{first}"]')
    for number in (first.rpartition("/")[2], second.rpartition("/")[2]):
        sent = fields | {"do": "delete", "number": number}
        assert (await post(proxy, second, sent, FROM_US)).status in (400, 403)
    assert (await get(proxy, second)).status == 200


async def test_saving_fetches_no_private_address_that_another_site_named(whole: Whole) -> None:
    """The form's request shows that our own page sent it; without that it may be any site's."""
    proxy, origin = whole
    target = f"/-/save?url={quote(origin.url('/story'), safe='')}"
    fields = fields_of(await get(proxy, target))
    answer = await post(proxy, target, fields, "User-Agent: Mozilla/5.0", FROM_US)
    assert answer.status == 403
    assert origin.requests == []


async def test_under_a_strange_name_nothing_is_seen(whole: Whole) -> None:
    proxy, _ = whole
    path = await save(whole)
    for target in ("/-/saved", path, f"{path}/book.epub", f"{path}/image/0", "/-/save?url=a.de"):
        request = f"GET {target} HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        assert (await ask(proxy.port, request.encode())).status == 421


async def test_a_page_s_address_leads_to_its_saved_copy(whole: Whole) -> None:
    proxy, origin = whole
    path, url = await save(whole), quote(origin.url("/story"), safe="")
    found = await get(proxy, f"/-/saved?url={url}")
    assert (found.status, found.field("location")) == (303, path)
    other = await get(proxy, f"/-/saved?url={url}x")
    assert other.status == 404
    assert b"You have not saved this page." in other.body


async def test_a_saved_page_has_the_reader_s_typeface_and_text_and_colours(whole: Whole) -> None:
    proxy, _origin = whole
    path = await save(whole)
    looks = "Cookie: winnow-looks=huge.wide.usual.sans.sepia.off"
    for address in (path, f"{path}/listen"):
        plain, chosen = await get(proxy, address), await get(proxy, address, looks)
        assert b"var(--serif)" in plain.body
        assert b"html:root{font-size:190%}" not in plain.body
        assert b"html:root{font-size:190%}" in chosen.body
        (aa,) = (a for a in LexborHTMLParser(plain.body).css(".tools a") if a.text() == "Aa")
        settings = await get(proxy, attribute(aa, "href"))
        links = [node.attributes["href"] for node in LexborHTMLParser(settings.body).css("main a")]
        assert address in links


async def test_the_way_back_from_text_and_colours_leads_to_no_other_site(whole: Whole) -> None:
    proxy, _origin = whole
    back = quote(f"{own(proxy)}//elsewhere.example/", safe="")
    page = await get(proxy, f"/-/settings/reading?back={back}")
    links = [node.attributes["href"] for node in LexborHTMLParser(page.body).css("main a")]
    assert "/elsewhere.example/" in links
    assert not any(str(link).startswith("//") for link in links)
