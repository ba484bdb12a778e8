"""Reads what other programs export: Winnow, wallabag, Pocket, Readeck. Pure; fetches nothing.

What is wrong with one entry leaves out that entry; sizes and numbers are bounded.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final

import msgspec
from msgspec import msgpack

from winnow.features.saved.imported_page import (
    LARGEST_CONTENT,
    ImportedPage,
    imported_page,
    text_of,
)
from winnow.features.saved.saved_archives import (
    LARGEST_UNPACKED,
    Entry,
    Members,
    objects_in,
    pocket_notes,
    readeck_page,
    unknown_file,
    with_notes,
)
from winnow.features.saved.saved_export import FORMAT
from winnow.features.saved.stores.saved_page import LONGEST_NOTE, MOST_NOTES, Note, SavedPage
from winnow.jobs.job_types import Job, PipelineError
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says

LARGEST_UPLOAD: Final = 64 * 1024 * 1024
MOST_ENTRIES: Final = 20_000
LARGEST_IMAGE: Final = 1024 * 1024
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_LINK: Final = re.compile(r"<a\s([^<>]{1,9000})>([^<]{0,4000})</a>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r'([a-z_]+)\s*=\s*"([^"]*)"', re.IGNORECASE)
_Images = dict[str, tuple[bytes, str]]
_SIZE: Final = struct.Struct(">I")


class ImportJob(Job[tuple[int, int]], frozen=True):
    """Read an export that stands in a file from ``start`` to ``end``, in a worker.

    Its pages are written to the file ``sink``, for ``pages_in``; the result are their number and
    that of the entries left out.
    """

    done_by: ClassVar[str] = "winnow.features.saved.saved_import:written"
    source: str
    start: int
    end: int
    sink: str


def written(source: str, start: int, end: int, sink: str) -> tuple[int, int]:
    """What an ImportJob does. Raises PipelineError."""
    with Path(source).open("rb") as file:
        file.seek(start)
        data = file.read(end - start)
    try:
        found = imported(data)
    except ClientFaultError as error:
        raise PipelineError(error.reason, str(error)) from error
    with Path(sink).open("wb") as out:
        for page in found.pages:
            packed = msgpack.encode((page.page, dict(page.images)))
            out.write(_SIZE.pack(len(packed)) + packed)
    return len(found.pages), found.left_out


def pages_in(sink: BinaryIO, most: int) -> list[ImportedPage]:
    """The next pages that a job has written, at most so many; none at the end."""
    pages: list[ImportedPage] = []
    while len(pages) < most and (size := sink.read(_SIZE.size)):
        packed = sink.read(_SIZE.unpack(size)[0])
        pages.append(ImportedPage(*msgpack.decode(packed, type=tuple[SavedPage, _Images])))
    return pages


@dataclass(frozen=True, slots=True)
class Imported:
    """``left_out``: entries without an address of the web."""

    pages: tuple[ImportedPage, ...]
    left_out: int


def imported(data: bytes) -> Imported:
    """The pages of an export. Raises ClientFaultError for any other file."""
    try:
        found = list(islice(_entries(data), MOST_ENTRIES + 1))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, csv.Error) as error:
        raise unknown_file() from error
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise unknown_file() from error
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
        return _of_json(msgspec.json.decode(text))
    if text.lstrip()[:1] == "<":
        return _of_links(text)
    return _of_csv(text)


def _of_json(found: Any) -> Iterator[ImportedPage | None]:
    if isinstance(found, dict) and found.get("format") == FORMAT:
        return map(_winnow, objects_in(found["pages"]))
    if isinstance(found, list):
        return map(_wallabag, objects_in(found))
    raise ValueError("no export")


def _winnow(entry: Entry) -> ImportedPage | None:
    names = ("title", "byline", "site", "language", "direction", "excerpt")
    fields = {name: entry.get(name) for name in names}
    read = imported_page(entry.get("url"), tags=entry.get("tags"), notes=(), content="", **fields)
    if read is None:
        return None
    notes = (
        Note(*(text_of(each.get(name), LONGEST_NOTE) for name in ("quote", "remark", "made")))
        for each in objects_in(entry.get("notes") or [])
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
    for each in objects_in(found or []):
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
        for each in objects_in(entry.get("annotations") or [])
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
        members = Members(archive, files)
        notes = pocket_notes(members)
        for name in sorted(files):
            if name.endswith("/info.json"):
                yield readeck_page(members, name)
            elif name.endswith(".csv"):
                for page in _of_csv(members.read(name).decode("utf-8-sig")):
                    yield with_notes(page, notes)
