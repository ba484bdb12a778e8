"""Copies of databases as they were before a newer version of Winnow changed them: the way back.

They lie in ``previous`` in the data folder. One that is older than its owner's last deletion would
have what was deleted, so each deletion removes the copies of its file.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from winnow.proxy.stores.files import make_private

FOLDER: Final = "previous"
KEPT: Final = 2
"""Copies of one file."""
_VERSION: Final = re.compile(r"\.version-(\d+)$")


def keep(database: sqlite3.Connection, path: Path, version: int) -> None:
    """Copy a database that is about to be changed, with what its log holds. Raises OSError."""
    folder = path.parent / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    target = folder / f"{path.name}.version-{version}"
    draft = target.with_name(f".{target.name}")
    make_private(draft)
    with closing(sqlite3.connect(draft)) as copy:
        database.backup(copy)
    draft.replace(target)
    for old in list(copies(path).values())[KEPT:]:
        old.unlink(missing_ok=True)


def copies(path: Path) -> dict[int, Path]:
    """The copies of a file by their versions, the newest first."""
    found = {}
    for copy in (path.parent / FOLDER).glob(f"{path.name}.version-*"):
        if version := _VERSION.search(copy.name):
            found[int(version[1])] = copy
    return dict(sorted(found.items(), reverse=True))


def erase(path: Path) -> None:
    """Remove the copies of a file. Raises OSError."""
    for copy in copies(path).values():
        copy.unlink(missing_ok=True)


def to_go_back(folder: Path, readable: Mapping[str, int]) -> dict[str, bytes]:
    """The copies that this version reads, of the files that a newer one wrote, by their names.

    ``readable``: each file's newest version that this program reads. Raises OSError.
    """
    found = {}
    for name, version in readable.items():
        if version_of(folder / name) > version:
            older = [copy for at, copy in copies(folder / name).items() if at <= version]
            if older:
                found[name] = older[0].read_bytes()
    return found


def version_of(path: Path) -> int:
    """The version of a database's tables, 0 where there is none or it cannot be read."""
    if not path.is_file():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return 0
    return int(version)
