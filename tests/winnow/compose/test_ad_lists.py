"""An ad list is fetched from its origin once, then refreshed by its validators."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from tests.proxy.origins import Origin, reply, serving
from winnow.compose.ad_lists import ads_of
from winnow.compose.factories import client_of
from winnow.config.settings import Ads, Settings, StorageSettings

LIST = "||ads.example^\n"
VALIDATORS = ('ETag: "v1"', "Last-Modified: Mon, 02 Nov 2026 10:00:00 GMT")


def text_at(path: str) -> str:
    """What a file holds."""
    return Path(path).read_text("utf-8")


async def answered(writer: asyncio.StreamWriter, origin: Origin) -> None:
    """The list, or that it has not changed."""
    is_current = b'if-none-match: "v1"' in origin.requests[-1].lower()
    status = "304 Not Modified" if is_current else "200 OK"
    writer.write(reply(b"" if is_current else LIST.encode(), *VALIDATORS, status=status))
    await writer.drain()


async def test_a_list_is_refreshed_by_a_conditional_request(tmp_path: Path) -> None:
    async with serving(Origin()) as origin:
        origin.replies["/ads.txt"] = lambda _, writer: answered(writer, origin)
        settings = replace(
            Settings(),
            ads=Ads(lists=(origin.url("/ads.txt"),)),
            storage=StorageSettings(folder=tmp_path),
        )
        client = client_of(settings)
        lists = ads_of(settings, client)
        assert lists is not None
        for _ in range(2):
            await lists.refresh()
            assert text_at(lists.path) == LIST
        await lists.aclose()
        assert ads_of(Settings(), client) is None
        await client.aclose()
    first, second = (head.lower() for head in origin.requests)
    assert b"if-none-match" not in first
    assert b'if-none-match: "v1"' in second
    assert b"if-modified-since: mon, 02 nov 2026 10:00:00 gmt" in second
