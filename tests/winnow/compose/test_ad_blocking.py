"""``ads.block``: the lists count for every method, in the API, and for requests by proxy."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Ads, Settings, StorageSettings

WORDS = "<p>" + "The river rose, and the whole village stood on the bridge to see it. " * 6 + "</p>"
AD = "<img src=http://ads.example/banner.png>"
PAGE = f"<title>River</title><article><h1>River</h1>{WORDS}{AD}{WORDS * 3}</article>".encode()


def settings(folder: Path, *, block: bool) -> Settings:
    file = folder / "list.txt"
    file.write_text("||ads.example^\n127.0.0.1 listed.localhost.example\n")
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=replace(UNHURRIED, extractor="bte"),
        storage=StorageSettings(folder=folder),
        ads=Ads(lists=(str(file),), block=block),
    )


async def once_loaded(proxy: Running, block: bool) -> Answer:
    """The response to a request for an advertisement, when the lists are read."""
    async with asyncio.timeout(120):
        while True:
            answer = await ask(proxy.port, get("http://ads.example/banner.png"))
            if not block or answer.status == 403:
                return answer
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("block", [True, False])
async def test_the_reader_decides_whether_lists_count_for_everything(
    tmp_path: Path, block: bool
) -> None:
    async with serving(Origin()) as origin, running(settings(tmp_path, block=block)) as proxy:
        answer = await once_loaded(proxy, block)
        assert (answer.field("winnow-reason") == "ad-list") is block
        tunnel = await ask(proxy.port, b"CONNECT ads.example:443 HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (tunnel.status == 403) is block
        origin.replies["/page"] = html(PAGE)
        read = get(origin.url("/page"), "Accept: text/html,*/*;q=0.8", "Winnow-Mode: extract")
        page = await ask(proxy.port, read)
        assert page.field("winnow-action") == "extracted"
        assert (b"banner.png" not in page.body) is block
        head = "POST /-/api/extract?format=html HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        posted = f"{head}Content-Length: {len(PAGE)}\r\n\r\n".encode() + PAGE
        assert (b"banner.png" not in (await ask(proxy.port, posted)).body) is block
