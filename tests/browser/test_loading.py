"""Chromium speaks HTTP/2 through Winnow with an origin of HTTP/2, on one connection each side."""

from __future__ import annotations

from pathlib import Path

from tests.browser.loading import PICTURES, browsers, load


async def test_a_page_of_a_hundred_pictures(tmp_path: Path) -> None:
    async with browsers(tmp_path) as (direct, behind, origin):
        expected = await load(direct)
        before = len(origin.peers)
        got = await load(behind)
        connections = len(origin.peers) - before
    assert (expected.pictures, expected.protocols) == (PICTURES, frozenset({"h2"}))
    assert (got.pictures, got.protocols) == (PICTURES, frozenset({"h2"}))
    assert connections == 1
