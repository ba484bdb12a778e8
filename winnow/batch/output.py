"""Joins the rows of all chunks into one file: JSON Lines, or Parquet by its name."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from winnow.command_errors import UsageError

_PARQUET: Final = ".parquet"
ROW_GROUP: Final = 64 * 1024 * 1024
"""Bytes of rows, uncompressed; readers of Parquet work best with 64 MiB to 1 GiB."""


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


def _lines(parts: Iterable[Path], out: Path) -> None:
    with out.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, sink)
        sink.flush()
        os.fsync(sink.fileno())


def _parquet(parts: Iterable[Path], out: Path, text: str) -> None:
    """Write row groups of some ROW_GROUP bytes, so that one at a time is in memory."""
    arrow, schema = _arrow(), _schema(text)
    options = arrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    with arrow.parquet.ParquetWriter(out, schema, compression="zstd") as sink:
        tables: list[Any] = []
        for part in parts:
            whole = arrow.json.ReadOptions(block_size=part.stat().st_size + 1)
            tables.append(arrow.json.read_json(part, whole, options))
            if sum(table.nbytes for table in tables) >= ROW_GROUP:
                _write_group(sink, tables)
        _write_group(sink, tables)


def _write_group(sink: Any, tables: list[Any]) -> None:
    """Write tables as one row group, and forget them."""
    if tables:
        sink.write_table(_arrow().concat_tables(tables), row_group_size=sys.maxsize)
        tables.clear()


def _schema(text: str) -> Any:
    arrow = _arrow()
    strings, number, share = arrow.string(), arrow.int64(), arrow.float64()
    kinds = {"record": number, "words": number, "confidence": share}
    names = ("record", "source", "url", "title", "language", text, "words", "confidence")
    more = ("extractor", "fingerprint", "error")
    return arrow.schema([(name, kinds.get(name, strings)) for name in (*names, *more)])


def _arrow() -> Any:
    try:
        for name in ("pyarrow.json", "pyarrow.parquet"):
            import_module(name)
        return import_module("pyarrow")
    except ImportError as error:
        raise UsageError(
            "Parquet needs the extra batch: pip install 'winnow-proxy[batch]'"
        ) from error
