"""A script-written site is read in the gateway, by the API, in a feed and on the command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from urllib.parse import quote

import pytest

from tests.proxy.origins import Answer, Origin, ask, html, reply, serving
from winnow import page_rendering
from winnow.cli import main
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.rendering import page_renderer
from winnow.rendering.page_renderer import PageRenderer

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
    monkeypatch.setattr(page_rendering, "PageRenderer", open_to_all)


@pytest.fixture
async def whole() -> AsyncIterator[tuple[Running, Origin]]:
    plain = Settings()
    extraction = replace(plain.extraction, processes=1, deadline=60.0, render="when-empty")
    server = replace(plain.server, port=0)
    async with (
        serving(Origin()) as origin,
        running(replace(plain, server=server, extraction=extraction)) as proxy,
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


@pytest.mark.parametrize("flag", ["--render", "--render=when-empty"])
async def test_the_command_line(
    whole: tuple[Running, Origin], capsysbinary: pytest.CaptureFixture[bytes], flag: str
) -> None:
    status = await asyncio.to_thread(main, ["extract", whole[1].url("/page"), flag])
    assert status == 0
    assert capsysbinary.readouterr().out.decode().count(SENTENCE) == 9
