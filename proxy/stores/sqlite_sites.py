"""The SiteStore in one SQLite file, off the event loop; a kill leaves it whole.

Several processes may use the file: every change is one transaction. The secret is in a file of
its own beside it.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Self

from winnow.proxy.stores import previous
from winnow.proxy.stores.database import DatabaseFile, Schema
from winnow.proxy.stores.files import folder_lock, read_private, set_aside, write_private
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_store import (
    KEY_SIZE,
    Merge,
    SiteNews,
    SiteStoreBounds,
    joined,
)
from winnow.proxy.stores.store_errors import NewerFileError, StoreError, save_error

FILE_NAME: Final = "sites.sqlite3"
KEY_NAME: Final = "sites.key"
ASKED_NAME: Final = "sites.asked"
_ASKED: Final = (
    f"{FILE_NAME} has the names of sites that were read. Winnow now keeps what it learns in "
    "memory: set learning.on_disk to go on storing it, or the file is deleted at a start from "
    "tomorrow on."
)
_PATIENCE: Final = timedelta(days=1)
VERSION: Final = 1
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS site (
    name TEXT PRIMARY KEY, memory BLOB NOT NULL, used INTEGER NOT NULL, stamp INTEGER NOT NULL
) STRICT
"""
_INDEXES: Final = """
CREATE INDEX IF NOT EXISTS site_stamp ON site (stamp, name);
CREATE INDEX IF NOT EXISTS site_used ON site (used, stamp, name);
"""
"""For the queries over all sites: they read no memory."""
_CHANGES: Final = """
CREATE TABLE IF NOT EXISTS changes (number INTEGER NOT NULL) STRICT;
INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT * FROM changes);
"""
"""Counts all changes: the stamp of a forgotten site is not given again."""
_NEXT: Final = """
UPDATE changes SET number = MAX(number, (SELECT COALESCE(MAX(stamp), 0) FROM site)) + 1
"""
_FOLD: Final = "INSERT OR REPLACE INTO site VALUES (?, ?, ?, (SELECT number FROM changes))"
_WITHOUT_SCHEME: Final = "DELETE FROM site WHERE instr(name, '://') = 0"
"""Rows of earlier versions, which any scheme and port of a host taught, are dropped."""
_OLD: Final = "DELETE FROM site WHERE used < ?"
COUNT: Final = "SELECT COUNT(*) FROM site"
BEYOND: Final = """
DELETE FROM site WHERE rowid IN (
    SELECT rowid FROM site ORDER BY used DESC, stamp DESC LIMIT -1 OFFSET ?
)
"""
STAMPS: Final = "SELECT name, stamp FROM site"
_NEWS: Final = "SELECT name, stamp FROM site WHERE stamp >= ?"


def leave_disk(folder: Path, notices: Notices, now: datetime) -> None:
    """Delete what an earlier run stored, once its owner was asked and a day has passed."""
    asked = folder / ASKED_NAME
    if not (folder / FILE_NAME).exists():
        return
    try:
        if not asked.exists():
            write_private(asked, now.isoformat().encode())
        since = datetime.fromtimestamp(asked.stat().st_mtime, UTC)
        if now - since < _PATIENCE:
            notices.add(_ASKED)
            return
        previous.erase(folder / FILE_NAME)
        for name in (f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", FILE_NAME, KEY_NAME, ASKED_NAME):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        notices.add(f"{FILE_NAME} has the names of sites and cannot be deleted: {error.strerror}.")


class SqliteSites:
    """A ``SiteStore`` on disk."""

    def __init__(
        self, folder: Path, merge: Merge, bounds: SiteStoreBounds, notices: Notices
    ) -> None:
        self._file = DatabaseFile(
            folder / FILE_NAME, "The memory of sites", Schema(VERSION, _prepare), notices
        )
        self._key, self._merge, self._bounds = b"", merge, bounds

    @classmethod
    async def open(
        cls,
        folder: Path,
        merge: Merge,
        bounds: SiteStoreBounds | None = None,
        notices: Notices | None = None,
    ) -> Self:
        """Open or create the files; ``notices`` get what is wrong with them.

        Raises NewerFileError if a later version of Winnow wrote them.
        """
        notices = notices or Notices()
        store = cls(folder, merge, bounds or SiteStoreBounds(), notices)
        try:
            store._key = await asyncio.to_thread(key_of, folder, notices)
            await asyncio.to_thread((folder / ASKED_NAME).unlink, missing_ok=True)
            await store.stamps()
        except NewerFileError:
            await store.aclose()
            raise
        except StoreError as error:
            store._key = store._key or secrets.token_bytes(KEY_SIZE)
            notices.add(f"{FILE_NAME} cannot be used, and nothing is learned of sites: {error}")
        return store

    async def secret(self) -> bytes:
        return self._key

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        await self._file.run(lambda database: self._fold(database, lessons))

    async def stamps(self) -> Mapping[str, int]:
        return await self._file.run(lambda database: dict(database.execute(STAMPS)))

    async def news(self, since: int) -> SiteNews:
        return await self._file.run(lambda database: _news(database, since))

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        return await self._file.run(lambda database: _recall(database, sites))

    async def forget(self, sites: Collection[str]) -> None:
        names = [(site,) for site in sites]
        await self._file.run(lambda database: _forget(database, names), erases=True)

    async def aclose(self) -> None:
        await self._file.aclose()

    def _fold(self, database: sqlite3.Connection, lessons: Mapping[str, bytes]) -> None:
        now = time.time()
        stored = _recall(database, lessons)
        for site, lesson in lessons.items():
            memory = joined(self._merge, stored.get(site, b""), lesson)
            database.execute(_NEXT)
            database.execute(_FOLD, (site, memory, int(now)))
        database.execute(_OLD, (self._bounds.oldest(now),))
        if database.execute(COUNT).fetchone()[0] > self._bounds.sites:
            database.execute(BEYOND, (self._bounds.sites,))


def _news(database: sqlite3.Connection, since: int) -> SiteNews:
    (count,) = database.execute(COUNT).fetchone()
    return SiteNews(dict(database.execute(_NEWS, (since,))), count)


def _recall(database: sqlite3.Connection, sites: Collection[str]) -> dict[str, bytes]:
    statement = "SELECT memory FROM site WHERE name = ?"
    found = ((site, database.execute(statement, (site,)).fetchone()) for site in sites)
    return {site: row[0] for site, row in found if row}


def _forget(database: sqlite3.Connection, names: list[tuple[str]]) -> None:
    database.executemany("DELETE FROM site WHERE name = ?", names)


def _prepare(database: sqlite3.Connection, _version: int) -> None:
    database.execute("PRAGMA secure_delete = ON")
    for statement in (_TABLE, *(_INDEXES + _CHANGES).split(";"), _WITHOUT_SCHEME):
        database.execute(statement)


def key_of(folder: Path, notices: Notices) -> bytes:
    """The secret of a folder's hashes, created where there is none. Raises StoreError.

    A damaged one is set aside together with the memories: their hashes need it.
    """
    path = folder / KEY_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with folder_lock(folder):
            return _key_at(path, notices)
    except OSError as error:
        raise save_error(f"The key {KEY_NAME}", error) from error


def _key_at(path: Path, notices: Notices) -> bytes:
    if path.exists():
        key = _readable(path)
        if len(key) == KEY_SIZE:
            return key
        damaged = set_aside(path)
        sites = path.with_name(FILE_NAME)
        also = f" with {set_aside(sites).name}" if sites.exists() else ""
        notices.add(
            f"{KEY_NAME} was damaged. It was set aside as {damaged.name}{also} in the data folder: "
            "sites are learned again."
        )
    key = secrets.token_bytes(KEY_SIZE)
    write_private(path, key)
    return key


def _readable(path: Path) -> bytes:
    """The content, "" where there is none that can be read. Raises OSError for a failing disk."""
    try:
        return read_private(path)
    except (IsADirectoryError, PermissionError):
        return b""
