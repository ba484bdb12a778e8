"""Chromium speaks HTTP/2 through Winnow with an origin of HTTP/2: pictures, articles, the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.loading import HOST, PICTURES, browsers, load
from tests.proxy.http2_peers import Exchanged, Peer, respond


@pytest.mark.release
async def test_a_page_of_a_hundred_pictures(tmp_path: Path) -> None:
    async with browsers(tmp_path) as (direct, behind, origin):
        expected = await load(direct)
        before = len(origin.peers)
        got = await load(behind)
        connections = len(origin.peers) - before
    assert (expected.pictures, expected.protocols) == (PICTURES, frozenset({"h2"}))
    assert (got.pictures, got.protocols) == (PICTURES, frozenset({"h2"}))
    assert connections == 1


SENTENCE = "The ferry crossed the strait again on Monday, ten years after the last boat had left. "
ARTICLE = (
    "<!doctype html><html lang=en><title>Ferry</title><nav><a href=/>Home</a></nav>"
    f"<article><h1>Ferry</h1>{f'<p>{SENTENCE * 3}</p>' * 12}</article>"
).encode()


async def test_an_article_is_extracted_and_then_answered_by_the_cache(tmp_path: Path) -> None:
    async def story(peer: Peer, stream: Exchanged) -> None:
        more = (("content-type", "text/html"), ("cache-control", "max-age=600"), ("etag", '"1"'))
        await respond(peer, stream, ARTICLE, *more)

    async with browsers(tmp_path) as (_, behind, origin):
        origin.replies["/story"] = story
        seen = []
        for _ in range(2):  # each in a profile of its own: the browser has no copy
            context = await behind.new_context()
            tab = await context.new_page()
            answer = await tab.goto(f"https://{HOST}/story", wait_until="load")
            assert answer is not None
            protocol = await tab.evaluate(
                "performance.getEntriesByType('navigation')[0].nextHopProtocol"
            )
            seen.append((protocol, answer.headers, await tab.inner_text("body")))
            await context.close()
        asked = [each for each in origin.requests if each.get(":path") == "/story"]
    for protocol, headers, text in seen:
        assert protocol == "h2"
        assert headers["winnow-action"] == "extracted"
        assert SENTENCE.strip() in text
        assert "Home" not in text
    assert "hit" in seen[1][1]["cache-status"]
    assert len(asked) == 1
