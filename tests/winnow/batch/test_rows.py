"""A row says what is wrong with its page, and keeps the address that is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from winnow.batch.page_locations import page_locations
from winnow.batch.plan import Chunk
from winnow.batch.rows import UNDECODABLE, BatchJob, ChunkTask, is_undecodable, rows
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe


class NoClock:
    def begin(self, index: int) -> None:
        """A page begins."""

    def end(self) -> None:
        """It has ended."""


def row_of(folder: Path, body: bytes, largest: int = 1 << 20) -> dict[str, Any]:
    (folder / "page.html").write_bytes(body)
    (folder / "page.json").write_text(json.dumps({"url": "http://a.example/"}))
    plain = Settings()
    settings = replace(plain, extraction=replace(plain.extraction, max_page=largest))
    job = BatchJob(Recipe("bte", Format.TEXT), settings)
    task = ChunkTask(Chunk(0, tuple(page_locations([str(folder)]))))
    (line,) = rows(task, job, {}, NoClock()).rows.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    """Issue 20, fault 15: they became 500 words."""
    found = row_of(tmp_path, b"\xff\xfe\x00" * 1000)
    assert (found["text"], found["words"]) == (None, None)
    assert found["error"]
    assert found["url"] == "http://a.example/"


def test_the_address_of_an_oversized_page_is_known(tmp_path: Path) -> None:
    found = row_of(tmp_path, b"<p>" + b"word " * 100, largest=100)
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
