"""A tidied page keeps its own policy; its bar has a style only where that allows one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser.day_sites import PRODUCT
from tests.proxy.origins import Origin, ask, get, html, serving
from tests.winnow.test_owners import plain
from winnow.compose.running import running
from winnow.config.settings import Access

BROWSER = "Accept: text/html"


@pytest.mark.parametrize(
    ("policy", "styled"),
    [
        ("", True),
        ("default-src 'self' 'unsafe-inline'", True),
        ("default-src 'self'; report-uri /r", False),
    ],
)
async def test_its_bar_has_the_form_that_its_policy_allows(
    tmp_path: Path, policy: str, styled: bool
) -> None:
    fields = (f"Content-Security-Policy: {policy}",) if policy else ()
    settings = replace(plain(tmp_path), access=Access())
    async with serving(Origin()) as origin, running(settings) as proxy:
        origin.replies["/kettle"] = html(PRODUCT.encode(), *fields)
        page = await ask(proxy.port, get(origin.url("/kettle"), BROWSER))
    assert page.field("winnow-action") == "tidied"
    assert page.field("content-security-policy") == policy
    _, _, bar = page.body.decode().partition('<aside id="winnow-bar"')
    bar = bar.partition("</aside>")[0]
    assert ">Read<" in bar
    assert "Original" in bar
    assert "<form" not in bar
    assert ("<style" in bar) is styled
    assert ("style=" in bar) is styled
