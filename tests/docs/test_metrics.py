"""docs/metrics.md lists what is exported."""

from __future__ import annotations

from docs.metrics import TARGET, text


async def test_the_page_is_what_the_code_exports() -> None:
    assert await text() == TARGET.read_text()
