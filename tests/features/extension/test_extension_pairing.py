"""A browser extension is paired by a code of our page; its origin alone may then send pages."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.proxy.origins import Answer, Origin, ask, html, serving
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import assert_sound, get, post
from tests.winnow.conftest import ARTICLE, PAGE
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.access.credentials.extension_pairing import is_pairing_code, pairing_code
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.stores.site_choice import SiteMode

ORIGIN = "moz-extension://0d5f1b9e-1f4e-4d6c-9c1e-000000000001"
OTHER = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
CORS = "access-control-allow-origin"


def settings_in(folder: Path) -> Settings:
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=folder),
        extraction=replace(UNHURRIED, extractor="bte"),
    )


@pytest.fixture
async def proxy(tmp_path: Path) -> AsyncIterator[Running]:
    async with running(settings_in(tmp_path)) as made:
        yield made


async def send(
    proxy: Running, path: str, body: bytes, origin: str, *fields: str, method: str = "POST"
) -> Answer:
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        f"Origin: {origin}",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: cors",
        "Sec-Fetch-Dest: empty",
        f"Content-Length: {len(body)}",
        *fields,
    ]
    return await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def code_of(proxy: Running) -> str:
    shown = await get(proxy, "/-/extensions")
    (node,) = assert_sound(shown).css("#code")
    return node.text()


async def pair(proxy: Running, code: str, origin: str = ORIGIN) -> Answer:
    return await send(proxy, "/-/api/pair", json.dumps({"code": code}).encode(), origin)


async def paired(proxy: Running, origin: str = ORIGIN) -> str:
    answer = await pair(proxy, await code_of(proxy), origin)
    assert (answer.status, answer.field(CORS)) == (200, origin)
    return str(json.loads(answer.body)["key"])


async def article(proxy: Running, origin: str, key: str) -> Answer:
    path = "/-/api/extract?format=text&url=https://news.example/"
    return await send(proxy, path, PAGE.encode(), origin, f"Winnow-Pairing: {key}")


async def asked(proxy: Running, key: str, **question: str) -> dict[str, Any]:
    body = json.dumps({"url": "http://news.example/a", **question}).encode()
    answer = await send(proxy, "/-/api/page", body, ORIGIN, f"Winnow-Pairing: {key}")
    assert answer.status == 200, answer.body
    found: dict[str, Any] = json.loads(answer.body)
    return found


async def test_a_paired_extension_gets_the_article_of_what_it_sends(proxy: Running) -> None:
    key = await paired(proxy)
    answer = await article(proxy, ORIGIN, key)
    assert answer.status == 200
    assert ARTICLE[0] in answer.body.decode()
    assert answer.field(CORS) == ORIGIN
    assert proxy.backend.renderings is not None
    assert proxy.backend.renderings.size == 0, "its pages are in no cache"


@pytest.mark.parametrize(
    "origin",
    [OTHER, "https://evil.example", "null", "moz-extension://a/../b", ORIGIN + ".evil.example"],
)
async def test_no_other_origin_may_even_with_the_key(proxy: Running, origin: str) -> None:
    key = await paired(proxy)
    refused = await article(proxy, origin, key)
    assert (refused.status, refused.field(CORS)) == (403, "")


async def test_without_the_key_it_may_not(proxy: Running) -> None:
    await paired(proxy)
    for key in ("", "x"):
        assert (await article(proxy, ORIGIN, key)).status == 403


async def test_firefox_saying_same_origin_of_an_extension_lets_none_in(proxy: Running) -> None:
    body = PAGE.encode()
    lines = [
        "POST /-/api/extract?format=text HTTP/1.1",
        f"Host: 127.0.0.1:{proxy.port}",
        f"Origin: {ORIGIN}",
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Mode: cors",
        "Sec-Fetch-Dest: empty",
        f"Content-Length: {len(body)}",
    ]
    answer = await ask(proxy.port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    assert answer.status == 403


async def test_a_code_counts_once_and_for_its_owner_alone(proxy: Running) -> None:
    code = await code_of(proxy)
    assert (await pair(proxy, "AAAA-BBBB-CCCC")).status == 403
    assert (await pair(proxy, code.lower().replace("-", " "))).status == 200
    assert (await pair(proxy, code, OTHER)).status == 403
    assert (await pair(proxy, await code_of(proxy), OTHER)).status == 200
    assert len(proxy.state.library.now.extensions) == 2


async def test_a_page_of_a_site_pairs_nothing(proxy: Running) -> None:
    code = await code_of(proxy)
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{proxy.port}"):
        assert (await pair(proxy, code, origin)).status == 403
    assert not proxy.state.library.now.extensions


async def test_the_preflight_of_a_paired_origin_is_granted_and_no_other(proxy: Running) -> None:
    wanted = (
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: winnow-pairing",
        "Access-Control-Request-Private-Network: true",
    )
    path = "/-/api/extract"
    before = await send(proxy, path, b"", ORIGIN, *wanted, method="OPTIONS")
    assert (before.status, before.field(CORS)) == (403, "")
    await paired(proxy)
    granted = await send(proxy, path, b"", ORIGIN, *wanted, method="OPTIONS")
    assert (granted.status, granted.field(CORS)) == (204, ORIGIN)
    assert "winnow-pairing" in granted.field("access-control-allow-headers")
    assert granted.field("access-control-allow-private-network") == "true"
    for origin in (OTHER, "https://evil.example"):
        refused = await send(proxy, path, b"", origin, *wanted, method="OPTIONS")
        assert (refused.status, refused.field(CORS)) == (403, "")


def stored(folder: Path) -> str:
    return "".join(file.read_text() for file in folder.glob("*.json"))


async def test_a_pairing_outlives_the_process_and_ends_on_our_page(tmp_path: Path) -> None:
    async with running(settings_in(tmp_path)) as proxy:
        key = await paired(proxy)
        assert key not in stored(tmp_path)
    async with running(settings_in(tmp_path)) as proxy:
        assert (await article(proxy, ORIGIN, key)).status == 200
        shown = await get(proxy, "/-/extensions")
        assert ORIGIN in shown.body.decode()
        nodes = LexborHTMLParser(shown.body).css('form[action="/-/extensions"] input')
        form = {n.attributes["name"] or "": n.attributes["value"] or "" for n in nodes}
        assert (await post(proxy, "/-/extensions", form)).status == 303
        assert (await article(proxy, ORIGIN, key)).status == 403


async def test_it_chooses_for_the_page_and_its_site(proxy: Running) -> None:
    key = await paired(proxy)
    usual = {"site": "news.example", "view": "auto", "mode": "", "extractor": ""}
    assert await asked(proxy, key) == usual
    assert (await asked(proxy, key, view="original"))["view"] == "original"
    assert (await asked(proxy, key, mode="never"))["mode"] == "never"
    assert (await asked(proxy, key, extractor="lqf"))["extractor"] == "lqf"
    (owner,) = proxy.state.choices.now.owners
    chosen = proxy.state.choices.now.of(owner).choices["news.example"]
    assert (chosen.mode, chosen.extractor) == (SiteMode.NEVER, "lqf")
    with_limit = replace(chosen, extractor="lqf:0.25")  # by *This site*; its popup sends it back
    await proxy.state.choices.choose(owner, "news.example", with_limit)
    assert (await asked(proxy, key, extractor="lqf:0.25"))["extractor"] == "lqf:0.25"
    assert await asked(proxy, key, view="auto", mode="", extractor="") == usual
    assert not proxy.state.choices.now.owners


async def test_the_view_that_it_chooses_is_what_the_proxy_shows(proxy: Running) -> None:
    key = await paired(proxy)
    async with serving(Origin({"/": html(PAGE.encode())})) as site:
        request = f"GET {site.url('/')} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n".encode()
        assert (await ask(proxy.port, request)).field("winnow-action") == "extracted"
        await asked(proxy, key, url=site.url("/"), view="original")
        assert (await ask(proxy.port, request)).field("winnow-action") == "original"


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"[" * 5000, b'{"url": "x"}', b'{"url": 3}',
     b'{"url": "http://a.example/", "mode": "often"}',
     b'{"url": "http://a.example/", "mode": "\\ud800"}',
     b'{"url": "http://a.example/", "view": ["original"]}',
     b'{"url": "http://a.example/", "extractor": "../etc/passwd"}',
     b'{"url": "http://a.example/", "extractor": "lqf:many"}',
     b'{"url": "http://a.example/", "extractor": "nothing-of-the-kind:2"}'],
)  # fmt: skip
async def test_what_is_no_question_changes_nothing(proxy: Running, body: bytes) -> None:
    key = await paired(proxy)
    answer = await send(proxy, "/-/api/page", body, ORIGIN, f"Winnow-Pairing: {key}")
    assert (answer.status, answer.field(CORS)) == (400, ORIGIN)
    assert not proxy.state.choices.now.owners


async def test_a_program_without_an_origin_is_no_extension(proxy: Running) -> None:
    for path in ("/-/api/pair", "/-/api/page"):
        assert (await post(proxy, path, {"code": await code_of(proxy)})).status == 403


async def test_a_code_is_for_twenty_minutes_at_most_and_for_one_owner() -> None:
    tokens, now = FormTokens(), datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
    code = pairing_code(tokens, "user:anna", (), now)
    assert re.fullmatch(r"[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}", code)
    for minutes, holds in ((0, True), (9, True), (19, True), (20, False)):
        later = now + timedelta(minutes=minutes)
        assert is_pairing_code(code, tokens, "user:anna", (), later) is holds
    assert not is_pairing_code(code, tokens, "user:ben", (), now)
    assert not is_pairing_code(code, FormTokens(), "user:anna", (), now)
