"""``saved``: off without a key of its own, and who has that reads saved pages and fetches none."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.features.mcp.support import address, text_of, told, winnow
from winnow.compose.running import Running
from winnow.config.settings import Access
from winnow.features.saved.stores.saved_page import SavedPage
from winnow.features.saved.stores.saved_page_store import FILE_NAME, SavedPageStore
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.requester import LOOPBACK

KEY = "reader.secret"
FLOOD = SavedPage("http://flood.example/", "The flood", text="The river rose.\n\nIt fell again.\n")
SNOW = SavedPage("http://snow.example/", "Snow", text="Nobody came.\n")


def access(saved: tuple[str, ...]) -> Access:
    return Access(api_keys=(f"reader:{hash_password('secret')}",), saved_keys=saved)


def with_key(proxy: Running) -> Client:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"})
    return Client(streamable_http_client(address(proxy), http_client=http))


async def tools(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize(
    ("saved", "owner", "title"),
    [("reader=", LOOPBACK, "flood"), ("reader=anna", "user:anna", "Snow")],
)
async def test_a_key_of_its_own_reads_one_owner_s_pages(
    tmp_path: Path, saved: str, owner: str, title: str
) -> None:
    store = SavedPageStore(tmp_path / FILE_NAME)
    await store.save(LOOPBACK, FLOOD)
    await store.save("user:anna", SNOW)
    await store.aclose()
    async with winnow(tmp_path, access((saved,)), extractor="bte") as (proxy, _):
        async with with_key(proxy) as client:
            assert await tools(client) == ["saved"]
            listed = await told(client, "saved")
            assert title in listed
            assert "1 saved pages." in listed
            number = int(listed.splitlines()[2].partition(":")[0])
            text = await told(client, "saved", number=number)
            assert ("river" in text) is (owner == LOOPBACK)
            assert "untrusted content" in text
            missing = await client.call_tool("saved", {"number": number + 9})
            assert json.loads(text_of(missing))["status"] == 404
            with pytest.raises(Exception, match="no tool read"):
                await client.call_tool("read", {"url": "http://flood.example/"})
        async with Client(address(proxy)) as client:
            assert "saved" not in await tools(client)


async def test_a_part_of_a_saved_page_goes_on(tmp_path: Path) -> None:
    store = SavedPageStore(tmp_path / FILE_NAME)
    number = await store.save(LOOPBACK, FLOOD)
    await store.aclose()
    async with (
        winnow(tmp_path, access(("reader=",)), extractor="bte") as (proxy, _),
        with_key(proxy) as client,
    ):
        first = await told(client, "saved", number=number, max_tokens=1)
        offset = first.partition("offset=")[2].partition(".")[0]
        assert "It fell" not in first
        assert "It fell again." in await told(client, "saved", number=number, offset=offset)
        assert "1 saved pages." in await told(client, "saved", words="river")
        assert "0 saved pages." in await told(client, "saved", words="drought")


async def test_any_other_key_reads_pages_of_the_web_alone(tmp_path: Path) -> None:
    async with (
        winnow(tmp_path, access(()), extractor="bte") as (proxy, _),
        with_key(proxy) as client,
    ):
        assert "saved" not in await tools(client)
