"""Compare and why through real sockets and a real worker; a block that is kept stays kept."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from urllib.parse import quote, urlencode, urlsplit
from zipfile import ZipFile

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.proxy.origins import get as fetch
from tests.proxy.own.templates.support import attribute
from tests.unhurried import UNHURRIED
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.extractors.registry import names

Whole = tuple[Running, Origin]
BROWSER = "Accept: text/html,*/*;q=0.8"


@pytest.fixture
async def whole() -> AsyncIterator[tuple[Running, Origin]]:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with serving(Origin()) as origin, running(settings) as proxy:
        marked = PAGE.replace("<ul>", "<ul class=menu>", 1).encode()
        origin.replies["/page"] = html(marked)
        yield proxy, origin


async def get(proxy: Running, path: str, *fields: str) -> Answer:
    host = f"127.0.0.1:{proxy.port}"
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", BROWSER, *fields]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


async def post(proxy: Running, path: str, form: dict[str, str], *fields: str) -> Answer:
    body = urlencode(form).encode()
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        BROWSER,
        "Content-Type: application/x-www-form-urlencoded",
        f"Content-Length: {len(body)}",
        *fields,
    ]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def test_what_clusters_ask_by_custom_is_answered(whole: Whole) -> None:
    """Issue 44: /healthz was a 404."""
    proxy, origin = whole
    answer = await get(proxy, "/healthz")
    assert (answer.status, answer.body) == (200, b"ok\n")
    origin.replies["/healthz"] = html(b"theirs")
    theirs = await ask(proxy.port, fetch(origin.url("/healthz"), "Winnow-Mode: original"))
    assert b"theirs" in theirs.body


async def test_who_is_led_to_a_private_page_is_requested(whole: Whole) -> None:
    """As by a page of another device in one's own network, read through the proxy."""
    proxy, origin = whole
    led = ("User-Agent: Mozilla/5.0", "Referer: http://10.0.0.9/")
    answer = await get(proxy, f"/-/why?url={origin.url('/page')}&extractor=bte", *led)
    assert (answer.status, origin.requests) == (403, [])
    form = LexborHTMLParser(answer.body).css_first("form")
    assert form
    fields = {attribute(one, "name"): attribute(one, "value") for one in form.css("input")}
    assert fields["url"] == origin.url("/page")
    again = await get(proxy, f"{attribute(form, 'action')}?{urlencode(fields)}", *led)
    assert (again.status, len(origin.requests)) == (200, 1)


@pytest.mark.parametrize("view", ["why", "book", "print", "read"])
async def test_a_private_page_itself_leads_to_its_views_without_a_question(
    whole: Whole, view: str
) -> None:
    """As by its bar."""
    proxy, origin = whole
    led = ("User-Agent: Mozilla/5.0", f"Referer: {origin.url('/page')}")
    query = f"url={address(origin)}&extractor=bte&format=markdown"
    answer = await get(proxy, f"/-/{view}?{query}", *led)
    assert (answer.status, len(origin.requests)) == (200, 1)


DRAWN = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script>'
    b'<path d="M0 0h9" onload="alert(1)"/></svg>'
)


async def test_a_book_has_the_drawings_of_its_page_and_nothing_that_runs(whole: Whole) -> None:
    proxy, origin = whole
    sheet = DRAWN.replace(b"script>", b"style>")
    for name, body in (("a", DRAWN), ("b", sheet)):
        origin.replies[f"/{name}.svg"] = reply(body, "Content-Type: image/svg+xml")
    figures = "<p><img src=/a.svg alt='The mill'></p><p><img src=/b.svg alt='The wheel'></p>"
    origin.replies["/drawn"] = html(PAGE.replace("</p>", f"</p>{figures}", 1).encode())
    book = await get(proxy, f"/-/book?url={quote(origin.url('/drawn'), safe='')}&extractor=plain")
    assert book.status == 200
    with ZipFile(BytesIO(book.body)) as files:
        names = [each for each in files.namelist() if each.endswith(".svg")]
        assert names == ["EPUB/image1.svg"]
        found = files.read(names[0])
        chapter = files.read("EPUB/chapter1.xhtml").decode()
        assert b"image/svg+xml" in files.read("EPUB/book.opf")
    assert b'<path d="M0 0h9"/>' in found
    assert b"alert" not in found
    assert '<img src="image1.svg" alt="The mill"/>' in chapter
    assert "[Image: The wheel]" in chapter, "what cannot be shown is named"


LED = ("User-Agent: Mozilla/5.0", "Referer: http://10.0.0.9/")
"""A page of another device led the reader here."""


@pytest.mark.parametrize("format_name", ["markdown", "text", "json"])
async def test_who_is_led_to_a_private_page_as_text_is_asked_too(
    whole: Whole, format_name: str
) -> None:
    proxy, origin = whole
    path = f"/-/read?url={address(origin)}&format={format_name}"
    answer = await get(proxy, path, *LED)
    assert (answer.status, origin.requests) == (403, [])
    again = await get(proxy, f"/-/read?{sent_by(answer)}", *LED)
    assert (again.status, len(origin.requests)) == (200, 1)
    assert ARTICLE[0] in again.body.decode()


async def test_a_program_that_is_led_there_gets_the_error_alone(whole: Whole) -> None:
    proxy, origin = whole
    path = f"/-/read?url={address(origin)}&format=markdown"
    answer = await get(proxy, path, *LED, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: ")
    assert (answer.status, origin.requests) == (403, [])
    assert b"<form" not in answer.body


async def test_who_confirms_a_download_is_told_that_it_has_begun(whole: Whole) -> None:
    proxy, origin = whole
    asked = await get(proxy, f"/-/book?url={address(origin)}", *LED)
    assert (asked.status, origin.requests) == (403, [])
    begun = await get(proxy, f"/-/book?{sent_by(asked)}", *LED)
    assert (begun.status, origin.requests) == (200, [])
    assert_sound(begun)
    assert "<h1>Your download has begun</h1>" in begun.body.decode()
    file = await get(proxy, begun.field("refresh").partition("url=")[2], "User-Agent: Mozilla/5.0")
    assert (file.status, file.field("content-type")) == (200, "application/epub+zip")


async def test_no_other_site_has_a_download_begin_without_the_question(whole: Whole) -> None:
    """The page that begins it would ask for the address as one of ours."""
    proxy, origin = whole
    answer = await get(proxy, f"/-/book?url={address(origin)}&begin=1", *LED)
    assert (answer.status, origin.requests) == (403, [])
    assert not answer.field("refresh")


def sent_by(answer: Answer) -> str:
    """What the form of a page sends, as a query."""
    inputs = LexborHTMLParser(answer.body).css("form input")
    return urlencode({attribute(one, "name"): attribute(one, "value") for one in inputs})


def assert_sound(answer: Answer) -> LexborHTMLParser:
    """One h1, one main, a language, no gap in the headings, no script, the strictest CSP."""
    tree = LexborHTMLParser(answer.body)
    assert attribute(tree.css_first("html"), "lang") == "en"
    assert len(tree.css("h1")) == len(tree.css("main")) == 1
    levels = [int(node.tag[1]) for node in tree.css("h1, h2, h3, h4") if node.tag]
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert not tree.css("script, [onclick], [style], iframe")
    policy = answer.field("content-security-policy")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    return tree


def address(origin: Origin) -> str:
    return quote(origin.url("/page"), safe="")


async def test_compare_shows_methods_side_by_side(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    target = f"/-/compare?url={address(origin)}&method=bte&method=plain&method=nope"
    answer = await get(proxy, target)
    assert answer.status == 200
    tree = assert_sound(answer)
    rows = [node.text(separator=" ") for node in tree.css("tbody th[scope=row]")]
    assert rows[:3] == ["bte", "plain", "nope"]
    assert len(tree.css("figure svg")) == 5
    assert ARTICLE[0] in answer.body.decode()


async def test_compare_shows_all_methods_on_one_page(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    tree = assert_sound(await get(proxy, f"/-/compare?url={address(origin)}&method=all"))
    rows = [node.text(separator=" ") for node in tree.css("tbody th[scope=row]")]
    assert rows[: len(names())] == names()


async def test_compare_asks_where_no_page_is_named(whole: tuple[Running, Origin]) -> None:
    tree = assert_sound(await get(whole[0], "/-/compare"))
    assert len(tree.css("input[name=method]")) > 5


async def test_why_shades_what_went_and_one_click_keeps_it(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    values = await get(proxy, f"/-/why?url={address(origin)}&format=json")
    assert {"score", "threshold", "rule"} <= json.loads(values.body)["passages"][0].keys()
    first = assert_sound(await get(proxy, f"/-/why?url={address(origin)}"))
    gone = [node.text() for node in first.css(".gone > p")]
    assert gone == ["Home", "Farm", "Shop", "Imprint", "Terms"]
    assert not first.css("details form")  # nothing is to be opened first: one click
    fields = {
        attribute(node, "name"): attribute(node, "value")
        for node in first.css(".gone form")[0].css("input")
    }
    assert fields["selector"] == "ul.menu > li:nth-of-type(1)"
    assert fields["words"] == "Home"
    stored = await post(proxy, "/-/keep", fields)
    assert stored.status == 303
    again = assert_sound(await get(proxy, stored.field("location")))
    assert [node.text() for node in again.css(".gone > p")] == [
        *("Farm", "Shop", "Imprint", "Terms")
    ], "one of many equal parts is kept alone"
    read = await get(proxy, "/" + origin.url("/page"))
    assert b"Home" in read.body
    assert b"Imprint" not in read.body


@pytest.mark.parametrize("view", ["why", "compare"])
async def test_who_came_by_proxy_is_led_back_to_the_page_itself(
    whole: tuple[Running, Origin], view: str
) -> None:
    proxy, origin = whole
    path = f"/-/{view}?url={address(origin)}"
    direct, through = [
        LexborHTMLParser((await get(proxy, f"{name}{path}")).body).css("main a")
        for name in ("", "http://winnow.internal")
    ]
    for links, target in (
        (direct, f"/-/read?{urlencode({'url': origin.url('/page')})}"),
        (through, origin.url("/page")),
    ):
        found = [attribute(link, "href") for link in links if link.text() == "Read the page"]
        assert found == [target]


async def test_another_site_cannot_keep_anything(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    tree = assert_sound(await get(proxy, f"/-/why?url={address(origin)}"))
    fields = {
        attribute(node, "name"): attribute(node, "value")
        for node in tree.css(".gone form")[0].css("input")
    }
    crossed = await post(proxy, "/-/keep", fields, "Origin: http://evil.example")
    forged = await post(proxy, "/-/keep", {**fields, "selector": "body > *"})
    turned = await post(proxy, "/-/keep", {**fields, "do": "drop"})
    bare = await post(proxy, "/-/keep", {"page": "x", "selector": ".x"})
    assert [crossed.status, forged.status, turned.status, bare.status] == [403] * 4
    assert (await get(proxy, "/-/keep")).status == 405


async def test_errors_are_pages_for_people_and_problems_for_programs(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    missing = quote(origin.url("/missing"), safe="")
    answer = await get(proxy, f"/-/why?url={missing}")
    assert answer.status == 404
    assert_sound(answer)
    assert b"status 404" in answer.body
    bad = await get(proxy, f"/-/why?url={address(origin)}&extractor=btf")
    assert bad.status == 400
    assert b"bte" in bad.body
    request = f"GET /-/why HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
    program = await ask(proxy.port, request.encode())
    assert program.field("content-type") == "application/problem+json"


async def test_graphical_browsers_get_the_page_and_text_browsers_the_list(whole: Whole) -> None:
    proxy, origin = whole
    target = f"/-/why?url={address(origin)}"
    frames = []
    for browser in ("Mozilla/5.0 (X11) Firefox/140.0", "Lynx/2.9.0", "Dillo/3.0.5"):
        fields = (f"User-Agent: {browser}", "Sec-Fetch-Site: none")
        answer = await get(proxy, target, *fields)
        frames.append(len(LexborHTMLParser(answer.body).css("iframe")))
        listed = LexborHTMLParser((await get(proxy, f"{target}&view=list", *fields)).body)
        assert listed.css(".gone")
    assert frames == [1, 0, 0]


async def test_the_frame_may_do_nothing_and_asks_for_its_page_once(whole: Whole) -> None:
    proxy, origin = whole
    target = f"/-/why?url={address(origin)}&view=page"
    tree = LexborHTMLParser((await get(proxy, target)).body)
    frame = tree.css_first("iframe")
    assert attribute(frame, "sandbox") == "allow-top-navigation-by-user-activation"
    answer = await get(proxy, attribute(frame, "src"))
    assert len(origin.requests) == 1
    policy = answer.field("content-security-policy").split("; ")
    assert {"default-src 'none'", "script-src 'none'", "connect-src 'none'"} <= set(policy)
    assert {"form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'"} <= set(policy)
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    assert answer.field("referrer-policy") == "no-referrer"
    assert b"data-winnow=" in answer.body


async def test_a_picture_of_the_frame_needs_its_signature_and_is_a_picture(whole: Whole) -> None:
    proxy, origin = whole
    pixel, port = b"\x89PNG\r\n\x1a\n", urlsplit(origin.url("/")).port
    origin.replies["/i.png"] = reply(pixel, "Content-Type: image/png")
    origin.replies["/page"] = html(
        PAGE.replace(
            "<ul>", f"<img src=/i.png><img src=/page><img src=http://127.0.0.2:{port}/i.png><ul>", 1
        ).encode()
    )
    frame = await get(proxy, f"/-/why/page?url={address(origin)}")
    images = [attribute(node, "src") for node in LexborHTMLParser(frame.body).css("img")]
    assert len(images) == 3
    crossed = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")
    shown = await get(proxy, images[0], *crossed)
    assert (shown.status, shown.body) == (200, pixel), "of the private page's own host"
    assert (await get(proxy, images[1], *crossed)).status == 415
    before = len(origin.requests)
    refused = await get(proxy, images[2], *crossed)
    assert (refused.status, len(origin.requests)) == (403, before), "another private address"
    token, encoded = images[0].split("/")[-2:]
    for path in (f"{token}x/{encoded}", f"{token}/aHR0cDovL2EuZXhhbXBsZS8="):
        forged = f"/-/why/image/{path}"
        assert (await get(proxy, forged, *crossed)).status == 403
        assert (await get(proxy, forged)).status == 403
    typed = await get(proxy, images[2])  # a program, which may reach private addresses otherwise
    assert (typed.status, len(origin.requests)) == (403, before)
    fetched = (*crossed[:1], "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty", "Origin: null")
    assert (await get(proxy, images[0], *fetched)).status == 403
    assert len(origin.requests) == before


async def test_a_part_is_asked_about_before_it_is_kept_or_dropped(whole: Whole) -> None:
    proxy, origin = whole
    query = urlencode({"url": origin.url("/page"), "selector": "ul.menu > li", "place": 1})
    answer = await get(proxy, f"/-/why/part?{query}&do=keep")
    tree = assert_sound(answer)
    assert answer.field("x-frame-options") == "DENY"
    assert tree.css_first("blockquote").text(strip=True) == "Farm"  # type: ignore[union-attr]  # sound
    selectors = [attribute(node, "value") for node in tree.css("input[name=selector]")]
    assert selectors == ["ul.menu > li:nth-of-type(2)", "ul.menu > li", "ul.menu"]
    said = tree.css_first("main").text()  # type: ignore[union-attr]  # sound
    assert "Applies to 1 part of this page" in said, "each says what it hits before it is kept"
    assert "3 parts of this page, " in said
    for wrong in ("do=burn", "do=keep&place=x", "do=keep&place=9", "do=keep&selector=%3A"):
        assert (await get(proxy, f"/-/why/part?{query}&{wrong}")).status == 400
    assert (await post(proxy, "/-/why/part", {})).status == 405


FEED = """<rss version="2.0"><channel><title>Farm news</title>
<item><link>{0}</link><description>teaser</description></item>
<item><link>{1}</link><description>kept</description></item></channel></rss>"""


async def test_a_feed_comes_back_with_its_pages_in_it(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    feed = FEED.format(origin.url("/page"), origin.url("/missing")).encode()
    origin.replies["/feed"] = reply(feed, "Content-Type: application/rss+xml")
    target = f"/-/feed?url={quote(origin.url('/feed'), safe='')}"
    answer = await get(proxy, target)
    assert answer.field("content-type") == "application/rss+xml; charset=utf-8"
    assert answer.body.count(b"</content:encoded>") == 1
    assert ARTICLE[0].split(",")[0].encode() in answer.body
    assert b"Imprint" not in answer.body
    assert b"kept" in answer.body
    known = await get(proxy, target, f"If-None-Match: {answer.field('etag')}")
    assert known.status == 304
    requested = [request.split(b" ")[1] for request in origin.requests]
    assert requested.count(b"/page") == requested.count(b"/missing") == 1


async def test_a_page_leads_to_its_feed_and_another_to_none(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    origin.replies["/feed"] = reply(b'{"items": []}', "Content-Type: application/json")
    link = b'<link rel=alternate type="application/feed+json" href="/feed">'
    origin.replies["/home"] = html(link + b"<p>Home")
    home = await get(proxy, f"/-/feed?url={quote(origin.url('/home'), safe='')}")
    assert home.field("content-type").startswith("application/feed+json")
    none = await get(proxy, f"/-/feed?url={address(origin)}")
    assert none.status == 422
    assert b"is not a feed" in none.body


async def test_all_settings_are_shown_with_their_origin(whole: tuple[Running, Origin]) -> None:
    tree = assert_sound(await get(whole[0], "/-/settings/all"))
    links = {attribute(node, "href") for node in tree.css(".names a")}
    assert {
        f"/-/settings/all?section={name}"
        for name in (
            "server#server.port",
            "extraction#extraction.extractor",
            "gateway#gateway.search",
        )
    } <= links
    changed = [node.text() for node in tree.css("tr.changed th")]
    assert any(text.startswith("extraction.extractor") for text in changed)


async def test_what_was_put_by_can_be_forgotten(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    why = assert_sound(await get(proxy, f"/-/why?url={address(origin)}"))
    keep = {
        attribute(node, "name"): attribute(node, "value")
        for node in why.css(".gone form")[0].css("input")
    }
    await post(proxy, "/-/keep", keep)
    site = f"/-/settings/site?url={address(origin)}"
    stored = assert_sound(await get(proxy, site))
    (kept,) = [node.text().strip() for node in stored.css("textarea[name=keep]")]
    assert kept == "ul.menu > li:nth-of-type(1)"
    forget = {
        attribute(node, "name"): attribute(node, "value")
        for node in stored.css("form")[-1].css("input")
    } | {"do": "remove"}
    crossed = await post(proxy, site, forget, "Origin: http://evil.example")
    assert crossed.status == 403
    assert (await post(proxy, site, {**forget, "was": "x"})).status == 403
    assert (await post(proxy, site, forget)).status == 303
    assert not assert_sound(await get(proxy, site)).css("textarea[name=keep]")[0].text().strip()


async def test_settings_are_not_reported_under_a_strange_name(
    whole: tuple[Running, Origin],
) -> None:
    proxy, _ = whole
    for path in ("/-/settings/all", "/-/settings/saved"):
        request = f"GET {path} HTTP/1.1\r\nHost: evil.example:{proxy.port}\r\n\r\n"
        assert (await ask(proxy.port, request.encode())).status == 421


async def test_the_old_address_of_saved_items_leads_to_the_new_one(
    whole: tuple[Running, Origin],
) -> None:
    proxy, _ = whole
    answer = await get(proxy, "/-/settings/kept")
    assert (answer.status, answer.field("location")) == (303, "/-/settings/saved")
