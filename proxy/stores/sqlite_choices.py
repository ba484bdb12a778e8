"""The ChoiceStore in one SQLite file, off the event loop: a kill loses nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Self

from winnow.proxy.stores.choice_store import NotifyingChoices
from winnow.proxy.stores.choices import (
    UNTIL_RESTART,
    Choices,
    Owned,
    PassThrough,
    grouped,
)
from winnow.proxy.stores.database import DatabaseFile, Schema
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.store_errors import NewerFileError, StoreError

FILE_NAME = "choices.sqlite3"
_STEPS = (
    """
    CREATE TABLE choice (site TEXT PRIMARY KEY, mode TEXT, extractor TEXT, level INTEGER) STRICT;
    CREATE TABLE passed (
        host TEXT PRIMARY KEY, reason TEXT NOT NULL, since TEXT NOT NULL, sure INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), until TEXT NOT NULL) STRICT;
    """,
    """
    DROP TABLE passed;
    CREATE TABLE refusal (
        host TEXT NOT NULL, client TEXT NOT NULL, hello TEXT NOT NULL, reason TEXT NOT NULL,
        since TEXT NOT NULL, sure INTEGER NOT NULL, PRIMARY KEY (host, client, hello)
    ) STRICT;
    """,
    """
    ALTER TABLE choice RENAME TO choice_1;
    CREATE TABLE choice (
        owner TEXT NOT NULL, site TEXT NOT NULL, mode TEXT, extractor TEXT, level INTEGER,
        PRIMARY KEY (owner, site)
    ) STRICT;
    INSERT INTO choice SELECT '', site, mode, extractor, level FROM choice_1 ORDER BY rowid;
    DROP TABLE choice_1;
    ALTER TABLE pause RENAME TO pause_1;
    CREATE TABLE pause (owner TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
    INSERT INTO pause SELECT '', until FROM pause_1;
    DROP TABLE pause_1;
    """,
    """
    CREATE TABLE decided (
        owner TEXT NOT NULL, site TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (owner, site, field)
    ) STRICT;
    INSERT INTO decided SELECT owner, site, field, value FROM (
        SELECT rowid AS place, owner, site, 'mode' AS field, mode AS value FROM choice
        UNION ALL SELECT rowid, owner, site, 'extractor', extractor FROM choice
        UNION ALL SELECT rowid, owner, site, 'level', CAST(level AS TEXT) FROM choice
    ) WHERE value IS NOT NULL ORDER BY place;
    DROP TABLE choice;
    """,
)
"""Each brings a file from the version of its index to the next; never change one that shipped."""
VERSION = len(_STEPS)

_Statement = tuple[str, tuple[str | int | None, ...]]


class SqliteChoices(NotifyingChoices):
    """A ``ChoiceStore`` on disk: all is read at the start, each change is one transaction."""

    def __init__(self, path: Path, notices: Notices) -> None:
        super().__init__()
        self._file = DatabaseFile(
            path, "The choice", Schema(VERSION, _migrate), notices, self._write_all
        )

    @classmethod
    async def open(cls, path: Path, notices: Notices | None = None) -> Self:
        """Open or create the file; ``notices`` get what is wrong with it.

        Raises NewerFileError if a later version of Winnow wrote it.
        """
        notices = notices or Notices()
        store = cls(path, notices)
        try:
            store.now = await store._file.run(_checked)
        except NewerFileError:
            await store.aclose()
            raise
        except StoreError as error:
            store.now = await asyncio.to_thread(_read_only, path)
            notices.add(f"{path.name} cannot be written, and choices are not saved: {error}")
        return store

    async def aclose(self) -> None:
        """Close the file."""
        await self._file.aclose()

    async def _save(self, old: Choices, new: Choices) -> None:
        statements = list(_difference(old, new))
        erases = any(statement.startswith("DELETE FROM decided") for statement, _ in statements)
        await self._file.run(lambda database: _execute(database, statements), erases=erases)

    async def _stored(self) -> Choices:
        return await self._file.run(_read)

    def _write_all(self, database: sqlite3.Connection) -> None:
        """Write what is in memory into a new file: it was read before the damage."""
        _execute(database, _difference(Choices(), self.now))


def _migrate(database: sqlite3.Connection, version: int) -> None:
    for step in _STEPS[version:]:
        for statement in step.split(";"):
            database.execute(statement)


def _checked(database: sqlite3.Connection) -> Choices:
    """All rows. Raises ValueError for an impossible row or a damaged page."""
    (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise ValueError(found)
    return _read(database)


def _read_only(path: Path) -> Choices:
    """The choices of a file that can only be read; none where it cannot be read."""
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    except sqlite3.Error:
        return Choices()
    try:
        return _read(database)
    except (sqlite3.Error, ValueError):
        return Choices()
    finally:
        database.close()


def _read(database: sqlite3.Connection) -> Choices:
    rows = database.execute("SELECT owner, site, field, value FROM decided ORDER BY rowid")
    pauses = [
        (owner, datetime.fromisoformat(until))
        for owner, until in database.execute("SELECT owner, until FROM pause ORDER BY rowid")
    ]
    entries = [
        PassThrough(host, reason, datetime.fromisoformat(since), bool(sure), client, hello)
        for host, reason, since, sure, client, hello in database.execute(
            "SELECT host, reason, since, sure, client, hello FROM refusal"
        )
    ]
    passed = {entry.key: entry for entry in entries}
    return Choices(grouped(rows, pauses), MappingProxyType(passed))


def _execute(database: sqlite3.Connection, statements: Iterable[_Statement]) -> None:
    for statement, values in statements:
        database.execute(statement, values)


def _difference(old: Choices, new: Choices) -> Iterator[_Statement]:
    """What makes the tables of ``old`` those of ``new``."""
    for owner in dict.fromkeys((*old.owners, *new.owners)):
        if old.of(owner) is not new.of(owner):
            yield from _owned(owner, old.of(owner), new.of(owner))
    yield from _refusals(old, new)


def _refusals(old: Choices, new: Choices) -> Iterator[_Statement]:
    for key in old.passed.keys() - new.passed.keys():
        entry = old.passed[key]
        names = (entry.host, entry.client, entry.hello)
        yield "DELETE FROM refusal WHERE host = ? AND client = ? AND hello = ?", names
    for key, entry in new.passed.items():
        if old.passed.get(key) != entry:
            names = (entry.host, entry.client, entry.hello)
            row = (*names, entry.reason, entry.since.isoformat(), int(entry.sure))
            yield "INSERT OR REPLACE INTO refusal VALUES (?, ?, ?, ?, ?, ?)", row


def _owned(owner: str, old: Owned, new: Owned) -> Iterator[_Statement]:
    """What makes the rows of one owner those of ``new``; what changes becomes the latest."""
    before, after = old.fields(), new.fields()
    for site, name in before.keys() - after.keys():
        yield "DELETE FROM decided WHERE owner = ? AND site = ? AND field = ?", (owner, site, name)
    for (site, name), value in after.items():
        if before.get((site, name)) != value:
            row = (owner, site, name, value)
            yield "INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?)", row
    if old.paused_until != new.paused_until:
        yield "DELETE FROM pause WHERE owner = ?", (owner,)
        if new.paused_until and new.paused_until != UNTIL_RESTART:
            yield "INSERT INTO pause VALUES (?, ?)", (owner, new.paused_until.isoformat())
