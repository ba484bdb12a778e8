"""Reads what other programs export: Winnow, wallabag, Pocket, Readeck. Pure; fetches nothing.

What is wrong with one entry leaves out that entry; sizes and numbers are bounded.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Final

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.imported_page import (
    LARGEST_CONTENT,
    ImportedPage,
    imported_page,
    notes_of,
    text_of,
)
from winnow.proxy.own.saved_export import FORMAT
from winnow.proxy.stores.saved_page import LONGEST_NOTE, MOST_NOTES, Note

MOST_ENTRIES: Final = 20_000
LARGEST_IMAGE: Final = 1024 * 1024
LARGEST_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes of all that is in an archive."""
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_LINK: Final = re.compile(r"<a\s([^<>]{1,9000})>([^<]{0,4000})</a>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r'([a-z_]+)\s*=\s*"([^"]*)"', re.IGNORECASE)
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Imported:
    """``left_out``: entries without an address of the web."""

    pages: tuple[ImportedPage, ...]
    left_out: int


def imported(data: bytes) -> Imported:
    """The pages of an export. Raises ClientFaultError for any other file."""
    try:
        found = list(_entries(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, csv.Error) as error:
        raise _unknown() from error
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise _unknown() from error
    if len(found) > MOST_ENTRIES:
        raise ClientFaultError(
            says("At most {number} pages at once.", number=MOST_ENTRIES), 413, "too-large"
        )
    pages = tuple(page for page in found if page is not None)
    return Imported(pages, len(found) - len(pages))


def _entries(data: bytes) -> Iterator[ImportedPage | None]:
    if data.startswith(b"PK"):
        return _of_archive(data)
    text = data.decode("utf-8-sig")
    if text.lstrip()[:1] in ("{", "["):
        return _of_json(json.loads(text))
    if text.lstrip()[:1] == "<":
        return _of_links(text)
    return _of_csv(text)


def _of_json(found: Any) -> Iterator[ImportedPage | None]:
    if isinstance(found, dict) and found.get("format") == FORMAT:
        return map(_winnow, _objects(found["pages"]))
    if isinstance(found, list):
        return map(_wallabag, _objects(found))
    raise ValueError("no export")


def _objects(found: Any) -> list[Entry]:
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError("no list of objects")
    return found


def _winnow(entry: Entry) -> ImportedPage | None:
    names = ("title", "byline", "site", "language", "direction", "excerpt")
    fields = {name: entry.get(name) for name in names}
    read = imported_page(entry.get("url"), tags=entry.get("tags"), notes=(), content="", **fields)
    if read is None:
        return None
    notes = (
        Note(*(text_of(each.get(name), LONGEST_NOTE) for name in ("quote", "remark", "made")))
        for each in _objects(entry.get("notes") or [])
    )
    page = replace(
        read.page,
        content=text_of(entry.get("content"), LARGEST_CONTENT),
        text=text_of(entry.get("text"), LARGEST_CONTENT),
        saved=text_of(entry.get("saved")),
        published=text_of(entry.get("published")),
        notes=tuple(notes)[:MOST_NOTES],
    )
    return ImportedPage(page, _images(entry.get("images")))


def _images(found: Any) -> Mapping[str, tuple[bytes, str]]:
    images = {}
    for each in _objects(found or []):
        body = b64decode(str(each.get("data")), validate=True)
        if each.get("type") in _IMAGE_TYPES and len(body) <= LARGEST_IMAGE:
            images[text_of(each.get("url"))] = body, str(each["type"])
    return images


def _wallabag(entry: Entry) -> ImportedPage | None:
    """wallabag 2, "Export all as JSON"."""
    tags = [tag.get("label") if isinstance(tag, dict) else tag for tag in entry.get("tags") or []]
    authors = entry.get("published_by")
    notes = [
        (each.get("quote"), each.get("text"), each.get("created_at"))
        for each in _objects(entry.get("annotations") or [])
    ]
    return imported_page(
        entry.get("url") or entry.get("given_url"),
        title=entry.get("title"),
        content=entry.get("content"),
        byline=", ".join(map(str, filter(None, authors))) if isinstance(authors, list) else "",
        language=str(entry.get("language") or "").replace("_", "-"),
        published=entry.get("published_at"),
        saved=entry.get("created_at"),
        tags=tags,
        notes=notes,
    )


def _of_csv(text: str) -> Iterator[ImportedPage | None]:
    """Pocket, as of 2024: title, url, time_added, tags (parted by |), status."""
    reader = csv.DictReader(io.StringIO(text))
    if "url" not in (reader.fieldnames or ()):
        raise ValueError("no column of addresses")
    return (
        imported_page(
            row.get("url"),
            title=row.get("title"),
            saved=row.get("time_added") or row.get("created"),
            tags=re.split(r"[|,]", row.get("tags") or ""),
        )
        for row in reader
    )


def _of_links(text: str) -> Iterator[ImportedPage | None]:
    """Pocket's older HTML, and bookmarks of browsers: links with dates and tags."""
    for found in _LINK.finditer(text):
        values = {name.lower(): unescape(value) for name, value in _ATTRIBUTE.findall(found[1])}
        yield imported_page(
            values.get("href"),
            title=unescape(found[2]),
            saved=values.get("time_added") or values.get("add_date"),
            tags=values.get("tags", "").split(","),
        )


def _of_archive(data: bytes) -> Iterator[ImportedPage | None]:
    """Readeck's backup, or Pocket's archive of CSV files and annotations."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {each.filename: each for each in archive.infolist()}
        if sum(each.file_size for each in files.values()) > LARGEST_UNPACKED:
            raise ClientFaultError(says("The archive unpacks to too much."), 413, "too-large")
        notes = _pocket_notes(archive, files)
        for name in sorted(files):
            if name.endswith("/info.json"):
                yield _readeck(archive, files, name)
            elif name.endswith(".csv"):
                for page in _of_csv(archive.read(name).decode("utf-8-sig")):
                    yield _with_notes(page, notes)


def _readeck(
    archive: zipfile.ZipFile, files: Mapping[str, zipfile.ZipInfo], name: str
) -> ImportedPage | None:
    entry = json.loads(archive.read(name))
    article = name.removesuffix("info.json") + "container/index.html"
    notes = [
        (each.get("text"), each.get("note"), each.get("created"))
        for each in _objects(entry.get("Annotations") or [])
    ]
    return imported_page(
        entry.get("URL"),
        title=entry.get("Title"),
        content=archive.read(article).decode("utf-8", "replace") if article in files else "",
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


def _pocket_notes(
    archive: zipfile.ZipFile, files: Mapping[str, zipfile.ZipInfo]
) -> Mapping[str, tuple[Note, ...]]:
    """Highlights by address."""
    found: dict[str, tuple[Note, ...]] = {}
    for name in sorted(files):
        if "annotations" not in name or not name.endswith(".json"):
            continue
        for entry in _objects(json.loads(archive.read(name))):
            notes = [
                (each.get("quote"), "", each.get("created_at"))
                for each in _objects(entry.get("highlights") or [])
            ]
            found[str(entry.get("url"))] = notes_of(notes)
    return found


def _with_notes(
    page: ImportedPage | None, notes: Mapping[str, tuple[Note, ...]]
) -> ImportedPage | None:
    if page is None or page.page.url not in notes:
        return page
    return replace(page, page=replace(page.page, notes=notes[page.page.url]))


def _unknown() -> ClientFaultError:
    return ClientFaultError(
        "This file is no export of Winnow, wallabag, Pocket or Readeck, nor bookmarks.",
        422,
        "bad-import",
    )
