"""``since=``: what changed since the reader's own saved page, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.features.mcp.support import winnow
from tests.proxy.app import pages
from tests.proxy.origins import Answer, Origin, ask, html
from winnow.compose.running import Running
from winnow.config.settings import Access
from winnow.features.saved.stores.saved_page import SavedPage
from winnow.features.saved.stores.saved_page_store import FILE_NAME, SavedPageStore
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.requester import LOOPBACK

URL = "http://flood.example/story"
Whole = tuple[Running, Origin]


@pytest.fixture
async def whole(tmp_path: Path) -> AsyncIterator[Whole]:
    store = SavedPageStore(tmp_path / FILE_NAME)
    text = "\n\n".join(["The flood", "It will not rain.", *[pages.SENTENCE] * 9])
    for owner in (LOOPBACK, "user:anna"):
        page = SavedPage(URL, "The flood", text=text, saved="2026-09-01")
        await store.save(owner, page)
    await store.aclose()
    keys = (f"bert:{hash_password('secret')}",)
    async with winnow(tmp_path, Access(api_keys=keys), extractor="bte") as found:
        news = b"<p>The water fell again by noon, and everybody went home for dinner.</p></article>"
        found[1].replies[URL] = html(pages.ARTICLE.replace(b"</article>", news))
        yield found


async def asked(proxy: Running, query: str, *fields: str) -> Answer:
    lines = [
        f"GET /-/api/extract?url={URL}&{query} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        *fields,
    ]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n")


@pytest.mark.parametrize("since", ["saved", "1"])
async def test_a_reader_sees_what_changed(whole: Whole, since: str) -> None:
    answer = await asked(whole[0], f"since={since}")
    assert answer.status == 200
    assert json.loads(answer.body)["changes"] == {
        "since": "2026-09-01",
        "added": ["The water fell again by noon, and everybody went home for dinner."],
        "removed": ["It will not rain."],
    }


@pytest.mark.parametrize(
    ("query", "fields", "status", "kind"),
    [
        ("since=2", (), 404, "not-saved"),  # Anna's
        ("since=99999999999999999999", (), 404, "not-saved"),
        ("since=yesterday", (), 404, "not-saved"),
        ("since=saved", ("Authorization: Bearer bert.secret",), 404, "not-saved"),
        ("since=1", ("Authorization: Bearer bert.secret",), 404, "not-saved"),
        ("since=saved&format=text", (), 400, "bad-since"),
        ("since=saved&format=spans", (), 400, "bad-since"),
    ],
)
async def test_nobody_sees_another_reader_s_page(
    whole: Whole, query: str, fields: tuple[str, ...], status: int, kind: str
) -> None:
    answer = await asked(whole[0], query, *fields)
    assert (answer.status, json.loads(answer.body)["type"]) == (status, kind)
    assert b"rain" not in answer.body
