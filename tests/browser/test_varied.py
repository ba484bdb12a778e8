"""Sixty varied pages through the gateway: axe-core, landmarks, headings, keyboard, narrowness."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from playwright.async_api import Page, Route

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.test_accessibility import violations
from tests.browser.varied import pages
from tests.proxy.origins import Origin, html, serving
from tests.sweeps import every_nth_and_all
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

WIDTH = 360
LANDMARKS = {"main": 1, "banner": 1, "contentinfo": 1}
POLICY = "content-security-policy"
PLAYER = 30
"""Stops inside the browser's own players, which no page can name."""
STOPS = (
    "a[href], summary, button, input:not([type=hidden]), select, textarea, audio, video,"
    " [tabindex='0']"
)


@asynccontextmanager
async def visited(names: Container[str]) -> AsyncIterator[tuple[Page, dict[str, str]]]:
    """A tab of a phone's width, and the addresses of the named reader pages."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=UNHURRIED,
    )
    async with serving(Origin()) as origin, running(settings) as proxy, chromium() as browser:
        found = {}
        for number, (name, page) in enumerate(pages()):
            if name not in names:
                continue
            origin.replies[f"/{number}"] = html(page.encode())
            url = quote(origin.url(f"/{number}"), safe="")
            found[name] = (
                f"http://127.0.0.1:{proxy.port}/-/read?url={url}&extractor=plain&mode=extract"
            )
        context = await browser.new_context(viewport={"width": WIDTH, "height": 640})
        await context.route("**/*", documents_alone)
        yield await context.new_page(), found


async def documents_alone(route: Route) -> None:
    """The pages name pictures and films of hosts that do not exist: nobody waits for these. And
    axe-core is a script, which the gateway's sandbox would not let run."""
    kind = route.request.resource_type
    if kind != "document":  # a reader page has no style sheet but Winnow's own
        await (route.continue_() if kind == "stylesheet" else route.abort())
        return
    navigated = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}  # as Chromium says itself
    answer = await route.fetch(headers={**route.request.headers, **navigated})
    headers = {name: value for name, value in answer.headers.items() if name != POLICY}
    await route.fulfill(response=answer, headers=headers)


async def tree(page: Page) -> list[dict[str, Any]]:
    """The accessibility tree in reading order, what is ignored left out."""
    session = await page.context.new_cdp_session(page)
    found = await session.send("Accessibility.getFullAXTree")
    await session.detach()
    return [node for node in found["nodes"] if not node["ignored"]]


def of_tree(nodes: Sequence[dict[str, Any]]) -> list[str]:
    """What is wrong with landmarks and headings."""
    roles = [node["role"]["value"] for node in nodes]
    wrong = [
        f"{roles.count(role)} landmarks of the kind {role}"
        for role, number in LANDMARKS.items()
        if roles.count(role) != number
    ]
    levels = [
        level for node in nodes if node["role"]["value"] == "heading" for level in _level(node)
    ]
    if levels.count(1) != 1 or levels[0] != 1:
        wrong.append(f"headings of the levels {levels}")
    wrong += [f"a gap from h{one} to h{two}" for one, two in pairwise(levels) if two > one + 1]
    wrong += [
        f"a {role} without a name"
        for role, node in zip(roles, nodes, strict=True)
        if role in {"heading", "link", "button", "image"} and not node["name"]["value"].strip()
    ]
    return wrong


def _level(node: dict[str, Any]) -> Iterable[int]:
    return [each["value"]["value"] for each in node["properties"] if each["name"] == "level"]


async def unreached(page: Page) -> list[str]:
    """What the Tab key leaves out, from the first stop to the last."""
    stops = await page.locator(STOPS).evaluate_all(
        "all => { window.stops = all.filter(one => one.checkVisibility()); return stops.length }"
    )
    await page.evaluate("document.activeElement.blur()")
    reached: set[int] = set()
    for _ in range(stops + PLAYER):
        if len(reached - {-1}) == stops:
            break
        await page.keyboard.press("Tab")
        reached.add(await page.evaluate("stops.indexOf(document.activeElement)"))
    missing = [number for number in range(stops) if number not in reached]
    return [
        "by keyboard nobody reaches "
        + str(await page.evaluate("number => stops[number].outerHTML.slice(0, 200)", number))
        for number in missing
    ]


@pytest.mark.parametrize("names", every_nth_and_all([name for name, _ in pages()], 5))
async def test_nothing_is_wrong_with_varied_pages(names: list[str]) -> None:
    objections = []
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with visited(names) as (page, addresses):
        assert len(addresses) == len(names)
        for name, address in addresses.items():
            answer = await page.goto(address)
            assert answer
            found = await violations(page)
            found += of_tree(await tree(page))
            found += await unreached(page)
            if await page.evaluate("document.documentElement.scrollWidth") > WIDTH:
                found.append("wider than the screen")
            if (told := answer.headers.get("winnow-action")) != "extracted":
                found.append(f"{told}: {answer.headers.get('winnow-reason')}")
            objections += [f"{name}: {each}" for each in found]
            if found:
                await page.screenshot(path=SCREENSHOTS / f"varied-{name}.png")
    assert objections == [], "\n".join(objections)
