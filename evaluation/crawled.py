"""Pages that were crawled before: a folder of HTML files, or a WARC file (ISO 28500).

Knows files and archives; refuses to know what pages are for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from document.values import Page
from evaluation.errors import PackageError

_HTML = ("text/html", "application/xhtml+xml")
_SUFFIXES = {".html", ".htm", ".xhtml"}


def crawled(path: Path) -> Iterator[Page]:
    """The HTML pages of a folder or of an archive; raises PackageError where it is neither."""
    if path.is_dir():
        return _of_folder(path)
    if path.is_file():
        return _of_archive(path)
    raise PackageError(f"There is no folder or WARC file {path}.")


def _of_folder(folder: Path) -> Iterator[Page]:
    """Files of HTML; the address is ``url`` in NAME.json, or made of the path: HOST/PATH.html."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.is_file():
            yield Page(path.read_bytes(), _address(folder, path))


def _address(folder: Path, path: Path) -> str:
    try:
        url = json.loads(path.with_suffix(".json").read_bytes()).get("url")
    except (OSError, ValueError, AttributeError):
        url = None
    return url if isinstance(url, str) else f"http://{path.relative_to(folder).as_posix()}"


def _of_archive(path: Path) -> Iterator[Page]:
    """The answers of status 200 that are HTML."""
    try:
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                head = record.http_headers
                if record.rec_type != "response" or head is None or head.get_statuscode() != "200":
                    continue
                kind, _, charset = (head.get_header("Content-Type") or "").partition("charset=")
                if kind.partition(";")[0].strip().lower() in _HTML:
                    url = record.rec_headers.get_header("WARC-Target-URI")
                    yield Page(record.content_stream().read(), url, charset.strip("\"' ") or None)
    except ArchiveLoadFailed as error:
        raise PackageError(f"{path} is no WARC file: {error}.") from error
