"""The table of docs/security.md says what a page may ask of its reader's network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from winnow.proxy.access.private_requests import PrivateAnswer, decide, private_request
from winnow.proxy.http.headers import Headers

TEXT = (Path(__file__).parents[2] / "docs" / "security.md").read_text()
SECTION = TEXT.partition("## Pages and their reader's network")[2].partition("\n## ")[0]
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in SECTION.splitlines()
    if line.startswith("| ") and not line.startswith("| a page")
]
ANSWERS = {
    "refused": PrivateAnswer.REFUSE,
    "asked": PrivateAnswer.ASK,
    "sent": PrivateAnswer.ALLOW,
}


def test_the_table_was_found() -> None:
    assert len(ROWS) >= 9


@pytest.mark.parametrize(("who", "words", "chromium", "firefox", "winnow"), ROWS)
def test_a_row_is_what_is_decided(
    who: str, words: str, chromium: str, firefox: str, winnow: str
) -> None:
    told = re.findall(r"`([^`]+)`", words)
    method = told.pop(0) if ":" not in told[0] else "GET"
    fields = tuple((line.partition(": ")[0], line.partition(": ")[2]) for line in told)
    headers = Headers((("User-Agent", "Mozilla/5.0"), *fields))
    answer = decide(private_request("192.168.1.7", method, headers, frozenset()))
    assert answer is ANSWERS[winnow.partition(",")[0]], who
    if chromium == "not sent":  # Winnow is nowhere weaker
        assert answer is not PrivateAnswer.ALLOW
    assert {chromium, firefox} <= {"sent", "not sent"}
