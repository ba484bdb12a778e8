"""*Later* in a page: saved by one click, taken back by another; not by what only links to it."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.proxy.origins import Origin
from tests.winnow.compose.test_own_pages import get, whole
from winnow.compose.running import Running

__all__ = ["whole"]


async def titles(proxy: Running) -> int:
    """How many pages are saved."""
    return (await get(proxy, "/-/saved")).body.count(b'href="/-/saved/1"')


async def test_it_is_saved_and_taken_back_in_the_page(whole: tuple[Running, Origin]) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    here = f"Referer: http://127.0.0.1:{proxy.port}/{url}"
    later = f"/-/save?url={quote(url, safe='')}"
    for _ in range(2):
        saved = await get(proxy, f"{later}&now=1", here)
        assert (saved.status, saved.field("location")) == (303, f"/{url}#winnow-later")
        assert await titles(proxy)
    undone = await get(proxy, f"{later}&undo=1", here)
    assert (undone.status, undone.field("location")) == (303, f"/{url}")
    assert not await titles(proxy)


@pytest.mark.parametrize(
    "fields",
    [
        (),
        ("Referer: http://127.0.0.1:{port}/http://elsewhere.example/",),
        ("Referer: http://127.0.0.1:{port}/{url}", "Sec-Fetch-Site: same-origin"),
    ],
    ids=["from nowhere", "in another page", "by no person"],
)
async def test_what_no_person_clicked_in_the_page_saves_nothing(
    whole: tuple[Running, Origin], fields: tuple[str, ...]
) -> None:
    proxy, origin = whole
    url = origin.url("/page")
    said = [each.format(port=proxy.port, url=url) for each in fields]
    asks = await get(proxy, f"/-/save?url={quote(url, safe='')}&now=1", *said)
    assert asks.status == 200
    assert not await titles(proxy)
