"""A feature that is switched off leaves no page and no link, and costs no other feature one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.features.setup.test_https_switching import BARE
from tests.proxy.origins import Origin, html, serving
from tests.winnow.compose.test_own_pages import get
from tests.winnow.compose.test_settings_editing import edited
from tests.winnow.conftest import PAGE
from tests.winnow.test_reachable import reached
from winnow.feature import enabled
from winnow.feature_list import FEATURES

OPTIONAL = tuple(each.name for each in FEATURES if each.optional)
UNSET = "annotate"
"""It answers 404 until a folder is set."""


@pytest.mark.parametrize("off", [("compare",), OPTIONAL], ids=["one", "all"])
async def test_it_leaves_nothing(tmp_path: Path, off: Sequence[str]) -> None:
    await _leaves_nothing(tmp_path, off)


@pytest.mark.release
@pytest.mark.parametrize("name", OPTIONAL)
async def test_each_leaves_nothing(tmp_path: Path, name: str) -> None:
    await _leaves_nothing(tmp_path, (name,))


async def _leaves_nothing(tmp_path: Path, off: Sequence[str]) -> None:
    left = enabled(FEATURES, off)
    gone = {each.path for one in FEATURES if one not in left for each in one.addresses}
    switched = f"{BARE}\n[features]\ndisabled = {list(off)!r}\n".replace("'", '"')
    async with serving(Origin()) as origin, edited(tmp_path, switched) as (proxy, _):
        origin.replies["/page"] = html(PAGE.encode())
        shown = await get(proxy, f"/{origin.url('/page')}")
        bar = LexborHTMLParser(shown.body).css("#winnow-bar a")
        assert bar
        linked = {urlsplit(node.attributes.get("href") or "").path for node in bar}
        dead = (linked | await reached(proxy)) & gone
        assert not dead
        for path in sorted(gone):
            assert (await get(proxy, path)).status == 404, path
        for feature in left:
            if feature.addresses and feature.name != UNSET:
                first = next(each.path for each in feature.addresses)
                assert (await get(proxy, first)).status != 404, first
