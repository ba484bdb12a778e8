"""The rows of all chunks become one file, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from pyarrow import parquet

from winnow.features.batch.output import join

ROWS = [
    {
        "record": number,
        "source": f"page {number}",
        "url": None if number == 2 else "http://a.example/",
        "date": None if number == 2 else "2026-01-01T00:00:00Z",
        "record_id": None if number == 2 else "<urn:uuid:1>",
        "digest": None,
        "status": None if number == 2 else 200,
        "payload_type": None if number == 2 else "text/html",
        "title": None if number == 2 else "Café",
        "language": None,
        "markdown": None if number == 2 else "# Café\n",
        "words": None if number == 2 else number,
        "confidence": None if number == 2 else 0.5,
        "extractor": None if number == 2 else "auto",
        "fingerprint": "auto-1",
        "error": "it was not there" if number == 2 else None,
    }
    for number in (1, 2, 3)
]


def parts(folder: Path) -> list[Path]:
    made = []
    unnumbered = [{name: row[name] for name in row if name != "record"} for row in ROWS]
    for number, rows in enumerate((unnumbered[:2], [], unnumbered[2:])):
        made.append(folder / f"{number}.jsonl")
        made[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
    return made


def test_json_lines_are_the_parts_one_after_the_other(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    join(parts(tmp_path), out, "markdown")
    assert [json.loads(line) for line in out.read_text().splitlines()] == ROWS


def test_parquet_holds_the_same_rows_a_group_for_each_part_that_has_some(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    join(parts(tmp_path), out, "markdown")
    assert parquet.read_table(out).to_pylist() == ROWS
    assert parquet.ParquetFile(out).num_row_groups == 2


def test_nothing_to_do_is_a_file_without_rows(tmp_path: Path) -> None:
    join([], tmp_path / "out.parquet", "text")
    join([], tmp_path / "out.jsonl", "text")
    assert parquet.read_table(tmp_path / "out.parquet").num_rows == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
