"""A row says what is wrong with its page, and keeps the address that is known."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.archives import record
from winnow.config.settings import Settings
from winnow.document.values import Format, Recipe
from winnow.features.batch.page_locations import page_locations
from winnow.features.batch.plan import Chunk
from winnow.features.batch.rows import PIECE, UNDECODABLE, BatchJob, ChunkTask, is_undecodable, rows


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


def in_pieces(source: Path) -> list[list[dict[str, Any]]]:
    """The rows of a source that is one chunk, as each task returns them."""
    task = ChunkTask(Chunk(1, tuple(page_locations([str(source)]))))
    job, found = BatchJob(Recipe("bte", Format.TEXT), Settings()), []
    while task.chunk.locations:
        piece = rows(task, job, {}, NoClock())
        found.append([json.loads(line) for line in piece.rows.splitlines()])
        task = task.after(piece)
    return found


@pytest.mark.parametrize("packed", [False, True])
def test_an_archive_is_returned_in_pieces_of_so_many_pages(tmp_path: Path, packed: bool) -> None:
    """Issue 44: a lost worker repeated up to 500 pages of an archive.

    Each record stands in one piece, the damaged ones too, beside which a piece could end.
    """
    number = 2 * PIECE + 5
    records = [record(f"http://a.example/{each}") for each in range(number)]
    members = [gzip.compress(one) if packed else one for one in records]
    members[PIECE] = b"?" * 100 + b"\r\n\r\n"
    (tmp_path / "crawl.warc").write_bytes(b"".join(members))
    pieces = in_pieces(tmp_path / "crawl.warc")
    assert max(sum(not row["error"] for row in piece) for piece in pieces) <= PIECE
    assert len(pieces) == 3
    listed = [row for piece in pieces for row in piece]
    good = [row["url"] for row in listed if not row["error"]]
    assert good == [f"http://a.example/{each}" for each in range(number) if each != PIECE]
    assert sum(bool(row["error"]) for row in listed) == 1


def test_files_are_returned_in_pieces_too(tmp_path: Path) -> None:
    for each in range(PIECE + 1):
        (tmp_path / f"{each:03}.html").write_text("<p>The river rose overnight.</p>")
    sources = [[Path(row["source"]).stem for row in piece] for piece in in_pieces(tmp_path)]
    assert sources == [[f"{each:03}" for each in range(PIECE)], [f"{PIECE:03}"]]


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
