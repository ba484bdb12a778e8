"""A row says what is wrong with its page, and keeps the address that is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from winnow.batch.page_locations import page_locations
from winnow.batch.plan import Chunk
from winnow.batch.rows import UNDECODABLE, BatchJob, is_undecodable, rows
from winnow.compose.factories import pool_of
from winnow.compose.pooled import PooledTransform
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe


async def row_of(folder: Path, body: bytes, largest: int = 1 << 20) -> dict[str, Any]:
    (folder / "page.html").write_bytes(body)
    (folder / "page.json").write_text(json.dumps({"url": "http://a.example/"}))
    plain = Settings()
    extraction = replace(plain.extraction, processes=1, deadline=120.0, max_page=largest)
    settings = replace(plain, extraction=extraction)
    pool = pool_of(settings, patient=True)
    try:
        chunk = Chunk(0, 1, tuple(page_locations([str(folder)])))
        job = BatchJob(Recipe("bte", Format.TEXT), settings)
        (line,) = (await rows(chunk, job, PooledTransform(pool))).rows.splitlines()
    finally:
        await pool.aclose()
    found: dict[str, Any] = json.loads(line)
    return found


async def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    """Issue 20, fault 15: they became 500 words."""
    found = await row_of(tmp_path, b"\xff\xfe\x00" * 1000)
    assert (found["text"], found["words"]) == (None, None)
    assert found["error"]
    assert found["url"] == "http://a.example/"


async def test_the_address_of_an_oversized_page_is_known(tmp_path: Path) -> None:
    found = await row_of(tmp_path, b"<p>" + b"word " * 100, largest=100)
    assert "larger than 100 bytes" in found["error"]
    assert found["url"] == "http://a.example/"


@pytest.mark.parametrize(
    ("text", "is_none"),
    [
        ("The river rose overnight.", False),
        ("", False),
        ("\n\t\r\f plain", False),
        ("one \ufffd lost character among many others", False),
        ("\uff00\xfe\ufeff" * 100, True),
        ("\ufffd" * 3 + "words", True),
        ("日本語の文章です。", False),
    ],
)
def test_a_tenth_of_no_characters_is_no_text(text: str, is_none: bool) -> None:
    assert is_undecodable(text) is is_none
    assert UNDECODABLE
