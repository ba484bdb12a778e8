"""What can go wrong with what is saved in the data folder, and whose fault it was."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.sentences import Sentence, says

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_CAUSES: Final = {
    sqlite3.SQLITE_READONLY: "the data folder cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_BUSY: "another process is writing",
    sqlite3.SQLITE_LOCKED: "another process is writing",
    sqlite3.SQLITE_IOERR: "the disk failed",
}


class StoreError(ProxyError):
    """A file of the data folder cannot be read or written; the message names no folder."""

    status = 503
    reason = "not-saved"


class StoreFullError(StoreError):
    """The disk is full, or the user's quota (507: RFC 4918, section 11.5)."""

    status = 507
    reason = "disk-full"


class NewerFileError(StoreError):
    """A later version of Winnow wrote the file; it is not touched."""


def save_error(what: str, error: OSError | sqlite3.Error) -> StoreError:
    """The error of a write as one sentence; ``what`` is the subject, such as "The choice"."""
    if is_full(error):
        return StoreFullError(
            says("{what} could not be saved: the disk is full.", what=Sentence(what))
        )
    return StoreError(
        says("{what} could not be saved: {cause}.", what=Sentence(what), cause=cause(error))
    )


def is_full(error: OSError | sqlite3.Error) -> bool:
    """Whether there is no room left."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    return primary_code(error) == sqlite3.SQLITE_FULL


def cause(error: OSError | sqlite3.Error) -> str:
    """What happened, in words and without a path."""
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return _CAUSES.get(primary_code(error)) or str(error)


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 where the error is of Python's own module."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
