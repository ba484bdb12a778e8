"""A test package written to a folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import DESCRIPTION, PackageEntry


def write_package(
    folder: Path, description: Mapping[str, object], entries: Iterable[PackageEntry]
) -> int:
    """Write the entries and return how many; ``PackageError`` where the folder is not empty.

    Where getting them fails, the folder is as it was: they are written beside it and moved.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackageError(f"{folder} is not empty: name a new folder for the package.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        made = Path(beside) / folder.name
        made.mkdir()
        write_json(made / DESCRIPTION, description)
        count = 0
        for entry in entries:
            write_entry(made, entry)
            count += 1
        made.replace(folder)
    return count


def write_entry(folder: Path, entry: PackageEntry) -> None:
    """Write one entry, in place of one of the same name."""
    name = entry.id.replace("/", "_")
    (folder / f"{name}.html").write_bytes(entry.body)
    (folder / f"{name}.txt").write_text(entry.gold, encoding="utf-8")
    write_json(folder / f"{name}.json", {"id": name, **entry.meta})


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write an object as people can read it."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
