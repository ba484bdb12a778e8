"""One SQLite file in WAL mode that several processes may use; a damaged one is replaced."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from winnow.proxy.stores import previous
from winnow.proxy.stores.files import folder_lock, make_private, set_aside
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.store_errors import NewerFileError, primary_code, save_error

BUSY: Final = 5.0
"""Seconds that another process's transaction is waited for."""
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_Answer = TypeVar("_Answer")
Work = Callable[[sqlite3.Connection], _Answer]


@dataclass(frozen=True, slots=True)
class Schema:
    """``prepare`` makes the tables of ``version`` from those of the version that it is given."""

    version: int
    prepare: Callable[[sqlite3.Connection, int], None]


class DatabaseFile:
    """Transactions in a thread of its own. ``what``: the subject of errors, "The choice".

    A file that is damaged, unreadable or a folder is set aside, and a new one is made and given to
    ``fill``: when it is opened, or when a later transaction finds the damage.
    """

    def __init__(
        self,
        path: Path,
        what: str,
        schema: Schema,
        notices: Notices,
        fill: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        self.path, self.what, self.notices = path, what, notices
        self._schema, self._fill = schema, fill
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-store")
        self._database: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None

    async def run(self, work: Work[_Answer], *, erases: bool = False) -> _Answer:
        """The result of one transaction. Raises StoreError, or StoreFullError for a full disk.

        Raises NewerFileError for the file of a later version of Winnow. ``erases``: a person
        deleted something, which no copy is to have either.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._run, work, erases)

    async def aclose(self) -> None:
        """Close the file and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _run(self, work: Work[_Answer], erases: bool) -> _Answer:
        try:
            if erases:
                previous.erase(self.path)
            return self._attempt(work)
        except (sqlite3.Error, OSError) as error:
            raise save_error(self.what, error) from error

    def _close(self) -> None:
        """Close the file; the next transaction opens it again."""
        database, self._database = self._database, None
        if database:
            database.close()

    def _attempt(self, work: Work[_Answer]) -> _Answer:
        def checked(database: sqlite3.Connection) -> _Answer:
            self._version(database)  # a newer Winnow that takes over changes the tables meanwhile
            return work(database)

        try:
            return _transaction(self._opened(), checked)
        except (sqlite3.Error, ValueError) as error:
            if not is_damage(error):
                raise
            self._replace(error)
        return _transaction(self._opened(), work)

    def _opened(self) -> sqlite3.Connection:
        if self._database is not None and self._identity != _identity(self.path):
            self._close()  # another process set the file aside, or somebody removed it
        if self._database is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with folder_lock(self.path.parent):
                self._database = self._connect_or_replace()
                self._identity = _identity(self.path)
        return self._database

    def _connect_or_replace(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except (sqlite3.Error, ValueError, IsADirectoryError, PermissionError) as error:
            if isinstance(error, (sqlite3.Error, ValueError)) and not is_damage(error):
                raise
            self._set_aside(error)
            return self._refilled()

    def _replace(self, error: Exception) -> None:
        """Set the open file aside, unless another process was first."""
        self._close()
        with folder_lock(self.path.parent):
            if self._identity == _identity(self.path):
                self._set_aside(error)
                self._database = self._refilled()
                self._identity = _identity(self.path)

    def _refilled(self) -> sqlite3.Connection:
        database = self._connect()
        if self._fill:
            _transaction(database, self._fill)
        return database

    def _set_aside(self, error: Exception) -> None:
        damaged = set_aside(self.path)
        self.notices.add(
            f"{self.what}: {self.path.name} was damaged ({_why(error)}). It was set aside as "
            f"{damaged.name} in the data folder, and a new file was created."
        )

    def _connect(self) -> sqlite3.Connection:
        make_private(self.path)
        database = sqlite3.connect(
            self.path, timeout=BUSY, isolation_level=None, check_same_thread=False
        )
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            self._migrate(database)
        except BaseException:
            database.close()
            raise
        return database

    def _migrate(self, database: sqlite3.Connection) -> None:
        """Bring the tables to this program's version, once their copy is kept."""
        found = self._version(database)
        if 0 < found < self._schema.version:
            previous.keep(database, self.path, found)
        with database:
            database.execute("BEGIN IMMEDIATE")
            (found,) = database.execute("PRAGMA user_version").fetchone()
            self._schema.prepare(database, found)
            database.execute(f"PRAGMA user_version = {self._schema.version}")

    def _version(self, database: sqlite3.Connection) -> int:
        """The version of the tables. Raises NewerFileError for that of a later Winnow."""
        found = int(database.execute("PRAGMA user_version").fetchone()[0])
        if found > self._schema.version:
            way = " or go back with winnow restore --previous" if previous.copies(self.path) else ""
            raise NewerFileError(
                f"{self.path.name} was written by a newer Winnow: update this one{way}."
            )
        return found


def is_damage(error: Exception) -> bool:
    """Whether an error is of the file's content: another file in its place would work.

    ValueError: a row that nobody wrote. A table that is missing was in a page that is lost.
    """
    if isinstance(error, NewerFileError) or not isinstance(error, sqlite3.Error):
        return isinstance(error, ValueError)
    return primary_code(error) in _DAMAGED or str(error).startswith("no such table")


def _transaction(database: sqlite3.Connection, work: Work[_Answer]) -> _Answer:
    with database:
        database.execute("BEGIN IMMEDIATE")
        return work(database)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
