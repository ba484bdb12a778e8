"""A page that ends, blocks or fills its process costs its own row, and no other.

The method that does so is a package of its own, so that nothing of the batch stands in for another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.features.batch.archives import record
from tests.winnow.conftest import PAGE
from winnow.config.settings import Settings
from winnow.document.values import Recipe
from winnow.features.batch.processes import DIED, ExtractionProcess
from winnow.features.batch.progress_log import ProgressLog
from winnow.features.batch.rows import PIECE, BatchJob

METHOD = """
import os, time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from winnow.extractors.base import Method

@dataclass(frozen=True)
class Trouble(Method):
    method: ClassVar[str] = "trouble"

    def extract(self, document):
        with open(os.environ["SEEN"], "a") as seen:
            seen.write(f"{document.page.url}\\n")
        if "ENDS" in document.text:
            os._exit(1)
        if "BLOCKS" in document.text:
            time.sleep(600)
        if "FILLS" in document.text:
            bytearray(2 << 30)
        return self.extraction_of(document, np.ones(len(document.piece_words), bool), "all")
"""
KINDS = ("fine", "ENDS", "fine", "BLOCKS", "FILLS", "fine")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with the method, as pip would install it."""
    folder = tmp_path / "site"
    about = folder / "trouble-1.dist-info"
    about.mkdir(parents=True)
    (folder / "trouble.py").write_text(METHOD)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: trouble\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[winnow.extractors]\ntrouble = trouble:Trouble\n")
    return folder


def run(package: Path, source: Path, out: Path) -> list[dict[str, Any]]:
    variables = {
        "PYTHONPATH": str(package),
        "WINNOW_EXTRACTION__DEADLINE": "20 s",
        "SEEN": str(package / "seen"),
    }
    command = [sys.executable, "-m", "winnow", "extract", "--batch", str(source), "--out", str(out)]
    done = subprocess.run(
        [*command, "--extractor", "trouble", "--workers", "1"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_each_faulty_page_costs_its_row_alone(package: Path, tmp_path: Path) -> None:
    source = tmp_path / "crawl.warc"
    pages = [
        record(f"http://a.example/{number}", body=PAGE.replace("</p>", f" {kind}</p>", 1))
        for number, kind in enumerate(KINDS)
    ]
    source.write_bytes(b"".join(pages))
    rows = run(package, source, tmp_path / "out.jsonl")
    assert [row["url"][-1] for row in rows] == list("012345")
    assert [row["record"] for row in rows] == [1, 2, 3, 4, 5, 6]
    errors = [row["error"] for row in rows]
    assert errors[1] == DIED
    assert errors[3] == "The extraction took longer than 20 seconds."
    assert "more memory than it may have" in errors[4]
    assert [errors[0], errors[2], errors[5]] == [None] * 3


def test_no_more_is_extracted_again_than_a_piece(package: Path, tmp_path: Path) -> None:
    """Issue 44: all that had been done of 16 MiB of an archive was done again."""
    number = 2 * PIECE + 10
    bodies = [PAGE] * (number - 1) + [PAGE.replace("</p>", " ENDS</p>", 1)]
    pages = [record(f"http://a.example/{n}", body=body) for n, body in enumerate(bodies)]
    (tmp_path / "crawl.warc").write_bytes(b"".join(pages))
    rows = run(package, tmp_path / "crawl.warc", tmp_path / "out.jsonl")
    assert [row["url"] for row in rows] == [f"http://a.example/{n}" for n in range(number)]
    assert [row["error"] for row in rows] == [None] * (number - 1) + [DIED]
    seen = Counter((package / "seen").read_text().split())
    assert [seen[row["url"]] for row in rows[: 2 * PIECE]] == [1] * 2 * PIECE
    assert seen[rows[-1]["url"]] == 2


def test_a_process_that_never_begins_loses_the_chunk_and_not_the_run() -> None:
    """Its pipe is closed at once, twice: no page was the cause."""
    process = ExtractionProcess(BatchJob(Recipe("bte"), Settings()))
    try:
        with pytest.raises(Exception, match=DIED):
            process.extract(None)  # type: ignore[arg-type]  # what no process can work on
    finally:
        process.close()


def test_a_line_a_minute_says_how_far_the_run_is() -> None:
    now, out = [0.0], StringIO()
    log = ProgressLog(4, out, lambda: now[0])
    for minute in (0.5, 1.0, 1.5, 2.0):
        now[0] = 60.0 * minute
        log.add(30)
    log.end()
    assert out.getvalue().splitlines() == [
        "winnow: 60 pages in 60.0 s, 1.0 a second, 2 of 4 chunks, 1 min left",
        "winnow: 120 pages in 120.0 s, 1.0 a second, 4 of 4 chunks, 0 min left",
        "winnow: 120 pages in 120.0 s, 1.0 a second",
    ]
