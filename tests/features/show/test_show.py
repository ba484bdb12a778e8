"""A page that the reader's browser sends is shown after a click on our page, without our origin."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.http.test_form_data import KIND, written
from tests.proxy.origins import Answer, ask
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import BROWSER, assert_sound, get
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.features.show.show import LARGEST_FORM
from winnow.features.show.show_page import bookmarklet

SITE = "https://news.example"
FOREIGN = (f"Origin: {SITE}", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")
HOSTILE = PAGE.replace(
    "</div>",
    "<script>window.hit = 1</script><img src=x onerror=hit()><iframe src=/-/settings></iframe>"
    "</div>",
)
WORDS = ARTICLE[0].encode()


@pytest.fixture
async def proxy(tmp_path: Path) -> AsyncIterator[Running]:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path),
        extraction=replace(UNHURRIED, extractor="bte"),
    )
    async with running(settings) as made:
        yield made


async def send(proxy: Running, fields: dict[str, str], *more: str) -> Answer:
    body = written(fields)
    lines = [
        "POST /-/show HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        BROWSER,
        f"Content-Type: {KIND}",
        f"Content-Length: {len(body)}",
        *more,
    ]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def ours(proxy: Running) -> tuple[str, ...]:
    return f"Origin: http://127.0.0.1:{proxy.port}", "Sec-Fetch-Site: same-origin"


def hidden(answer: Answer) -> dict[str, str]:
    nodes = LexborHTMLParser(answer.body).css('form[action="/-/show"] input[type=hidden]')
    return {node.attributes["name"] or "": node.attributes.get("value") or "" for node in nodes}


async def test_a_page_is_shown_after_a_click_without_scripts(proxy: Running) -> None:
    asked = await send(proxy, {"url": f"{SITE}/story", "page": HOSTILE}, *FOREIGN)
    assert asked.status == 200
    tree = assert_sound(asked)
    assert f"{SITE}/story" in tree.css("main")[0].text()
    article = await send(proxy, hidden(asked), *ours(proxy))
    assert article.status == 200
    assert WORDS in article.body
    for forbidden in (b"<script", b"onerror", b"<iframe"):
        assert forbidden not in article.body
    policy = article.field("content-security-policy")
    assert "sandbox" in policy
    assert "allow-same-origin" not in policy
    assert "allow-scripts" not in policy
    assert "default-src 'none'" in policy


async def test_nothing_of_the_page_is_markup_before_the_click(proxy: Running) -> None:
    payload = '"><script>hit()</script><img src=x><a href=//evil.example>Yes</a>'
    asked = await send(proxy, {"url": f"{SITE}/{payload}", "page": payload * 3}, *FOREIGN)
    tree = LexborHTMLParser(asked.body)
    assert not tree.css("script, img, a[href*=evil]")
    assert hidden(asked)["page"] == payload * 3
    policy = asked.field("content-security-policy")
    assert "sandbox allow-forms allow-same-origin" in policy
    assert asked.field("x-frame-options") == "DENY"
    assert asked.field("cross-origin-opener-policy") == "same-origin"


@pytest.mark.parametrize("forged", ["foreign", "null", "token", "page", "url"])
async def test_no_page_is_shown_without_that_click(proxy: Running, forged: str) -> None:
    asked = await send(proxy, {"url": f"{SITE}/story", "page": HOSTILE}, *FOREIGN)
    fields, origin = hidden(asked), ours(proxy)
    if forged == "foreign":
        origin = FOREIGN
    elif forged == "null":
        origin = ("Origin: null", "Sec-Fetch-Site: cross-site")
    else:
        fields[forged] = {"token": "1.AAAA", "page": "<p>Other", "url": f"{SITE}/x"}[forged]
    refused = await send(proxy, fields, *origin)
    assert refused.status == 403
    assert WORDS not in refused.body


@pytest.mark.parametrize(
    "fields",
    [
        ("Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"),
        ("Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"),
        ("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"),
    ],
)
async def test_it_answers_windows_alone(proxy: Running, fields: tuple[str, ...]) -> None:
    other = ("Sec-Fetch-Site: cross-site", f"Origin: {SITE}", *fields)
    refused = await send(proxy, {"url": SITE, "page": HOSTILE}, *other)
    assert refused.status == 403
    assert not refused.field("access-control-allow-origin")


async def test_a_page_is_bounded_and_not_empty(proxy: Running) -> None:
    large = await send(proxy, {"url": SITE, "page": "x" * LARGEST_FORM}, *FOREIGN)
    empty = await send(proxy, {"url": SITE, "page": " "}, *FOREIGN)
    assert (large.status, empty.status) == (413, 400)


async def test_nothing_is_stored(proxy: Running, tmp_path: Path) -> None:
    def on_disk() -> bytes:
        return b"".join(f.read_bytes() for f in sorted(tmp_path.rglob("*")) if f.is_file())

    for _ in range(2):
        asked = await send(proxy, {"url": f"{SITE}/story", "page": PAGE}, *FOREIGN)
        assert (await send(proxy, hidden(asked), *ours(proxy))).status == 200
    assert proxy.backend.renderings is not None
    assert proxy.backend.renderings.size == 0
    assert b"news.example" not in on_disk()
    assert b"news.example" not in (await get(proxy, "/-/activity")).body


async def test_the_bookmark_is_on_a_page_of_ours(proxy: Running) -> None:
    shown = await get(proxy, "/-/show")
    (link,) = assert_sound(shown).css("a[href^='javascript:']")
    assert link.attributes["href"] == bookmarklet(f"http://127.0.0.1:{proxy.port}/")
    assert b'href="/-/show"' in (await get(proxy, "/")).body
