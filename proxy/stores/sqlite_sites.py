"""Keeps what pages taught in one SQLite file, off the event loop; a kill leaves it whole.

Several processes may use the file at once: every change is one transaction that reads what is
there. The secret stands in a file of its own beside it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self, TypeVar

from proxy.stores.errors import StoreError
from proxy.stores.sites import KEY_SIZE, Bounds, Merge, joined

FILE_NAME: Final = "sites.sqlite3"
KEY_NAME: Final = "sites.key"
_VERSION: Final = 1
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS site (
    name TEXT PRIMARY KEY, memory BLOB NOT NULL, used INTEGER NOT NULL, stamp INTEGER NOT NULL
) STRICT
"""
_INDEXES: Final = """
CREATE INDEX IF NOT EXISTS site_stamp ON site (stamp, name);
CREATE INDEX IF NOT EXISTS site_used ON site (used, stamp, name);
"""
"""All that is asked of every site at once: no memory is read for it, however many there are."""
_FOLD: Final = """
INSERT OR REPLACE INTO site
VALUES (?, ?, ?, (SELECT COALESCE(MAX(stamp), 0) + 1 FROM site))
"""
OLD: Final = """
DELETE FROM site WHERE rowid IN (
    SELECT rowid FROM site WHERE used < ? UNION SELECT rowid FROM (
        SELECT rowid FROM site ORDER BY used DESC, stamp DESC LIMIT -1 OFFSET ?
    )
)
"""
STAMPS: Final = "SELECT name, stamp FROM site"
_Answer = TypeVar("_Answer")


class SqliteSites:
    """A ``SiteStore`` on disk."""

    def __init__(
        self, database: sqlite3.Connection, key: bytes, merge: Merge, bounds: Bounds
    ) -> None:
        self._database, self._key, self._merge, self._bounds = database, key, merge, bounds
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-sites")

    @classmethod
    async def open(cls, folder: Path, merge: Merge, bounds: Bounds | None = None) -> Self:
        """Open or make the files. Raises ``StoreError`` if they cannot be used."""
        database, key = await asyncio.to_thread(_open, folder)
        return cls(database, key, merge, bounds or Bounds())

    async def secret(self) -> bytes:
        return self._key

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        await self._do(lambda database: self._fold(database, lessons))

    async def stamps(self) -> Mapping[str, int]:
        return await self._do(lambda database: dict(database.execute(STAMPS)))

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        return await self._do(lambda database: _recall(database, sites))

    async def forget(self, sites: Collection[str]) -> None:
        names = [(site,) for site in sites]
        await self._do(lambda database: _forget(database, names))

    async def aclose(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._database.close)
        self._thread.shutdown()

    def _fold(self, database: sqlite3.Connection, lessons: Mapping[str, bytes]) -> None:
        now = time.time()
        kept = _recall(database, lessons)
        for site, lesson in lessons.items():
            memory = joined(self._merge, kept.get(site, b""), lesson)
            database.execute(_FOLD, (site, memory, int(now)))
        database.execute(OLD, (self._bounds.oldest(now), self._bounds.sites))

    async def _do(self, work: Callable[[sqlite3.Connection], _Answer]) -> _Answer:
        """One transaction, in the thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, _within, self._database, work)


def _within(database: sqlite3.Connection, work: Callable[[sqlite3.Connection], _Answer]) -> _Answer:
    try:
        with database:
            database.execute("BEGIN IMMEDIATE")
            return work(database)
    except sqlite3.Error as error:
        raise StoreError(f"What is known of sites could not be read or kept: {error}.") from error


def _recall(database: sqlite3.Connection, sites: Collection[str]) -> dict[str, bytes]:
    statement = "SELECT memory FROM site WHERE name = ?"
    found = ((site, database.execute(statement, (site,)).fetchone()) for site in sites)
    return {site: row[0] for site, row in found if row}


def _forget(database: sqlite3.Connection, names: list[tuple[str]]) -> None:
    database.executemany("DELETE FROM site WHERE name = ?", names)


def _open(folder: Path) -> tuple[sqlite3.Connection, bytes]:
    path = folder / FILE_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        key = _key_of(folder / KEY_NAME)
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"What is known of sites, {path}, cannot be opened: {error}.") from error
    try:
        _prepare(database, path)
    except sqlite3.Error as error:
        database.close()
        raise StoreError(f"{path} is damaged ({error}): move the file away.") from error
    except StoreError:
        database.close()
        raise
    return database, key


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    database.execute("PRAGMA busy_timeout = 5000")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA secure_delete = ON")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > _VERSION:
        raise StoreError(f"{path} was made by a newer Winnow: update this one.")
    database.execute(_TABLE)
    database.executescript(_INDEXES)
    database.execute(f"PRAGMA user_version = {_VERSION}")


def _key_of(path: Path) -> bytes:
    """The secret of a file, made where there is none; whole or not there, whoever is first."""
    if not path.exists():
        fresh = path.with_name(f"{KEY_NAME}.{os.getpid()}.new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_SIZE))
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = path.read_bytes()
    if len(key) != KEY_SIZE:
        raise StoreError(f"{path} is damaged: move it away, and {FILE_NAME} with it.")
    return key
