"""The transcript in docs/agents.md is what a client gets now."""

from __future__ import annotations

import re

from docs.agent_pages import PAGES
from docs.agent_transcript import CALLS, DOCUMENT, HEADING, transcript


def unmarked(text: str) -> str:
    """Without the marks, each drawn anew, wherever its lines are broken."""
    return " ".join(re.sub(r"\b(?!0{16})[0-9a-f]{16}\b", "MARK", text).split())


async def test_it_is_what_a_client_gets() -> None:
    written = DOCUMENT.read_text("utf-8").partition(HEADING)[2]
    found = unmarked(await transcript())
    assert found in unmarked(written), "python -m docs.agent_transcript writes it anew"


def test_it_has_ten_pages() -> None:
    assert len(PAGES) == 10
    read = {str(asked["url"]).partition(".example")[2] for _, asked in CALLS}
    assert set(PAGES) <= read
