"""Lists the parts of a corpus (files, ranges of archives, addresses) and reads their pages."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from warcio.recordloader import ArcWarcRecord

from winnow.command_errors import CommandError, UsageError
from winnow.config.settings import Settings
from winnow.document.values import Page
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.crawled_pages import html_files, page_of_file, page_of_record
from winnow.features.batch.warc_records import (
    BROKEN,
    GZIP,
    WARC,
    RecordBytes,
    is_page,
    parsed,
    plain_ranges,
    records,
)
from winnow.page_fetch import fetch

RANGE: Final = 16 * 1024 * 1024
"""Bytes of an archive that one worker reads."""
SHARES: Final = 64
"""Chunks that a corpus is divided into, at least, where it has pages enough."""
MOST_PAGES: Final = 1000
COMMON_CRAWL: Final = "https://data.commoncrawl.org/"
"""What the lines of its lists of paths (warc.paths.gz) are below."""
_WEB: Final = ("http://", "https://")
_MARKUP: Final = {".html", ".htm", ".xhtml"}
_ARCHIVES: Final = (".warc", ".warc.gz", ".arc.gz")
_LISTS: Final = (".paths", ".paths.gz")
_EXTRAS: Final = {"s3": ("s3",), "gs": ("gs",)}
"""The extra that an address needs beside ``batch``, by its scheme."""
_FIELDS: Final = 1 << 20
"""Bytes that a record may have beside its page: its fields and those of HTTP."""


@dataclass(frozen=True, slots=True)
class PageLocation:
    """One page of a corpus, or the pages of a range of an archive; ``source`` names it for people.

    ``folder`` is the corpus that a file belongs to; ``offset`` and ``end`` the bytes of an archive
    within which its records begin, ``end`` -1 to the end; ``fault`` the reason if there is no page.
    """

    source: str
    path: str = ""
    folder: str = ""
    offset: int = -1
    end: int = -1
    fault: str = ""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page with what a crawl's index knows it by, or why there is none (``fault``).

    ``date``: WARC-Date; ``digest``: WARC-Payload-Digest; ``payload_type``: the media type.
    ``offset``: where its record begins, -1 outside archives.
    """

    source: str
    page: Page | None = None
    url: str | None = None
    fault: str = ""
    date: str | None = None
    record_id: str | None = None
    digest: str | None = None
    status: int | None = None
    payload_type: str | None = None
    offset: int = -1


def page_locations(sources: Iterable[str]) -> Iterator[PageLocation]:
    """List folders, WARC files, lists of paths and of addresses, HTML files and addresses.

    Raises UsageError for a source that is none of them.
    """
    for source in sources:
        yield from _of(source)


def pages(location: PageLocation, settings: Settings) -> Iterator[FoundPage]:
    """Return the pages of a location, in order; what cannot be read says why."""
    if location.offset >= 0 and not location.fault:
        yield from _archived(location, settings.extraction.max_page)
        return
    try:
        page = _page(location, settings)
        yield FoundPage(location.source, page, page.url)
    except PackageError as error:
        yield FoundPage(location.source, url=error.url, fault=str(error))
    except CommandError as error:
        yield FoundPage(location.source, fault=str(error))


def _page(location: PageLocation, settings: Settings) -> Page:
    if location.fault:
        raise CommandError(location.fault)
    if not location.path:
        return fetch(location.source, settings)
    path = Path(location.path)
    try:
        return page_of_file(path, Path(location.folder), settings.extraction.max_page)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error


def _archived(location: PageLocation, largest: int) -> Iterator[FoundPage]:
    """The HTML pages among the records of a range."""
    record = RecordBytes(location.offset)
    try:
        with opened(location.path) as stream:
            for record in records(stream, location.offset, location.end, largest + _FIELDS):
                for found in _found(f"{location.path}@{record.offset}", record, largest):
                    yield replace(found, offset=record.offset)
    except OSError as error:
        reason = f"cannot read {location.path}: {error.strerror or error}"
        yield FoundPage(f"{location.path}@{record.offset}", fault=reason)


def _found(source: str, record: RecordBytes, largest: int) -> Iterator[FoundPage]:
    if record.fault:
        yield FoundPage(source, fault=f"the record cannot be read: {record.fault}")
        return
    try:
        read = parsed(record)
        if is_page(read):
            yield _of_record(source, read, largest)
    except (StopIteration, *BROKEN) as error:
        yield FoundPage(source, fault=f"the record cannot be read: {error}")


def _of_record(source: str, record: ArcWarcRecord, largest: int) -> FoundPage:
    fields = record.rec_headers.get_header
    kind = record.http_headers.get_header("Content-Type") or ""
    page, fault, url = None, "", fields("WARC-Target-URI")
    try:
        page = page_of_record(record, largest)
    except PackageError as error:
        fault = str(error)
    return FoundPage(
        source,
        page,
        url,
        fault,
        date=fields("WARC-Date"),
        record_id=fields("WARC-Record-ID"),
        digest=fields("WARC-Payload-Digest"),
        status=int(record.http_headers.get_statuscode()),
        payload_type=fields("WARC-Identified-Payload-Type") or kind.partition(";")[0].strip(),
    )


def is_remote(path: str) -> bool:
    """Whether it is an address of a file system (``s3://``, ``gs://``, ``https://``)."""
    return "://" in path


def opened(path: str) -> BinaryIO:
    """Open a file, or an address by fsspec. Raises OSError, and UsageError without fsspec."""
    if not is_remote(path):
        return Path(path).open("rb")
    return cast(BinaryIO, file_system(path).open(path, "rb"))


def file_system(address: str) -> Any:
    """That of an address, by fsspec. Raises UsageError where its package is missing."""
    try:
        return import_module("fsspec.core").url_to_fs(address)[0]
    except (ImportError, ValueError) as error:
        extras = ",".join(("batch", *_EXTRAS.get(address.partition("://")[0], ())))
        raise UsageError(
            f"{address}: {error} (pip install '.[{extras}]' in Winnow's checkout)"
        ) from error


def _of(source: str) -> Iterator[PageLocation]:
    named = source.partition("?")[0].lower()
    if named.endswith(_LISTS):
        return _of_paths(source)
    if is_remote(source):
        if named.endswith(_ARCHIVES):
            return _of_archive(source, int(file_system(source).size(source)))
        if source.startswith(_WEB):
            return iter([PageLocation(source)])
        raise UsageError(f"{source} is no WARC file (.warc, .warc.gz) and no list of paths")
    path = Path(source).absolute()
    if path.is_dir():
        return _of_folder(path)
    if not path.is_file():
        raise UsageError(f"{source} is no folder, WARC file or list of addresses")
    if path.suffix.lower() in _MARKUP:
        return iter([PageLocation(str(path), str(path), str(path.parent))])
    with path.open("rb") as stream:
        archived = stream.read(5).startswith((WARC, GZIP[:2]))
    return _of_archive(str(path), path.stat().st_size) if archived else _of_list(path)


def _of_folder(folder: Path) -> Iterator[PageLocation]:
    for path in html_files(folder):
        yield PageLocation(str(path), str(path), str(folder))


def _of_archive(path: str, size: int) -> Iterator[PageLocation]:
    """Divide an archive into ranges of some RANGE bytes, reading next to nothing of it."""
    for first, end in _ranges(path, size):
        yield PageLocation(f"{path}@{first}", path, offset=first, end=end)


def _ranges(path: str, size: int) -> Iterator[tuple[int, int]]:
    with opened(path) as stream:
        if stream.read(len(GZIP)) == GZIP:
            starts = range(0, max(size, 1), RANGE)
            yield from zip(starts, [*starts[1:], -1], strict=True)
        elif is_remote(path):
            yield 0, -1
        else:
            yield from plain_ranges(stream, RANGE)


def _of_paths(source: str) -> Iterator[PageLocation]:
    """Read a list of archives, one a line, below COMMON_CRAWL where a line is no address."""
    with opened(source) as packed:
        body = packed.read()
    lines = (gzip.decompress(body) if body.startswith(GZIP) else body).decode().split()
    for line in lines:
        yield from _of(line if is_remote(line) or Path(line).is_file() else COMMON_CRAWL + line)


def _of_list(path: Path) -> Iterator[PageLocation]:
    """Read one address a line; blank lines and those that begin with ``#`` are skipped."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            address = line.strip()
            if address.startswith(_WEB):
                yield PageLocation(address)
            elif address and not address.startswith("#"):
                fault = f"line {number} of {path.name} is no http or https address"
                yield PageLocation(address[:200], fault=fault)


def grouped(locations: Iterable[PageLocation], size: int) -> Iterator[tuple[PageLocation, ...]]:
    """Chunks of ``size`` pages, larger ones in a large corpus (a row group each).

    A range of an archive is a chunk of its own.
    """
    held: list[PageLocation] = []
    for number, location in enumerate(locations):
        alone = location.offset >= 0
        if held and (alone or len(held) >= max(size, min(number // SHARES, MOST_PAGES))):
            yield tuple(held)
            held.clear()
        if alone:
            yield (location,)
        else:
            held.append(location)
    yield from iter([tuple(held)] if held else [])
