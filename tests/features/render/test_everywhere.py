"""A script-written site is read in the gateway, by the API, in a feed and on the command line."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from urllib.parse import quote, urlencode

import pytest

from tests.programs import require_program
from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from tests.unhurried import UNHURRIED
from winnow.cli import main
from winnow.compose import backend
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.features.render import page_renderer
from winnow.features.render.page_renderer import PageRenderer
from winnow.features.render.settings import RenderSettings
from winnow.transforms.page_sheets import PageSheets

SENTENCE = "The river rose overnight, and by morning the whole village stood on the bridge."
DRAW = f"root.innerHTML = '<h1>The flood</h1>' + '<p>{SENTENCE}</p>'.repeat(9)"
SHELL = (
    f"<!doctype html><title>The flood</title><div id=root></div><script>{DRAW}</script>".encode()
)
BROWSER = "Accept: text/html,*/*;q=0.8"


@pytest.fixture(autouse=True)
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sites of these tests, on loopback, are public to the browser."""
    open_to_all = partial(PageRenderer, permit=lambda *_: True)
    monkeypatch.setattr(page_renderer, "PageRenderer", open_to_all)
    monkeypatch.setattr(backend, "PageSheets", partial(PageSheets, permit=lambda *_: True))


@pytest.fixture(params=["when-empty"])
async def whole(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Running, Origin]]:
    plain = Settings()
    drawn = RenderSettings(request.param)
    server = replace(plain.server, port=0)
    async with (
        serving(Origin()) as origin,
        running(replace(plain, server=server, extraction=UNHURRIED, of_features=(drawn,))) as proxy,
    ):
        origin.replies["/page"] = html(SHELL)
        yield proxy, origin


async def direct(whole: tuple[Running, Origin], target: str) -> Answer:
    proxy, _ = whole
    head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n{BROWSER}\r\n\r\n"
    return await ask(proxy.port, head.encode())


async def test_the_gateway(whole: tuple[Running, Origin]) -> None:
    answer = await direct(whole, f"/{whole[1].url('/page')}")
    assert (answer.status, answer.field("winnow-action")) == (200, "extracted")
    assert answer.body.decode().count(SENTENCE) == 9
    assert b"root.innerHTML" not in answer.body


async def test_the_api(whole: tuple[Running, Origin]) -> None:
    answer = await direct(whole, f"/-/api/extract?url={quote(whole[1].url('/page'), safe='')}")
    found = json.loads(answer.body)
    assert found["title"] == "The flood"
    assert found["textContent"].count(SENTENCE) == 9


async def test_a_feed(whole: tuple[Running, Origin]) -> None:
    origin = whole[1]
    item = f"<item><title>The flood</title><link>{origin.url('/page')}</link></item>"
    feed = (
        f'<?xml version="1.0"?><rss version="2.0"><channel><title>N</title>{item}</channel></rss>'
    )
    origin.replies["/feed"] = reply(feed.encode(), "Content-Type: application/rss+xml")
    answer = await direct(whole, f"/-/feed?url={quote(origin.url('/feed'), safe='')}")
    assert answer.body.decode().count(SENTENCE) == 9


@pytest.mark.parametrize(
    "words", ["URL --render", "URL --render=when-empty", "--render URL", "--render when-empty URL"]
)
async def test_the_command_line(
    whole: tuple[Running, Origin], capsysbinary: pytest.CaptureFixture[bytes], words: str
) -> None:
    command = f"extract {words}".replace("URL", whole[1].url("/page")).split()
    status = await asyncio.to_thread(main, command)
    assert status == 0
    assert capsysbinary.readouterr().out.decode().count(SENTENCE) == 9


async def test_a_small_page(whole: tuple[Running, Origin]) -> None:
    answer = await direct(whole, f"/-/small/{whole[1].url('/page')}")
    assert answer.status == 200
    assert answer.body.decode().count(SENTENCE) == 9


def drawings(origin: Origin) -> int:
    """How often a browser has opened the page."""
    return sum(head.startswith(b"GET /page") and b"Chrome" in head for head in origin.requests)


@pytest.mark.parametrize("whole", ["no"], indirect=True)
async def test_a_small_page_has_a_button_and_is_drawn_once(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    target = f"/-/small/{origin.url('/page')}"
    shell = await direct(whole, target)
    assert (shell.status, b"Run scripts and read" in shell.body) == (422, True)
    assert drawings(origin) == 0
    token = re.search(rb'name="token" value="([^"]+)"', shell.body)
    assert token
    form = urlencode({"url": origin.url("/page"), "token": token[1].decode()}).encode()
    head = (
        f"POST /-/small/render HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n"
        f"Origin: http://127.0.0.1:{proxy.port}\r\nContent-Length: {len(form)}\r\n\r\n"
    )
    drawn = await ask(proxy.port, head.encode() + form)
    assert (drawn.status, drawn.field("location")) == (303, target)
    assert (await direct(whole, target)).body.decode().count(SENTENCE) == 9
    assert (await direct(whole, target)).status == 200
    assert drawings(origin) == 1
    foreign = head.replace(f"Origin: http://127.0.0.1:{proxy.port}", "Origin: http://evil.test")
    assert (await ask(proxy.port, foreign.encode() + form)).status == 403
    stale = form.replace(token[1], b"x" * len(token[1]))
    assert (await ask(proxy.port, head.encode() + stale)).status == 403


async def test_the_command_line_takes_another_form_of_the_page(
    whole: tuple[Running, Origin], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    origin = whole[1]
    origin.replies["/page"] = html(b"<link rel=amphtml href=/amp>" + SHELL)
    origin.replies["/amp"] = html(f"<h1>The flood</h1>{f'<p>{SENTENCE}</p>' * 9}".encode())
    command = ["extract", origin.url("/page"), "--render=when-empty"]
    assert await asyncio.to_thread(main, command) == 0
    assert capsysbinary.readouterr().out.decode().count(SENTENCE) == 9
    assert drawings(origin) == 0


def test_nothing_of_it_is_loaded_until_a_page_is_drawn() -> None:
    names = "[name for name in sys.modules if name.startswith('winnow.chromium')]"
    code = f"import sys, winnow.compose.running; print({names})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_vips_has_style_sheets_from_the_cache_or_where_scripts_may_run_fetched(
    whole: tuple[Running, Origin],
    capsys: pytest.CaptureFixture[str],
) -> None:
    require_program("chromium")
    (_, origin), link = whole, b"<link rel=stylesheet href=/s.css>"
    text = b"<h1>The flood</h1><p>" + SENTENCE.encode() * 9
    origin.replies["/styled"] = html(b"<!doctype html>" + link + text)
    css = reply(b"h1 { color: red }", "Content-Type: text/css", "Cache-Control: max-age=600")
    origin.replies["/s.css"] = css
    query = f"/-/api/extract?url={quote(origin.url('/styled'))}&extractor=vips&render="

    async def reasons(render: str) -> list[str]:
        return list(json.loads((await direct(whole, query + render)).body)["reasons"])

    assert "laid out with 0 of 1 style sheets" in await reasons("no")
    assert not [head for head in origin.requests if b"s.css" in head]
    assert "laid out with 1 of 1 style sheets, fetched" in await reasons("when-empty")
    assert "laid out with 1 of 1 style sheets, from the cache" in await reasons("no")
    flags = ["--extractor", "vips", "--render=when-empty", "--format", "json"]
    assert await asyncio.to_thread(main, ["extract", origin.url("/styled"), *flags]) == 0
    found = json.loads(capsys.readouterr().out)["reasons"]
    assert "laid out with 1 of 1 style sheets, fetched" in found
