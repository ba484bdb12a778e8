"""w3m, lynx and links2 through the proxy: the headline comes first, and can be read."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.clients.test_clients import ARTICLE, site
from tests.programs import require_program
from tests.proxy.origins import Origin, html, reply

__all__ = ["site"]
PAGE = "http://site.example/story"
COMMANDS = {
    "w3m": ("-dump", PAGE),
    "lynx": ("-dump", "-nolist", PAGE),
    "links2": ("-http-proxy", "{authority}", "-dump", PAGE),
}
MOST = 5
"""Lines in which the headline must stand."""


async def dumped(name: str, proxy: str) -> list[str]:
    words = [word.format(authority=proxy.partition("//")[2]) for word in COMMANDS[name]]
    process = await asyncio.create_subprocess_exec(
        require_program(name),
        *words,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "http_proxy": f"{proxy}/"},
    )
    async with asyncio.timeout(120):
        output, _ = await process.communicate()
    return output.decode().splitlines()


@pytest.mark.parametrize("name", COMMANDS)
async def test_the_headline_is_in_the_first_lines(site: tuple[Origin, str], name: str) -> None:
    origin, proxy = site
    origin.replies["/story"] = html(ARTICLE)
    lines = await dumped(name, proxy)
    where = [line.strip() for line in lines].index("The flood") + 1
    assert where <= MOST, lines[:20]
    assert any("The river rose overnight" in line for line in lines)
    assert not any("News" in line for line in lines)


async def test_one_stored_reply_serves_browsers_of_both_kinds(site: tuple[Origin, str]) -> None:
    """Their profile is in the key of our rendering, not in that of the origin's reply."""
    origin, proxy = site
    origin.replies["/story"] = reply(
        ARTICLE, "Content-Type: text/html", "Cache-Control: max-age=60"
    )
    shown = []
    for agent in ("Mozilla/5.0 Chrome/140", "Lynx/2.9", "Mozilla/5.0 Chrome/141", "w3m/0.5"):
        process = await asyncio.create_subprocess_exec(
            require_program("curl"), "-s", "-A", agent, "-x", proxy, PAGE,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        shown.append((await process.communicate())[0])
    assert [b"HTML 4.01" in body for body in shown] == [False, True, False, True]
    assert shown[0] == shown[2]
    assert shown[1] == shown[3]
    assert len(origin.requests) == 1
