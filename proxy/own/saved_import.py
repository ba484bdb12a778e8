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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import unescape
from types import MappingProxyType
from typing import Any, Final

from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.saved_export import FORMAT
from winnow.proxy.stores.saved_page import LONGEST_NOTE, MOST_NOTES, Note, SavedPage, tags_of

MOST_ENTRIES: Final = 20_000
LARGEST_CONTENT: Final = 4 * 1024 * 1024
"""Characters of one article."""
LARGEST_IMAGE: Final = 1024 * 1024
LARGEST_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes of all that is in an archive."""
_LONGEST: Final = 20_000
"""Characters of a title, an address or another field."""
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_LINK: Final = re.compile(r"<a\s([^<>]{1,9000})>([^<]{0,4000})</a>", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r'([a-z_]+)\s*=\s*"([^"]*)"', re.IGNORECASE)
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ImportedPage:
    """``page.content`` is as the file has it: it must be sanitised before it is stored."""

    page: SavedPage
    images: Mapping[str, tuple[bytes, str]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Imported:
    """``left_out``: entries without an address of the web."""

    pages: tuple[ImportedPage, ...]
    left_out: int


def imported(data: bytes) -> Imported:
    """The pages of an export. Raises ClientFaultError for any other file."""
    try:
        found = list(_entries(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _unknown() from error
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError) as error:
        raise _unknown() from error
    if len(found) > MOST_ENTRIES:
        raise ClientFaultError(f"At most {MOST_ENTRIES:,} pages at once.", 413, "too-large")
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
    read = _page(entry.get("url"), tags=entry.get("tags"), notes=(), content="", **fields)
    if read is None:
        return None
    notes = (
        Note(*(_text(each.get(name), LONGEST_NOTE) for name in ("quote", "remark", "made")))
        for each in _objects(entry.get("notes") or [])
    )
    page = replace(
        read.page,
        content=_text(entry.get("content"), LARGEST_CONTENT),
        text=_text(entry.get("text"), LARGEST_CONTENT),
        saved=_text(entry.get("saved")),
        published=_text(entry.get("published")),
        notes=tuple(notes)[:MOST_NOTES],
    )
    return ImportedPage(page, _images(entry.get("images")))


def _images(found: Any) -> Mapping[str, tuple[bytes, str]]:
    images = {}
    for each in _objects(found or []):
        body = b64decode(str(each.get("data")), validate=True)
        if each.get("type") in _IMAGE_TYPES and len(body) <= LARGEST_IMAGE:
            images[_text(each.get("url"))] = body, str(each["type"])
    return images


def _wallabag(entry: Entry) -> ImportedPage | None:
    """wallabag 2, "Export all as JSON"."""
    tags = [tag.get("label") if isinstance(tag, dict) else tag for tag in entry.get("tags") or []]
    authors = entry.get("published_by")
    notes = [
        (each.get("quote"), each.get("text"), each.get("created_at"))
        for each in _objects(entry.get("annotations") or [])
    ]
    return _page(
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
        _page(
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
        yield _page(
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
            raise ClientFaultError("The archive unpacks to too much.", 413, "too-large")
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
    return _page(
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
            found[str(entry.get("url"))] = _notes(notes)
    return found


def _with_notes(
    page: ImportedPage | None, notes: Mapping[str, tuple[Note, ...]]
) -> ImportedPage | None:
    if page is None or page.page.url not in notes:
        return page
    return replace(page, page=replace(page.page, notes=notes[page.page.url]))


def _page(
    url: Any,
    *,
    tags: Iterable[Any] | None = None,
    notes: Iterable[tuple[Any, Any, Any]] = (),
    content: Any = "",
    **fields: Any,
) -> ImportedPage | None:
    """A page; None where the address is none of the web. Dates are ``saved`` and ``published``."""
    address = _text(url)
    if not address.lower().startswith(("http://", "https://")) or not _is_address(address):
        return None
    page = SavedPage(
        address,
        content=_text(content, LARGEST_CONTENT),
        saved=_moment(fields.pop("saved", "")),
        published=_moment(fields.pop("published", "")),
        tags=tags_of(_text(tag) for tag in tags or ()),
        notes=_notes(notes),
        **{name: _text(value) for name, value in fields.items()},
    )
    direction = page.direction if page.direction in ("ltr", "rtl") else ""
    return ImportedPage(replace(page, direction=direction))


def _notes(notes: Iterable[tuple[Any, Any, Any]]) -> tuple[Note, ...]:
    made = (
        Note(_text(quote, LONGEST_NOTE), _text(remark, LONGEST_NOTE), _moment(when))
        for quote, remark, when in notes
    )
    kept = dict.fromkeys(note for note in made if note.quote or note.remark)
    return tuple(kept)[:MOST_NOTES]


def _is_address(text: str) -> bool:
    try:
        parse_url(text)
    except ClientFaultError:
        return False
    return True


def _text(value: Any, longest: int = _LONGEST) -> str:
    """A value as text that UTF-8 can hold; "" for none."""
    text = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    return text[:longest].encode("utf-8", "replace").decode()


def _moment(value: Any) -> str:
    """A date as ISO 8601: from that, or from seconds since 1970; "" for any other."""
    text = _text(value).strip()
    if re.fullmatch(r"[0-9]{9,11}", text):
        return datetime.fromtimestamp(int(text), UTC).isoformat()
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return ""
    return text


def _unknown() -> ClientFaultError:
    return ClientFaultError(
        "This file is no export of Winnow, wallabag, Pocket or Readeck, nor bookmarks.",
        422,
        "bad-import",
    )
