"""Joins the rows of all chunks into one file: JSON Lines, or Parquet by its name."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from winnow.command_errors import CommandError, UsageError
from winnow.features.batch.page_locations import file_system
from winnow.features.batch.rows import INDEXED

_RECORD: Final = "record"
_PARQUET: Final = ".parquet"


def check(out: Path) -> None:
    """Raises UsageError if the file's format needs a package that is not installed."""
    if out.suffix == _PARQUET:
        _arrow()


def join(parts: Iterable[Path], out: Path, text: str) -> None:
    """Write the rows of all parts to ``out``, atomically; ``text`` is the field of the article."""
    unfinished = out.with_name(f"{out.name}.new")
    if out.suffix == _PARQUET:
        _parquet(parts, unfinished, text)
    else:
        _lines(parts, unfinished)
    unfinished.replace(out)


def refuse_existing(address: str) -> None:
    """Raises CommandError where something stands there already, or nothing can be asked."""
    try:
        is_there = file_system(address).exists(address)
    except OSError as error:
        raise CommandError(f"{address}: {error}") from error
    if is_there:
        raise CommandError(f"{address} exists: move it away or name another --out")


def send(out: Path, address: str) -> None:
    """Move a finished file to an address, by fsspec. Raises CommandError; the file stays then."""
    try:
        file_system(address).put_file(str(out), address)
    except (OSError, NotImplementedError) as error:
        message = f"{address} could not be written ({error}); what was extracted is in {out}"
        raise CommandError(message) from error
    out.unlink()


def _lines(parts: Iterable[Path], out: Path) -> None:
    number = 0
    with out.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                for line in source:
                    number += 1
                    sink.write(b'{"record": %d, %b' % (number, line[1:]))
        sink.flush()
        os.fsync(sink.fileno())


def _parquet(parts: Iterable[Path], out: Path, text: str) -> None:
    """Write each part as a row group of its own: one at a time is in memory."""
    arrow, schema = _arrow(), _schema(text)
    rows = schema.remove(schema.get_field_index(_RECORD))
    options = arrow.json.ParseOptions(explicit_schema=rows, unexpected_field_behavior="error")
    with arrow.parquet.ParquetWriter(out, schema, compression="zstd") as sink:
        last = 0
        for part in parts:
            if not part.stat().st_size:
                continue  # an archive's range without a page
            whole = arrow.json.ReadOptions(block_size=part.stat().st_size + 1)
            table = arrow.json.read_json(part, whole, options)
            numbers = arrow.array(range(last + 1, last + 1 + len(table)), arrow.int64())
            last += len(table)
            sink.write_table(table.add_column(0, _RECORD, numbers), row_group_size=sys.maxsize)


def _schema(text: str) -> Any:
    arrow = _arrow()
    strings, number, share = arrow.string(), arrow.int64(), arrow.float64()
    kinds = {_RECORD: number, "status": number, "words": number, "confidence": share}
    names = (_RECORD, "source", "url", *INDEXED, "title", "language", text, "words", "confidence")
    more = ("extractor", "fingerprint", "error")
    return arrow.schema([(name, kinds.get(name, strings)) for name in (*names, *more)])


def _arrow() -> Any:
    try:
        for name in ("pyarrow.json", "pyarrow.parquet"):
            import_module(name)
        return import_module("pyarrow")
    except ImportError as error:
        raise UsageError(
            "Parquet needs the extra batch: pip install '.[batch]' in Winnow's checkout"
        ) from error
