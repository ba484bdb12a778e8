"""Sets a damaged file aside under a name of its own: it is neither overwritten nor deleted."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

COMPANIONS: Final = ("-wal", "-shm")
"""SQLite's files beside a database: the write-ahead log may hold what the database lacks."""


def set_aside(path: Path, now: datetime | None = None) -> Path:
    """Rename a file or folder to ``NAME.damaged-DATE``, UTC; returns where it is now.

    The caller holds the folder's lock. Raises OSError.
    """
    moment = f"{now or datetime.now(UTC):%Y-%m-%dT%H-%M-%S}"
    target = _unused(path.with_name(f"{path.name}.damaged-{moment}"))
    path.rename(target)
    for ending in COMPANIONS:
        beside = path.with_name(path.name + ending)
        if beside.exists():
            beside.rename(target.with_name(target.name + ending))
    return target


def _unused(path: Path) -> Path:
    number, found = 1, path
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Only one process at a time opens or sets aside files of a folder. Blocks; raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
