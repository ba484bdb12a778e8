"""The contract, and the feature in a running Winnow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from winnow_slowest_pages import FEATURE
from winnow_slowest_pages.slowest import SlowestSettings

from winnow import Settings, serve
from winnow.config.sources.source_precedence import load
from winnow.feature_contract import checks
from winnow.feature_list import sections_of

READER = {"Accept": "text/html"}
CHECKS = list(checks(FEATURE))


@pytest.mark.parametrize("check", [each for _, each in CHECKS], ids=[name for name, _ in CHECKS])
def test_it_keeps_the_contract(check: Callable[[], None]) -> None:
    check()


def test_its_setting_is_one_of_winnows() -> None:
    given = {"WINNOW_FEATURES__ENABLED": "slowest", "WINNOW_SLOWEST__PAGES": "3"}
    loaded = load(environment=given, of_features=sections_of)
    assert loaded.settings.of(SlowestSettings).pages == 3


STORY = "The river rose in the night and by morning the lower road was under water. " * 20


def test_a_page_that_was_opened_is_listed(tmp_path: Path) -> None:
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        storage=replace(plain.storage, folder=tmp_path),
        features=replace(plain.features, enabled=("slowest",)),
    )
    address, listed = asyncio.run(_opened(settings))
    assert f'<a href="{address}">' in listed


async def _opened(settings: Settings) -> tuple[str, str]:
    """The address of a page that was read, and the list after that."""
    story = web.Application()
    story.router.add_get("/story", _story)
    async with (
        TestServer(story) as origin,
        serve(settings) as proxy,
        aiohttp.ClientSession(headers=READER) as client,
    ):
        own, address = f"http://127.0.0.1:{proxy.port}", str(origin.make_url("/story"))
        page = await client.get(f"{own}/{address}")
        assert page.headers["Winnow-Action"] == "extracted", await page.text()
        return address, await (await client.get(f"{own}/-/slowest")).text()


async def _story(_request: web.Request) -> web.Response:
    return web.Response(text=f"<h1>Flood</h1><p>{STORY}</p>", content_type="text/html")
