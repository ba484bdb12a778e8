"""A paired extension saves pages for its owner: as they are seen, or by address; no other may."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.features.extension.test_extension_pairing import (
    CORS,
    ORIGIN,
    OTHER,
    paired,
    proxy,
    send,
    settings_in,
)
from tests.proxy.origins import Origin, html, serving
from tests.winnow.compose.test_own_pages import get
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.compose.running import Running, running

__all__ = ["proxy"]
SAVE = "/-/api/save?url=http%3A%2F%2Fnews.example%2Fa"


async def test_a_page_is_saved_as_it_is_seen(proxy: Running) -> None:
    key = f"Winnow-Pairing: {await paired(proxy)}"
    answer = await send(proxy, f"{SAVE}&tags=later", PAGE.encode(), ORIGIN, key)
    assert (answer.status, answer.field(CORS)) == (200, ORIGIN), answer.body
    shown = (await get(proxy, json.loads(answer.body)["page"])).body.decode()
    assert ARTICLE[0] in shown
    assert "http://news.example/a" in shown
    assert 'value="later"' in shown
    assert proxy.backend.renderings is not None
    assert proxy.backend.renderings.size == 0


async def test_a_page_without_text_says_why(proxy: Running) -> None:
    key = f"Winnow-Pairing: {await paired(proxy)}"
    answer = await send(proxy, SAVE, b"<title>x</title>", ORIGIN, key)
    assert answer.status >= 400
    assert json.loads(answer.body)["detail"]
    assert "Nothing is saved yet" in (await get(proxy, "/-/saved")).body.decode()


@pytest.mark.parametrize("origin", [OTHER, "https://evil.example", ORIGIN])
async def test_nobody_else_saves(proxy: Running, origin: str) -> None:
    key = await paired(proxy)
    sent = "Winnow-Pairing: " + ("wrong" if origin == ORIGIN else key)
    assert (await send(proxy, SAVE, PAGE.encode(), origin, sent)).status == 403
    assert (await get(proxy, SAVE)).status in (403, 405)
    assert "Nothing is saved yet" in (await get(proxy, "/-/saved")).body.decode()


async def test_the_address_of_a_private_page_is_not_fetched(tmp_path: Path) -> None:
    async with serving(Origin()) as origin, running(settings_in(tmp_path)) as proxy:
        origin.replies["/story"] = html(PAGE.encode())
        key = f"Winnow-Pairing: {await paired(proxy)}"
        path = f"/-/api/save?url={quote(origin.url('/story'), safe='')}"
        answer = await send(proxy, path, b"", ORIGIN, key)
        assert answer.status == 403
        assert not origin.requests
