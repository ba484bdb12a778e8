"""A page with chaff around its article, and what the article says."""

from __future__ import annotations

from pathlib import Path

import pytest

ARTICLE = (
    "The wheat is thrown up with a wooden shovel, and the wind carries the husks away from it.",
    "What falls down again is grain; it is heavier than the husks, and that is all the secret.",
)
PAGE = f"""<!doctype html><html lang="en"><head><title>Winnowing</title></head><body>
<ul><li><a href="/">Home</a><li><a href="/farm">Farm</a><li><a href="/shop">Shop</a></ul>
<div><p>{ARTICLE[0]}</p><p>{ARTICLE[1]}</p></div>
<ul><li><a href="/imprint">Imprint</a><li><a href="/terms">Terms</a></ul></body></html>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGE, encoding="utf-8")
    return file
