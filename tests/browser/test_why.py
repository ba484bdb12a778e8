"""Why on the page itself in Chromium: its look, its marks, the way to a rule; it does nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import FrameLocator, Page, Request

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, reply, serving
from tests.unhurried import UNHURRIED
from tests.winnow.conftest import ARTICLE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.own.languages import Language

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
STORY = f"""<!doctype html><html lang=en><head><title>Winnowing</title>
<link rel=stylesheet href=/look.css></head><body><nav class=top><a href=/home>Home</a>
<a href=/shop>Shop</a></nav><div id=text><h1>Winnowing</h1><p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p>
<p>The third speaks of the wind and of the mill, and leads
<a href=/home>home</a></p></div>
<aside id=box><p>Most read: the mill burned down, and nobody knows why on a wet day.</p></aside>
<img src=/seen.png width=20 height=20><img src=/unseen.png style="display:none"></body></html>"""
LOOK = b"body { background: rgb(1, 2, 3) url(/ground.png); color: white } nav { margin: 40px }"


@asynccontextmanager
async def opened(
    folder: Path, page: str = STORY, *, width: int = 1280, script: bool = True, dark: bool = False
) -> AsyncIterator[tuple[Page, Origin, Running]]:
    """Why of a page, in a window."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=folder),
        extraction=replace(UNHURRIED, extractor="largest-block"),
    )
    css, png = reply(LOOK, "Content-Type: text/css"), reply(PIXEL, "Content-Type: image/png")
    files = {"/look.css": css, **dict.fromkeys(("/seen.png", "/unseen.png", "/ground.png"), png)}
    async with (
        serving(Origin({"/story": html(page.encode()), **files})) as origin,
        running(settings) as proxy,
        chromium() as browser,
    ):
        context = await browser.new_context(
            viewport={"width": width, "height": 720},
            java_script_enabled=script,
            color_scheme="dark" if dark else "light",
        )
        tab = await context.new_page()
        await tab.goto(f"http://127.0.0.1:{proxy.port}/-/why?url={quote(origin.url('/story'))}")
        yield tab, origin, proxy


def framed(tab: Page) -> FrameLocator:
    return tab.frame_locator("iframe")


async def test_the_page_has_its_own_look_and_its_parts_are_marked(tmp_path: Path) -> None:
    async with opened(tmp_path) as (tab, origin, _):
        body = framed(tab).locator("body")
        drawn = await body.evaluate("node => getComputedStyle(node).backgroundColor")
        assert drawn == "rgb(1, 2, 3)"
        gone = framed(tab).locator("[data-winnow=gone]")
        assert await gone.count() == 3, "menu, box, picture"
        picture = framed(tab).locator("img").first
        loaded = "node => node.complete || new Promise(load => node.onload = node.onerror = load)"
        await picture.evaluate(loaded)
        assert await picture.evaluate("node => node.naturalWidth") == 1
        shade = await gone.first.evaluate("node => getComputedStyle(node).backgroundColor")
        assert shade == "rgb(251, 227, 224)"
        link = gone.locator("a:not([data-winnow-note])").first
        points = await link.evaluate("node => getComputedStyle(node).pointerEvents")
        assert points == "none", "a click in a part that was left out leads nowhere"
        requested = [request.split(b" ")[1] for request in origin.requests]
        assert requested.count(b"/story") == requested.count(b"/look.css") == 1
        assert {b"/home", b"/shop"}.isdisjoint(requested)


async def test_pictures_of_a_public_page_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = "winnow.features.why.why_frame.public_only"
    monkeypatch.setattr(everywhere, lambda _host, _port: True)  # the origin is on this machine
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path),
        extraction=UNHURRIED,
    )
    page = STORY.replace("<h1>", "<p>Look: <img src=/seen.png width=20 height=20></p><h1>")
    png = reply(PIXEL, "Content-Type: image/png")
    async with (
        serving(Origin({"/story": html(page.encode()), "/seen.png": png})) as origin,
        running(open_names(settings), NamedOrigins({("news.example", 80): origin.port})) as proxy,
        chromium() as browser,
    ):
        tab = await browser.new_page()
        url = quote("http://news.example/story")
        await tab.goto(f"http://127.0.0.1:{proxy.port}/-/why?url={url}", wait_until="networkidle")
        picture = framed(tab).locator("img").first
        shown = "node => node.complete || new Promise(load => node.onload = node.onerror = load)"
        await picture.evaluate(shown)
        assert await picture.evaluate("node => node.naturalWidth") == 1


async def test_our_frame_asks_for_nothing_with_a_cookie_or_a_referer(tmp_path: Path) -> None:
    async with opened(tmp_path) as (_, origin, _):
        assert len(origin.requests) >= 2
        for request in origin.requests:
            names = {line.split(b":")[0].lower() for line in request.split(b"\r\n")[1:]}
            assert {b"cookie", b"referer", b"origin"}.isdisjoint(names)


async def test_of_two_marks_the_one_with_the_focus_says_its_reason(tmp_path: Path) -> None:
    edge = "position:absolute;top:calc(100vh - 40px);height:400px"
    page = STORY.replace("<aside id=box>", f'<aside id=box style="{edge}">')
    async with opened(tmp_path, page) as (tab, _, _):
        mark = "a[data-winnow-note]"
        menu, box = (framed(tab).locator(f"{part} > {mark}") for part in ("nav", "#box"))
        await framed(tab).locator("nav").hover()
        assert await menu.locator("span").is_visible()
        await tab.keyboard.press("Tab")
        while not await box.evaluate("node => node === document.activeElement"):
            await tab.keyboard.press("Tab")
        assert await box.locator("span").is_visible()
        assert not await menu.locator("span").is_visible()
        place = await box.evaluate("node => innerHeight - node.getBoundingClientRect().bottom")
        assert place >= 90, "its reason is in the frame, too"


COVERS = """mark => { const range = document.createRange(), text = mark.parentNode;
  const letters = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  while (letters.nextNode() && (mark.contains(letters.currentNode) ||
    !letters.currentNode.data.trim()));
  range.selectNodeContents(letters.currentNode);
  const a = mark.getBoundingClientRect(), b = range.getClientRects()[0];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }"""


@pytest.mark.parametrize("width", [360, 1280])
async def test_a_mark_covers_no_letter_and_is_not_cut_off(tmp_path: Path, width: int) -> None:
    page = STORY.replace("</head>", "<style>body, nav.top { margin: 0 }</style></head>")
    async with opened(tmp_path, page, width=width, script=False) as (tab, _, _):
        marks = framed(tab).locator("nav > a[data-winnow-note], aside > a[data-winnow-note]")
        assert await marks.count() == 2
        for mark in await marks.all():
            assert not await mark.evaluate(COVERS)
            box = await mark.evaluate("node => node.getBoundingClientRect().toJSON()")
            assert box["top"] >= 0
            assert box["left"] >= 0
            assert (box["width"], box["height"]) == (24, 24)
        kept = framed(tab).locator("a[data-winnow-note=kept]").first
        assert not await kept.evaluate(COVERS)
        assert await kept.evaluate("node => node.getBoundingClientRect().top") >= 0


SECTIONS = "".join(
    f"<section style=height:300px><h3>Story {number}</h3><a href=/{number}>More</a></section>"
    for number in range(1, 7)
)
TALL = STORY.replace(
    "</head>",
    "<meta name=viewport content='width=device-width'><style>nav.top { display: flex }"
    "nav.top a { flex: 1 0 200px } #cookies { position: fixed; inset: auto 0 0; height: 60% }"
    "</style></head>",
).replace(
    "<aside id=box>",
    f"<aside id=tall><h2>Most read</h2>{SECTIONS}</aside><div id=cookies><p>Cookies?</p></div>"
    "<aside id=box>",
)


@pytest.mark.parametrize("width", [360, 1280])
async def test_the_label_of_a_tall_part_is_seen_wherever_it_is_pointed_at(
    tmp_path: Path, width: int
) -> None:
    async with opened(tmp_path, TALL, width=width, script=False) as (tab, _, _):
        for place in (0, 3, 5):
            heading = framed(tab).locator("#tall h3").nth(place)
            await heading.evaluate("node => node.scrollIntoView({block: 'center'})")
            await heading.hover()
            mark = framed(tab).locator("#tall > a[data-winnow-note]")
            label = mark.locator("span")
            assert "Keep it" in await label.inner_text()
            for shown in (mark, label):
                box = await shown.evaluate("node => node.getBoundingClientRect().toJSON()")
                height = await shown.evaluate("node => node.ownerDocument.defaultView.innerHeight")
                assert 0 <= box["top"] < box["bottom"] <= height
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / f"why-tall-{width}.png")


async def test_on_a_phone_no_banner_lies_over_the_frame_and_no_mark_is_squeezed(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, TALL, width=360, script=False) as (tab, _, _):
        banner = framed(tab).locator("#cookies")
        assert await banner.evaluate("node => getComputedStyle(node).position") == "static"
        mark = framed(tab).locator("nav > a[data-winnow-note]")
        box = await mark.evaluate("node => node.getBoundingClientRect().toJSON()")
        assert (box["width"], box["height"]) == (24, 24)
        assert await mark.evaluate("node => node.ownerDocument.defaultView.scrollX") == 0


async def test_a_smaller_part_is_kept_without_the_rest(tmp_path: Path) -> None:
    async with opened(tmp_path, TALL, script=False) as (tab, _, _):
        async with tab.expect_navigation():
            await framed(tab).locator("#tall > a[data-winnow-note]").click()
        assert "Story 6" in await tab.inner_text("blockquote")
        await tab.click("summary:has-text('Keep only a smaller part')")
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / "part-smaller.png")
        async with tab.expect_navigation():
            await tab.click("a:has-text('Story 4')")
        assert await tab.inner_text("h1") == "Keep this part?"
        assert (await tab.inner_text("blockquote")).split() == ["Story", "4", "More"]
        async with tab.expect_navigation():
            await tab.get_by_role("button", name="Always keep it on").first.click()
        kept = framed(tab).locator("section[data-winnow=kept], section [data-winnow=kept]")
        assert "Story 4" in await kept.first.inner_text()
        assert "Story 5" not in " ".join(await kept.all_inner_texts())


async def test_pointing_at_a_part_names_its_reason(tmp_path: Path) -> None:
    async with opened(tmp_path, script=False) as (tab, _, _):
        note = framed(tab).locator("nav > a[data-winnow-note] span")
        assert not await note.is_visible()
        await framed(tab).locator("nav").hover()
        assert await note.is_visible()
        assert await note.inner_text() == "Left out: part of a menu. Keep it …"
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / "why-on-page-hover.png")


async def test_a_part_is_kept_by_keyboard_without_script_and_its_test_passes(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path, script=False) as (tab, origin, proxy):
        await tab.locator("iframe").focus()
        await tab.keyboard.press("Tab")
        note = framed(tab).locator("nav > a[data-winnow-note] span")
        assert await note.is_visible()
        for _ in range(5):
            await tab.keyboard.press("Tab")
        shown = framed(tab).locator("aside > a[data-winnow-note] span")
        assert await shown.inner_text() == "Left out: beside the article. Keep it …"
        async with tab.expect_navigation():
            await tab.keyboard.press("Enter")
        assert await tab.inner_text("h1") == "Keep this part?"
        assert "Most read: the mill" in await tab.inner_text("blockquote")
        button = tab.get_by_role("button", name="Always keep it on").first
        await button.wait_for(state="visible")
        async with tab.expect_navigation():
            await button.press("Enter")
        assert (
            await framed(tab).locator("aside[data-winnow=kept], aside [data-winnow=kept]").count()
        )
        own = f"http://127.0.0.1:{proxy.port}"
        said = tab.get_by_role("status")
        assert "This part is now always kept on 127.0.0.1" in await said.inner_text()
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await tab.screenshot(path=SCREENSHOTS / "why-kept.png")
        listed = await tab.context.new_page()
        await listed.goto(f"{own}/-/settings")
        sites = listed.locator("#sites ~ table tbody tr").first
        assert "Kept: “Most read: the mill burned down" in await sites.inner_text()
        async with tab.expect_navigation():
            await said.get_by_role("button", name="Undo").click()
        assert not await said.count()
        await listed.reload()
        assert not await listed.get_by_text("Kept: ").count()
        async with tab.expect_navigation():
            await framed(tab).locator("aside a[data-winnow-note]").first.click()
        await button.wait_for(state="visible")
        async with tab.expect_navigation():
            await button.press("Enter")
        await tab.goto(f"{own}/{origin.url('/story')}")
        assert "Most read: the mill" in await tab.inner_text("body")
        await tab.goto(f"{own}/-/settings/site?url={origin.url('/story')}")
        await tab.get_by_role("button", name="Run the tests").click()
        await tab.get_by_text("Passed.").wait_for()


async def test_a_part_is_dropped_by_click(tmp_path: Path) -> None:
    page = STORY.replace("<p>", "<p class=dull>", 1)
    async with opened(tmp_path, page, script=False) as (tab, origin, proxy):
        await framed(tab).locator("p.dull").hover()
        async with tab.expect_navigation():
            await framed(tab).locator("p.dull > a[data-winnow-note]").click()
        assert await tab.inner_text("h1") == "Drop this part?"
        async with tab.expect_navigation():
            await tab.get_by_role("button", name="Always drop it on").first.click()
        note = framed(tab).locator("p.dull[data-winnow=gone]")
        assert await note.get_attribute("title") == "Left out: a rule for this site drops it."
        own = f"http://127.0.0.1:{proxy.port}"
        await tab.goto(f"{own}/-/settings/site?url={origin.url('/story')}")
        await tab.get_by_role("button", name="Run the tests").click()
        await tab.get_by_text("Passed.").wait_for()


async def test_a_link_of_the_page_leads_to_why_of_its_target(tmp_path: Path) -> None:
    async with opened(tmp_path, script=False) as (tab, origin, _):
        async with tab.expect_navigation():
            await framed(tab).get_by_text("home", exact=True).click()
        assert tab.url.endswith("/-/why?url=" + quote(origin.url("/home"), safe=""))


EVIL = """<!doctype html><html><head><title>Evil</title>
<meta http-equiv=refresh content="0;url=OWN/out">
<base href="OWN/" target=_top><script>fetch('OWN/ran'); top.location = 'OWN/out'</script>
<style>@import "OWN/sheet.css"; @font-face { font-family: x; src: url(OWN/font) }
body { font-family: x }</style></head>
<body onload="fetch('OWN/ran')"><img src=x onerror="fetch('OWN/ran')">
<svg onload="fetch('OWN/ran')"><image href="OWN/svg"/><use href="OWN/use#a"/></svg>
<iframe src="OWN/frame"></iframe><object data="OWN/object"></object><embed src="OWN/embed">
<video src="OWN/video" poster="OWN/poster" autoplay></video><link rel=prefetch href="OWN/prefetch">
<form action="OWN/form" target=_top><button autofocus>Go</button></form>
<a href="OWN/-/settings" target=_top id=go>Settings</a>
<a href="javascript:fetch('OWN/ran')" id=js>J</a>
<p>TEXT</p><p>TEXT</p></body></html>"""


async def test_a_framed_page_runs_nothing_and_reaches_nothing_of_ours(tmp_path: Path) -> None:
    """Its addresses are those of our own pages: each would be answered, were it asked for."""
    async with opened(tmp_path, "<p>Wait") as (tab, origin, proxy):
        own = f"http://127.0.0.1:{proxy.port}"
        evil = EVIL.replace("OWN", own).replace("TEXT", ARTICLE[0])
        origin.replies["/story"] = html(evil.encode())
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(_path(request)))
        address = f"{own}/-/why?url={quote(origin.url('/story'))}"
        await tab.goto(address)
        await framed(tab).locator("#js").click()
        await framed(tab).locator("button").dispatch_event("click")
        await tab.wait_for_timeout(500)
        assert tab.url == address
        outside = [path for path in asked if not path.startswith(("/-/why", "data:"))]
        assert outside == []
        assert not any(own.encode() in each for each in origin.requests)
        async with tab.expect_navigation():
            await framed(tab).locator("#go").click()
        assert tab.url == f"{own}/-/why?url={quote(own + '/-/settings', safe='')}"


def _path(request: Request) -> str:
    return request.url.partition("//")[2].partition("/")[2].join(("/", "")) or request.url


async def test_the_frame_opened_by_itself_is_sandboxed_too(tmp_path: Path) -> None:
    script = "<p>Text</p><script>document.title = 'ran'</script>"
    async with opened(tmp_path, script) as (tab, _, _):
        source = await tab.locator("iframe").get_attribute("src")
        answer = await tab.goto(f"{tab.url.partition('/-/')[0]}{source}")
        assert answer is not None
        assert await tab.evaluate("origin") == "null"
        assert "script-src 'none'" in (await answer.all_headers())["content-security-policy"]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
async def test_axe_objects_to_nothing(tmp_path: Path, width: int, dark: bool) -> None:
    async with opened(tmp_path, width=width, dark=dark) as (tab, _, _):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        for name in ("why-on-page", "part"):
            assert await violations(tab) == []
            wide = await tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0
            await tab.screenshot(path=SCREENSHOTS / f"{name}-{width}-{dark}.png")
            if name == "why-on-page":
                async with tab.expect_navigation():
                    await framed(tab).locator("nav > a[data-winnow-note]").click()


async def test_every_language_has_its_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as (tab, _, _):
        address = tab.url
        seen = set()
        for language in Language:
            await tab.set_extra_http_headers({"Accept-Language": language.value})
            await tab.goto(address)
            assert await violations(tab) == []
            seen.add(await framed(tab).locator("nav[data-winnow]").get_attribute("title"))
        assert len(seen) == len(Language)
