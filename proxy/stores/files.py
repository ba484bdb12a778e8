"""Reads and writes the files of the data folder, which their owner alone can read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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


def write_private(path: Path, data: bytes) -> None:
    """Replace a file as a whole, so that a kill leaves the old or the new. Raises OSError.

    A draft that could not be finished is removed, so that a full disk is not filled further.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
