"""Pages that were crawled before: a folder of HTML files, or a WARC file (ISO 28500)."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord

from winnow.document.values import Page
from winnow.evaluation.errors import PackageError

_HTML = ("text/html", "application/xhtml+xml")
_SUFFIXES = {".html", ".htm", ".xhtml"}
_BROKEN = (ArchiveLoadFailed, EOFError, zlib.error, ValueError)
"""What warcio raises for bytes that are no record."""
_PIECE: Final = 1 << 20


def crawled(path: Path) -> Iterator[Page]:
    """The HTML pages of a folder or of an archive; raises PackageError where it is neither."""
    if path.is_dir():
        return (page_of_file(file, path) for file in html_files(path))
    if path.is_file():
        return _of_archive(path)
    raise PackageError(f"There is no folder or WARC file {path}.")


def html_files(folder: Path) -> Iterator[Path]:
    """The files of HTML in a folder and the folders in it, by name."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.is_file():
            yield path


def page_of_file(path: Path, folder: Path, largest: int = sys.maxsize) -> Page:
    """A file's page; its address is ``url`` in NAME.json, or made of the path: HOST/PATH.html.

    Raises OSError, and PackageError where it has more than ``largest`` bytes.
    """
    with path.open("rb") as stream:
        url = _address(folder, path)
        return Page(_bounded(stream, largest, str(path), url), url)


def html_records(path: Path) -> Iterator[tuple[int, ArcWarcRecord]]:
    """The answers of status 200 that are HTML, and at which byte of the file each begins.

    A record is to be read before the next is requested. Raises PackageError where the file is, or
    from some byte on is, no WARC file.
    """
    with path.open("rb") as stream:
        records, last = ArchiveIterator(stream), None
        try:
            for last in records:
                if _is_page(last):
                    yield records.offset, last
        except _BROKEN as error:
            raise PackageError(f"{path} is no WARC file: {error}.") from error
        if last and _is_cut(last):
            raise PackageError(f"{path} is damaged: its last record that can be read is cut off.")


def page_of_record(record: ArcWarcRecord, largest: int = sys.maxsize) -> Page:
    """Raises PackageError where the page has more than ``largest`` bytes or cannot be read."""
    url = record.rec_headers.get_header("WARC-Target-URI")
    charset = (record.http_headers.get_header("Content-Type") or "").partition("charset=")[2]
    try:
        body = _bounded(record.content_stream(), largest, url, url)
    except _BROKEN as error:
        raise PackageError(f"{url} cannot be read from its archive: {error}.", url) from error
    if _is_cut(record):
        raise PackageError(f"{url} is cut off in its archive.", url)
    return Page(body, url, charset.strip("\"' ") or None)


def _is_cut(record: ArcWarcRecord) -> bool:
    """Whether fewer bytes are there than the record says; warcio ends such a record silently."""
    while record.raw_stream.read(_PIECE):
        pass
    return int(getattr(record.raw_stream, "limit", 0)) > 0


def _of_archive(path: Path) -> Iterator[Page]:
    return (page_of_record(record) for _, record in html_records(path))


def _is_page(record: ArcWarcRecord) -> bool:
    head = record.http_headers
    if record.rec_type != "response" or head is None or head.get_statuscode() != "200":
        return False
    kind = (head.get_header("Content-Type") or "").partition(";")[0]
    return kind.strip().lower() in _HTML


def _address(folder: Path, path: Path) -> str:
    try:
        url = json.loads(path.with_suffix(".json").read_bytes()).get("url")
    except (OSError, ValueError, AttributeError):
        url = None
    return url if isinstance(url, str) else f"http://{path.relative_to(folder).as_posix()}"


def _bounded(stream: BinaryIO, largest: int, name: str, url: str) -> bytes:
    body = bytearray()
    while piece := stream.read(_PIECE):
        body += piece
        if len(body) > largest:
            raise PackageError(f"{name} is larger than {largest} bytes.", url)
    return bytes(body)
