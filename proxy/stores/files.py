"""Private files of the data folder: written whole, locked, set aside where damaged."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from winnow.proxy.stores.notices import Notices


def make_private(path: Path) -> None:
    """Make the file if it is missing, readable and writable by its owner. Raises OSError."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except PermissionError:
        path.chmod(0o600)  # its permissions alone were wrong, if it is ours
        os.close(os.open(path, os.O_RDWR | os.O_CLOEXEC))


def read_private(path: Path) -> bytes:
    """The content of a file, made readable for its owner where it was not. Raises OSError."""
    try:
        return path.read_bytes()
    except PermissionError:
        path.chmod(0o600)
        return path.read_bytes()


def write_private(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file as a whole, so that a kill leaves the old or the new. Raises OSError.

    A draft that could not be finished is removed, so that a full disk is not filled further. A link
    is replaced, not followed: another user may have laid it. A device or a pipe is refused.
    """
    if not path.is_symlink() and path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


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


PREFIX: Final = ".in-use-by-"
_SHARED: Final = (
    "Another Winnow uses the same data folder. Files stay sound, and nothing saved is lost, but "
    "a choice made at one takes effect at the other only after its restart: give each a "
    "storage.folder of its own, or both storage.redis."
)


@contextmanager
def data_folder_used(folder: Path, instance: str, notices: Notices) -> Iterator[None]:
    """Mark a folder as used by ``instance``, all of whose processes share the mark, until the end.

    A mark is a locked file, so that one of a process that was killed counts no longer. A folder
    that cannot be written is not marked.
    """
    mark = folder / f"{PREFIX}{instance}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(_is_alive(other) for other in folder.glob(f"{PREFIX}*") if other != mark):
            notices.add(_SHARED)
        handle = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield  # the stores tell what is wrong with the folder
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
        _is_alive(mark)  # the last process of an instance removes its mark


def note_process(folder: Path, instance: str, text: str) -> None:
    """Write into an instance's mark which process answers to signals, and why none replaced it."""
    with suppress(OSError):  # a folder that cannot be written has no mark
        (folder / f"{PREFIX}{instance}").write_text(text)


def marks_in_use(folder: Path) -> list[Path]:
    """The marks that a running Winnow holds. Raises OSError."""
    return [mark for mark in folder.glob(f"{PREFIX}*") if _is_alive(mark)]


def is_in_use(folder: Path) -> bool:
    """Whether a running Winnow has marked the folder. Raises OSError."""
    return bool(marks_in_use(folder))


def _is_alive(mark: Path) -> bool:
    """Whether somebody holds a mark; one that nobody holds is removed."""
    with suppress(FileNotFoundError):
        handle = os.open(mark, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            mark.unlink(missing_ok=True)
        finally:
            os.close(handle)
    return False
