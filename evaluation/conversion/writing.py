"""A test package written to a folder. Knows the layout; refuses to know where pages come from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluation.errors import PackageError
from evaluation.packages import DESCRIPTION, Entry


def write_package(folder: Path, description: Mapping[str, object], entries: Iterable[Entry]) -> int:
    """Write the entries and return how many; ``PackageError`` where the folder is not empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise PackageError(f"{folder} is not empty: name a new folder for the package.")
    write_json(folder / DESCRIPTION, description)
    count = 0
    for entry in entries:
        write_entry(folder, entry)
        count += 1
    return count


def write_entry(folder: Path, entry: Entry) -> None:
    """Write one entry, in place of one of the same name."""
    name = entry.id.replace("/", "_")
    (folder / f"{name}.html").write_bytes(entry.body)
    (folder / f"{name}.txt").write_text(entry.gold, encoding="utf-8")
    write_json(folder / f"{name}.json", {"id": name, **entry.meta})


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write an object as people can read it."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
