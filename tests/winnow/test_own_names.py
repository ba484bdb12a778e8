"""Our own pages and the gateway under our own names, by proxy and directly."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.winnow.test_owners import ARTICLE, BROWSER, plain
from winnow.compose.running import Running, running
from winnow.config.settings import Access


@dataclass
class Reader:
    """A client on this computer without a password; ``name``: how it calls the proxy."""

    proxy: Running
    origin: Origin
    name: str

    @property
    def base(self) -> str:
        return f"http://{self.name or f'127.0.0.1:{self.proxy.port}'}"

    async def opens(self, path: str, *fields: str) -> Answer:
        return await ask(self.proxy.port, get(f"{self.base}{path}", *(fields or (BROWSER,))))

    async def goes_to(self, location: str) -> Answer:
        return await self.opens(location.removeprefix(self.base))


@pytest.fixture(params=["winnow.internal", ""], ids=["own name", "loopback address"])
async def reader(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Reader]:
    settings = replace(plain(tmp_path), access=Access())
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/story"] = html(ARTICLE)
        yield Reader(proxy, origin, request.param)


async def test_the_address_box_leads_to_the_page(reader: Reader) -> None:
    token = re.search(rb'name="token" value="([^"]+)"', (await reader.opens("/")).body)
    story = quote(reader.origin.url("/story"), safe="")
    form = f"&token={token[1].decode()}" if token else ""
    answer = await reader.opens(f"/-/read?url={story}{form}")
    assert answer.status == 302
    page = await reader.goes_to(answer.field("location"))
    assert (page.status, page.field("winnow-action")) == (200, "extracted")
    assert b"Words that people read." in page.body


async def test_an_unknown_own_address_is_a_page_for_a_browser(reader: Reader) -> None:
    answer = await reader.opens("/-/nothing")
    assert (answer.status, answer.field("content-type")) == (404, "text/html; charset=utf-8")
    assert b"Page not found" in answer.body
    assert b"Winnow has no page /-/nothing." in answer.body


async def test_and_a_problem_document_for_a_program(reader: Reader) -> None:
    answer = await reader.opens("/-/nothing", "Accept: */*", "Sec-Fetch-Mode: cors")
    assert (answer.status, answer.field("content-type")) == (404, "application/problem+json")
    assert json.loads(answer.body)["type"] == "not-found"
