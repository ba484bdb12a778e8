"""What a new user does by the screen alone, beside the five tasks: without a detour.

The first article and *Never here* are in ``test_five_tasks``, HTTPS in ``test_first_https``, a
phone by its camera in the tests of the set-up.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.browsers import SCREENSHOTS
from tests.browser.day_sites import PRODUCT, SWIM, thread
from tests.browser.test_five_tasks import ADDRESS, MISSED, Walk, walking

pytestmark = pytest.mark.release


async def shot(walk: Walk, name: str) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await walk.tab.screenshot(path=SCREENSHOTS / f"walk-{name}.png")


async def test_take_never_here_back(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("a", "Never here", leads_on=True)
        await shot(walk, "never")
        await walk.click("a", "Undo", leads_on=True)
        await shot(walk, "undone")
        assert MISSED not in await walk.tab.inner_text("body")


async def test_save_a_page_and_find_it_by_a_word(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("a", "Later", leads_on=True)
        await shot(walk, "later")
        await walk.click("summary", "More")
        await walk.click("a", "Saved pages", leads_on=True)
        await walk.tab.get_by_label("Search").fill("mayor")
        await walk.click("button", "Search", leads_on=True)
        await shot(walk, "found")
        await walk.click("a", "The ferry will open again", leads_on=True)
        await shot(walk, "saved")
        assert "the council decided" in await walk.tab.inner_text("article")


async def test_listen_to_a_page(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("a", "Listen", leads_on=True)
        await shot(walk, "listen")
        assert await walk.tab.locator("audio").is_visible()
        back = walk.tab.locator(".tools a", has_text="Original")
        assert await back.get_attribute("href") == ADDRESS


async def test_a_site_that_is_not_there_and_then_is(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        there = dict(walk.ports)
        walk.ports.clear()
        await walk.types(ADDRESS)
        await shot(walk, "error")
        walk.ports.update(there)
        await walk.click("a", "Try again", leads_on=True)
        assert "The ferry will open again" in await walk.tab.inner_text("h1")


async def test_a_shop_keeps_its_price_and_its_button(tmp_path: Path) -> None:
    async with walking(tmp_path, pages={"/kettle": PRODUCT}) as walk:
        await walk.types(ADDRESS.replace("/story", "/kettle"))
        await shot(walk, "shop")
        said = await walk.tab.inner_text("body")
        assert "24.90" in said
        assert await walk.tab.get_by_role("button", name="Add to cart").is_visible()


async def test_a_thread_says_who_speaks(tmp_path: Path) -> None:
    async with walking(tmp_path, pages={"/swim": thread()}) as walk:
        await walk.types(ADDRESS.replace("/story", "/swim"))
        await shot(walk, "thread")
        assert SWIM in await walk.tab.inner_text("h1")
        said = await walk.tab.inner_text("main")
        places = [said.index(name) for name in ("Anna", "Ben", "Cleo", "Dora")]
        assert places == sorted(places)
