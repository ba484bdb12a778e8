"""Flows over a ``winnow restart``: none is cut, and the old process keeps no cache for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.load.handover import MOST, handed_over


@pytest.mark.release
async def test_no_flow_is_cut_and_the_caches_go(tmp_path: Path) -> None:
    """Issue 44: freed memory stayed with the old process (202 MB with 203 after)."""
    async with asyncio.timeout(900):
        found = await handed_over(tmp_path, flows=10, seconds=20, pages=4000)
    assert found.is_fine, found.told()
    assert found.held[0] > MOST > found.held[1]
