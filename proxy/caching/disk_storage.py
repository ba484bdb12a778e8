"""Entries in one SQLite file that survives a restart; bounded in bytes, off the event loop.

A damaged file is deleted and created again: it is only a cache.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from winnow.proxy.caching.cache_entry import StorageError, packed, readable
from winnow.proxy.caching.memory_storage import Entries, newest_within
from winnow.proxy.stores.files import folder_lock

FILE_NAME: Final = "cache.sqlite3"
_VERSION: Final = 3
_TABLES: Final = """
CREATE TABLE reply (
    key TEXT PRIMARY KEY, size INTEGER NOT NULL, used INTEGER NOT NULL, entries BLOB NOT NULL
) STRICT;
CREATE INDEX by_use ON reply (used);
CREATE TABLE total (size INTEGER NOT NULL) STRICT;
INSERT INTO total VALUES (0);
CREATE TRIGGER added AFTER INSERT ON reply BEGIN UPDATE total SET size = size + new.size; END;
CREATE TRIGGER gone AFTER DELETE ON reply BEGIN UPDATE total SET size = size - old.size; END;
"""
_BUSY: Final = 1.0  # seconds that another process's write is waited for
_ROW: Final = 100
"""Bytes that a row takes besides its key and its entries, roughly."""
_WAL: Final = 8 * 1024 * 1024
"""Bytes to which the write-ahead log is cut back when all of it is in the file."""
MOST_WAITING: Final = 32 * 1024 * 1024
"""Bytes that wait to be written; beyond them nothing is stored on disk."""

P = ParamSpec("P")
T = TypeVar("T")


class DiskStorage:
    """The entries used last, up to ``limit`` bytes in all; one key may take an eighth of it.

    Every method raises StorageError where the disk or the file fails. Several processes may use
    one file.
    """

    def __init__(self, path: Path, limit: int) -> None:
        self.path, self.limit = path, limit
        self.largest = limit // 8
        self._waiting = 0
        self._database: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-cache")

    async def get(self, key: str) -> Entries:
        return readable(await self._run(_read, key))

    async def put(self, key: str, entries: Entries) -> None:
        """Store the newest entries of a key that fit; the least recently used go."""
        newest = newest_within(entries, self.largest)
        data = packed(newest) if newest else b""
        if not data or self._waiting + len(data) > MOST_WAITING:
            await self.delete(key)
        else:
            await self._put(key, data)

    async def _put(self, key: str, data: bytes) -> None:
        """Write; a caller that stops waiting leaves no bytes in the thread's queue."""
        size, box = len(data), [data]
        del data
        self._waiting += size
        try:
            await self._run(self._written, key, box)
        finally:
            self._waiting -= size
            box.clear()

    def _written(self, database: sqlite3.Connection, key: str, box: list[bytes]) -> None:
        _write(database, key, box.pop(), self.limit)
        _cut_back(database, self.path.with_name(f"{self.path.name}-wal"))

    async def delete(self, key: str) -> None:
        await self._run(_delete, key)

    async def size(self) -> int:
        """Bytes of all entries."""
        return await self._run(_size)

    async def aclose(self) -> None:
        """Close the file; its entries stay."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    async def _run(
        self,
        work: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        def job() -> T:
            try:
                return work(self._opened(), *args, **kwargs)
            except (sqlite3.Error, OSError) as error:
                self._close()
                raise StorageError(f"The cache in {self.path} failed: {error}.") from error

        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            try:
                self._database = _open(self.path, self.limit)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):  # locked, full: not its content
                    raise
                _discard(self.path)
                self._database = _open(self.path, self.limit)
        return self._database

    def _close(self) -> None:
        database, self._database = self._database, None
        if database:
            database.close()


def _open(path: Path, limit: int) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    database = sqlite3.connect(path, timeout=_BUSY, isolation_level=None, check_same_thread=False)
    try:
        with folder_lock(path.parent):  # two processes at once: SQLite refuses, it does not wait
            database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"PRAGMA journal_size_limit = {_WAL}")
        _prepare(database)
        _shrink(database, limit)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection) -> None:
    """Create the tables; those of another version are dropped: it is only a cache."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == _VERSION:
            return
        for table in ("reply", "total"):
            database.execute(f"DROP TABLE IF EXISTS {table}")
        for statement in _TABLES.strip().split(";\n"):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {_VERSION}")


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


_NEXT: Final = "(SELECT coalesce(max(used), 0) + 1 FROM reply)"


def _read(database: sqlite3.Connection, key: str) -> bytes | None:
    row = database.execute("SELECT entries FROM reply WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    with database:
        database.execute(f"UPDATE reply SET used = {_NEXT} WHERE key = ?", (key,))  # noqa: S608 - our own constant
    return bytes(row[0])


def _write(database: sqlite3.Connection, key: str, data: bytes, limit: int) -> None:
    with database:
        database.execute("BEGIN IMMEDIATE")
        # REPLACE would fire no trigger for what it deletes, and the total would grow.
        database.execute("DELETE FROM reply WHERE key = ?", (key,))
        database.execute(
            f"INSERT INTO reply VALUES (?, ?, {_NEXT}, ?)",  # noqa: S608 - our own constant
            (key, len(data) + len(key) + _ROW, data),
        )
        _evict(database, limit)


def _cut_back(database: sqlite3.Connection, log: Path) -> None:
    """Bring a long log into the file. The checkpoint that SQLite makes by itself waits for nobody,
    so the log would grow as long as several processes store at once."""
    if log.exists() and log.stat().st_size > _WAL:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _evict(database: sqlite3.Connection, limit: int) -> None:
    """Delete the least recently used until the rest fits. Within a transaction."""
    over = _size(database) - limit
    while over > 0:
        oldest, size = database.execute(
            "SELECT key, size FROM reply ORDER BY used LIMIT 1"
        ).fetchone()
        database.execute("DELETE FROM reply WHERE key = ?", (oldest,))
        over -= size


def _shrink(database: sqlite3.Connection, limit: int) -> None:
    """Bring a file that was written under a larger limit below this one."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        _evict(database, limit)
    (free,) = database.execute("PRAGMA freelist_count").fetchone()
    (page,) = database.execute("PRAGMA page_size").fetchone()
    if free * page > limit:
        with suppress(sqlite3.OperationalError):  # another process reads: the next start does it
            database.execute("VACUUM")


def _delete(database: sqlite3.Connection, key: str) -> None:
    with database:
        database.execute("DELETE FROM reply WHERE key = ?", (key,))


def _size(database: sqlite3.Connection) -> int:
    (size,) = database.execute("SELECT size FROM total").fetchone()
    return int(size)
