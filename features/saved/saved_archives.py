"""Saved pages in the archives of Readeck and Pocket: their members, within bounds."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from winnow.features.saved.imported_page import (
    ImportedPage,
    imported_page,
    notes_of,
)
from winnow.features.saved.stores.saved_page import Note
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

Entry = Mapping[str, Any]
LARGEST_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes of all that is in an archive."""
_PACKINGS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""bzip2 and LZMA, which no such program writes, unpack a kilobyte to gigabytes."""


def objects_in(found: Any) -> list[Entry]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError("no list of objects")
    return found


def unknown_file() -> ClientFaultError:
    return ClientFaultError(
        "This file is no export of Winnow, wallabag, Pocket or Readeck, nor bookmarks.",
        422,
        "bad-import",
    )


@dataclass
class Members:
    """The files of an archive, whose stated sizes nobody believes: what is read is counted."""

    archive: zipfile.ZipFile
    files: Mapping[str, zipfile.ZipInfo]
    left: int = LARGEST_UNPACKED

    def read(self, name: str) -> bytes:
        """Raises ClientFaultError where all that was read is too much."""
        if self.files[name].compress_type not in _PACKINGS:
            raise unknown_file()
        with self.archive.open(self.files[name]) as member:
            data = member.read(min(self.files[name].file_size, self.left) + 1)
        self.left -= len(data)
        if self.left < 0:
            raise ClientFaultError(says("The archive unpacks to too much."), 413, "too-large")
        return data


def readeck_page(members: Members, name: str) -> ImportedPage | None:
    entry = msgspec.json.decode(members.read(name))
    article = name.removesuffix("info.json") + "container/index.html"
    notes = [
        (each.get("text"), each.get("note"), each.get("created"))
        for each in objects_in(entry.get("Annotations") or [])
    ]
    return imported_page(
        entry.get("URL"),
        title=entry.get("Title"),
        content=members.read(article).decode("utf-8", "replace")
        if article in members.files
        else "",
        byline=", ".join(map(str, entry.get("Authors") or [])),
        site=entry.get("SiteName"),
        language=entry.get("Lang"),
        direction=entry.get("TextDirection"),
        published=entry.get("Published"),
        excerpt=entry.get("Description"),
        saved=entry.get("Created"),
        tags=entry.get("Labels"),
        notes=notes,
    )


def pocket_notes(members: Members) -> Mapping[str, tuple[Note, ...]]:
    """Highlights by address."""
    found: dict[str, tuple[Note, ...]] = {}
    for name in sorted(members.files):
        if "annotations" not in name or not name.endswith(".json"):
            continue
        for entry in objects_in(msgspec.json.decode(members.read(name))):
            notes = [
                (each.get("quote"), "", each.get("created_at"))
                for each in objects_in(entry.get("highlights") or [])
            ]
            found[str(entry.get("url"))] = notes_of(notes)
    return found


def with_notes(
    page: ImportedPage | None, notes: Mapping[str, tuple[Note, ...]]
) -> ImportedPage | None:
    if page is None or page.page.url not in notes:
        return page
    return replace(page, page=replace(page.page, notes=notes[page.page.url]))
