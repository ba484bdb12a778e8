"""Tells when two instances use one data folder. Files stay sound; what is in memory differs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from winnow.proxy.stores.notices import Notices

PREFIX: Final = ".in-use-by-"
_SHARED: Final = (
    "Another Winnow uses the same data folder. Files stay sound, and nothing saved is lost, but "
    "what is chosen at one is known to the other only after its restart: give each a "
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
