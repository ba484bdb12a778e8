"""Keeps what a reader chose in one SQLite file, off the event loop, so that a kill loses nothing.

Knows tables and their versions; refuses to know what a choice means to a request.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Self

from proxy.stores.choices import UNTIL_RESTART, MemoryChoices
from proxy.stores.errors import StoreError
from proxy.stores.remembered import Choice, Mode, PassThrough, Remembered

FILE_NAME = "choices.sqlite3"
_BUSY = 5.0
"""Seconds that another process's change is waited for."""
_STEPS = (
    """
    CREATE TABLE choice (site TEXT PRIMARY KEY, mode TEXT, extractor TEXT, level INTEGER) STRICT;
    CREATE TABLE passed (
        host TEXT PRIMARY KEY, reason TEXT NOT NULL, since TEXT NOT NULL, sure INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), until TEXT NOT NULL) STRICT;
    """,
)
"""Each brings a file from the version of its index to the next; never change one that shipped."""

_Statement = tuple[str, tuple[str | int | None, ...]]


class SqliteChoices(MemoryChoices):
    """A ``ChoiceStore`` on disk: all is read at the start, each change is one transaction."""

    def __init__(self, database: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        super().__init__(_read(database))
        self._database = database
        self._thread = thread

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open or make the file. Raises ``StoreError`` if it is damaged, too new or not ours."""
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-choices")
        loop = asyncio.get_running_loop()
        try:
            database = await loop.run_in_executor(thread, _open, path)
        except BaseException:
            thread.shutdown()
            raise
        return await loop.run_in_executor(thread, cls, database, thread)

    async def aclose(self) -> None:
        """Close the file."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._database.close)
        self._thread.shutdown()

    async def _keep(self, old: Remembered, new: Remembered) -> None:
        statements = list(_difference(old, new))
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, _write, self._database, statements)

    async def _kept(self) -> Remembered:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, _read, self._database)
        except (sqlite3.Error, ValueError) as error:
            raise StoreError(f"The choices cannot be read again: {error}.") from error


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        database = sqlite3.connect(
            path, timeout=_BUSY, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"The choices in {path} cannot be opened: {error}.") from error
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        _migrate(database, path)
        _read(database)
    except (sqlite3.Error, ValueError) as error:
        database.close()
        raise StoreError(
            f"The choices in {path} are damaged ({error}): move the file away."
        ) from error
    except StoreError:
        database.close()
        raise
    return database


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    database.execute("BEGIN IMMEDIATE")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(_STEPS):
        database.execute("ROLLBACK")
        raise StoreError(f"The choices in {path} were written by a newer Winnow: update this one.")
    for step in _STEPS[version:]:
        for statement in step.split(";"):
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {len(_STEPS)}")
    database.execute("COMMIT")


def _read(database: sqlite3.Connection) -> Remembered:
    choices = {
        site: Choice(None if mode is None else Mode(mode), extractor, level)
        for site, mode, extractor, level in database.execute(
            "SELECT site, mode, extractor, level FROM choice"
        )
    }
    passed = {
        host: PassThrough(host, reason, datetime.fromisoformat(since), bool(sure))
        for host, reason, since, sure in database.execute(
            "SELECT host, reason, since, sure FROM passed"
        )
    }
    pause = database.execute("SELECT until FROM pause").fetchone()
    until = None if pause is None else datetime.fromisoformat(pause[0])
    return Remembered(MappingProxyType(choices), MappingProxyType(passed), until)


def _write(database: sqlite3.Connection, statements: Iterable[_Statement]) -> None:
    try:
        with database:
            database.execute("BEGIN IMMEDIATE")
            for statement, values in statements:
                database.execute(statement, values)
    except sqlite3.Error as error:
        raise StoreError(f"The choice could not be kept: {error}.") from error


def _difference(old: Remembered, new: Remembered) -> Iterator[_Statement]:
    """What makes the tables of ``old`` those of ``new``."""
    for site in old.choices.keys() - new.choices.keys():
        yield "DELETE FROM choice WHERE site = ?", (site,)
    for site, choice in new.choices.items():
        if old.choices.get(site) != choice:
            row = (site, choice.mode, choice.extractor, choice.level)
            yield "INSERT OR REPLACE INTO choice VALUES (?, ?, ?, ?)", row
    for host in old.passed.keys() - new.passed.keys():
        yield "DELETE FROM passed WHERE host = ?", (host,)
    for host, entry in new.passed.items():
        if old.passed.get(host) != entry:
            kept = (host, entry.reason, entry.since.isoformat(), int(entry.sure))
            yield "INSERT OR REPLACE INTO passed VALUES (?, ?, ?, ?)", kept
    if old.paused_until != new.paused_until:
        yield from _pause(new.paused_until)


def _pause(until: datetime | None) -> Iterator[_Statement]:
    yield "DELETE FROM pause", ()
    if until is not None and until != UNTIL_RESTART:
        yield "INSERT INTO pause VALUES (1, ?)", (until.isoformat(),)
