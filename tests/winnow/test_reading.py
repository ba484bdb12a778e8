"""How pages look, from the form to the reader page: through the gateway and through the proxy."""

from __future__ import annotations

from socket import socket
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask
from tests.proxy.own.templates.support import attribute
from tests.winnow.compose.test_own_pages import assert_sound, get, post, whole
from winnow.compose.running import Running
from winnow.proxy.own.templates.in_page.page_sheet import SHEET
from winnow.proxy.own.templates.navigation import READING
from winnow.proxy.own.view_choices import COOKIE

__all__ = ["whole"]
DARK = "html:root{color-scheme:dark;"
STORED = "@media screen{html:root"
"""How the style of a choice that was stored begins; the bar has its own rules."""
SEPIA_WORD = "usual.usual.usual.serif.sepia"


async def chosen(proxy: Running, *fields: str, **told: str) -> Answer:
    page = await get(proxy, READING)
    token = page.body.decode().partition('name="token" value="')[2].partition('"')[0]
    same = f"Origin: http://127.0.0.1:{proxy.port}"
    return await post(proxy, READING, {"token": token, **told}, same, *fields)


async def through(proxy: Running, url: str, *fields: str) -> Answer:
    host = url.split("/")[2]
    lines = [f"GET {url} HTTP/1.1", f"Host: {host}", "Accept: text/html", *fields]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


async def test_what_was_chosen_is_seen_in_the_gateway_and_through_the_proxy(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    before = (await get(proxy, f"/{url}")).body.decode()
    assert STORED not in before
    answer = await chosen(proxy, theme="dark", size="huge", back=url)
    assert answer.status == 303
    assert answer.field("location").startswith(f"{READING}?saved=1&back=http")
    for page in (await get(proxy, f"/{url}"), await through(proxy, url)):
        assert DARK in page.body.decode()
        assert "html:root{font-size:190%}" in page.body.decode()


async def test_an_error_looks_as_its_reader_chose(whole: tuple[Running, Origin]) -> None:
    """A page that does not answer was bright, and its menu first, whatever had been chosen."""
    proxy, _ = whole
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{closed.getsockname()[1]}/page"
        assert b'class="dark"' not in (await get(proxy, f"/{gone}")).body
        await chosen(proxy, theme="dark", voice="on")
        for page in (await get(proxy, f"/{gone}"), await through(proxy, gone)):
            assert page.status == 502
            assert b'<html lang="en" class="dark">' in page.body
            assert page.body.index(b"<h1") < page.body.index(b"/-/activity")


async def test_the_style_of_a_page_is_fetched_below_its_origin_which_hears_nothing(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    sheets = set()
    for page in (await get(proxy, f"/{url}"), await through(proxy, url)):
        (link,) = LexborHTMLParser(page.body).css("link[rel=stylesheet]")
        sheets.add(attribute(link, "href") or "")
    (sheet,) = sheets
    asked = len(origin.requests)
    evil = ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Dest: style", f"Referer: {url}")
    for css in (await get(proxy, sheet), await through(proxy, origin.url(sheet), *evil)):
        assert (css.status, css.body) == (200, SHEET)
        assert css.field("cache-control").endswith("immutable")
    assert len(origin.requests) == asked
    whole_page = await through(proxy, url, "Winnow-Bar: off")
    assert b"<style>:root" in whole_page.body, "what a program gets stands by itself"


async def test_a_cookie_tells_in_the_gateway_alone(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    url, cookie = origin.url("/page"), f"Cookie: a=b; {COOKIE}={SEPIA_WORD}"
    answer = await chosen(proxy, theme="dark")
    assert "theme" not in answer.field("set-cookie")
    assert answer.field("set-cookie").startswith(
        f"{COOKIE}=usual.usual.usual.serif.dark.off; Path=/;"
    )
    inside, outside = await get(proxy, f"/{url}", cookie), await through(proxy, url, cookie)
    assert DARK not in inside.body.decode()
    assert "html:root{color-scheme:light;--paper:#f6ecd9" in inside.body.decode()
    assert b"Vary: Cookie\r\n" in inside.head
    assert "html:root{color-scheme:light;--paper:#f6ecd9" not in outside.body.decode()
    assert DARK in outside.body.decode()
    assert inside.field("etag") != outside.field("etag")


async def test_it_is_all_as_at_first_again(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    await chosen(proxy, theme="dark")
    answer = await chosen(proxy, theme="dark", forget="1")
    assert f"{COOKIE}=; Path=/; Max-Age=0" in answer.field("set-cookie")
    assert STORED not in (await get(proxy, f"/{origin.url('/page')}")).body.decode()


async def test_basic_pages_and_other_formats_have_no_style(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    await chosen(proxy, theme="dark")
    for wish in ("Winnow-Format: text", "Winnow-Format: pruned", "Winnow-Profile: basic"):
        page = await through(proxy, origin.url("/page"), wish)
        assert STORED not in page.body.decode(), wish
    voice = await through(proxy, origin.url("/page"), "Winnow-Profile: voice", "Winnow-Bar: off")
    assert DARK in voice.body.decode()


async def test_the_form_shows_what_is_chosen_and_leads_back(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    await chosen(proxy, theme="sepia")
    page = (await get(proxy, f"{READING}?back={origin.url('/page')}")).body.decode()
    assert '<option value="sepia" selected>' in page
    assert f'<a href="/{origin.url("/page")}">Back to the page</a>' in page
    assert "javascript" not in (await get(proxy, f"{READING}?back=javascript:1")).body.decode()


async def test_all_looks_can_be_forgotten(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    await chosen(proxy, theme="dark")
    kept = assert_sound(await get(proxy, "/-/settings/saved"))
    (form,) = [node for node in kept.css("form") if "Reset to default" in node.text()]
    fields = {attribute(node, "name"): attribute(node, "value") for node in form.css("input")}
    assert (await post(proxy, "/-/settings/saved", fields)).status == 303
    assert STORED not in (await get(proxy, f"/{origin.url('/page')}")).body.decode()


@pytest.mark.parametrize("origin_of_form", ["http://evil.example", "null"])
async def test_another_site_cannot_choose(
    whole: tuple[Running, Origin], origin_of_form: str
) -> None:
    proxy, _ = whole
    answer = await post(proxy, READING, {"theme": "dark"}, f"Origin: {origin_of_form}")
    assert answer.status == 403
    stale = await post(proxy, READING, {"theme": "dark", "token": "x"})
    assert stale.status == 403


def kept_by_the_bar(url: str, **chosen: str) -> str:
    return f"{READING}?{urlencode({**chosen, 'keep': '1', 'back': url})}"


async def test_the_form_in_the_bar_is_stored_at_once_and_leads_back(
    whole: tuple[Running, Origin],
) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    own = f"http://127.0.0.1:{proxy.port}"
    inside = await get(proxy, kept_by_the_bar(url, theme="dark"), f"Referer: {own}/{url}")
    assert (inside.status, inside.field("location")) == (303, f"/{url}#winnow-kept")
    assert DARK in (await through(proxy, url)).body.decode()
    address = f"http://winnow.internal{kept_by_the_bar(url, size='huge')}"
    outside = await through(proxy, address, f"Referer: {origin.url('/')}")
    assert (outside.status, outside.field("location")) == (303, f"{url}#winnow-kept")
    page = (await through(proxy, url)).body.decode()
    assert "html:root{font-size:190%}" in page
    assert DARK in page, "what the form does not name stays"


async def test_it_leads_back_to_the_view_that_was_read(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    url, own = origin.url("/page"), f"http://127.0.0.1:{proxy.port}"
    view = f"/-/read?{urlencode({'url': url, 'mode': 'extract'})}"
    other = f"/-/read?{urlencode({'url': origin.url('/other'), 'mode': 'extract'})}"
    for referer, to in ((view, view), (other, f"/{url}"), (f"/{url}", f"/{url}")):
        kept = kept_by_the_bar(url, theme="dark")
        answer = await get(proxy, kept, f"Referer: {own}{referer}")
        assert (answer.status, answer.field("location")) == (303, f"{to}#winnow-kept")


@pytest.mark.parametrize("referer", ["", "Referer: http://evil.example/"])
async def test_the_same_from_elsewhere_asks_first(
    whole: tuple[Running, Origin], referer: str
) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    for face in ("", "http://winnow.internal"):
        address = f"{face}{kept_by_the_bar(url, theme='sepia')}"
        fields = [referer] if referer else []
        answer = await (through(proxy, address, *fields) if face else get(proxy, address, *fields))
        assert answer.status == 200
        assert b'<option value="sepia" selected>' in answer.body
    assert STORED not in (await through(proxy, url)).body.decode()


async def test_reading_aloud_is_a_choice_that_lasts(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    await chosen(proxy, voice="on")
    for page in (await get(proxy, f"/{url}"), await through(proxy, url)):
        text, _, behind = page.body.decode().partition("</main>")
        assert 'id="winnow-bar"' in behind
        assert 'id="winnow-bar"' not in text
    named = await through(proxy, url, "Winnow-Profile: reader")
    assert 'id="winnow-bar"' in named.body.decode().partition("</main>")[0]
