"""A backup of the data folder: one compressed tar file of what would be missed.

Caches and lists of advertisements are left out: they are fetched again.
"""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from winnow.proxy.stores import library, sqlite_choices, sqlite_sites
from winnow.proxy.stores.files import COMPANIONS, folder_lock, read_private, write_private
from winnow.proxy.stores.store_errors import StoreError

AUTHORITY: Final = "ca/authority.pem"
FILES: Final = (
    AUTHORITY,
    library.FILE_NAME,
    sqlite_choices.FILE_NAME,
    sqlite_sites.KEY_NAME,
    sqlite_sites.FILE_NAME,
)
"""All that a backup has beside the databases of features, relative to the folder."""
VERSIONS: Final = {
    sqlite_choices.FILE_NAME: sqlite_choices.VERSION,
    sqlite_sites.FILE_NAME: sqlite_sites.VERSION,
}
"""The newest version of each database that this program reads; those of features aside."""
FETCHED_AGAIN: Final = "cache.sqlite3"
_FEATURES: Final = re.compile(r"[a-z][a-z0-9_-]*\.sqlite3")
LARGEST: Final = 1024**3
"""Bytes of one file of a backup."""
_LOGGED: Final = slice(18, 20)
"""Of a database: 2 says that it has a write-ahead log, which a copy has not (Database File Format,
1.3.4)."""
_DATABASE: Final = ".sqlite3"
_NO_BACKUP: Final = "is no backup of Winnow"


def packed(folder: Path) -> bytes:
    """A backup of the files that there are, as of one moment; Winnow may run. Raises OSError."""
    made = io.BytesIO()
    with folder_lock(folder), tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name in files_in(folder):
            if (folder / name).exists():
                data = _content(folder / name)
                member = tarfile.TarInfo(name)
                member.size, member.mode, member.mtime = len(data), 0o600, int(time.time())
                archive.addfile(member, io.BytesIO(data))
    return made.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The files of a backup by their names, each sound. Raises StoreError."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            files = dict(_member(archive, member) for member in archive)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise StoreError(f"it {_NO_BACKUP}, or is cut short") from error
    if not files:
        raise StoreError(f"it {_NO_BACKUP}: it is empty")
    for name, content in files.items():
        _check(name, content)
    return files


def put_back(files: Mapping[str, bytes], folder: Path, names: Iterable[str] | None = None) -> None:
    """Replace ``names``, or all files, by those of a backup. No Winnow may run. Raises OSError."""
    draft = folder / f".restore-{secrets.token_hex(8)}"
    try:
        for name, content in files.items():
            (draft / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(draft / name, content)
        with folder_lock(folder):
            for name in names or {*files_in(folder), *files}:
                _replace(folder / name, draft / name, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def files_in(folder: Path) -> list[str]:
    """What a backup of a folder has: FILES and its other databases."""
    databases = (path.name for path in folder.glob("*.sqlite3") if path.name not in FILES)
    return [*FILES, *sorted(name for name in databases if _is_of_a_feature(name))]


def _is_of_a_feature(name: str) -> bool:
    return name != FETCHED_AGAIN and _FEATURES.fullmatch(name) is not None


def give_to_owner(path: Path, folder: Path) -> None:
    """What root put into a service's data folder is the service's. Raises OSError."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _replace(path: Path, fresh: Path, folder: Path) -> None:
    """The write-ahead log of the old file would damage the new one."""
    for ending in ("", *COMPANIONS):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    if fresh.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        give_to_owner(path.parent, folder)
        give_to_owner(fresh, folder)
        fresh.replace(path)


def _content(path: Path) -> bytes:
    """A file's bytes; of a database a consistent copy, its write-ahead log included."""
    if path.suffix != _DATABASE:
        return read_private(path)
    try:
        with (
            closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            source.backup(copy)
            data = copy.serialize()
    except sqlite3.Error as error:
        raise StoreError(f"{path.name} cannot be read: {error}") from error
    return data[: _LOGGED.start] + b"\1\1" + data[_LOGGED.stop :]


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> tuple[str, bytes]:
    """Raises StoreError for anything but FILES and a feature's database: nothing else is written.

    That of a feature which is not installed, too: it has its data when it is.
    """
    file = archive.extractfile(member) if member.isreg() else None
    known = member.name in FILES or _is_of_a_feature(member.name)
    if not known or file is None or member.size > LARGEST:
        raise StoreError(f"it {_NO_BACKUP}: it holds {member.name[:80]!r}")
    return member.name, file.read()


def _check(name: str, content: bytes) -> None:
    if name.endswith(_DATABASE) and not _is_database(content):
        raise StoreError(f"{name} in it is damaged")
    if name == library.FILE_NAME and not _is_json(content):
        raise StoreError(f"{name} in it is damaged")


def _is_database(content: bytes) -> bool:
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(content)
            rows = database.execute("PRAGMA quick_check").fetchall()
    except sqlite3.Error:
        return False
    return bool(rows == [("ok",)])


def _is_json(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False
